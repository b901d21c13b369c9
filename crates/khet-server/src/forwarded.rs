//! The client's address as the reverse proxy in front of the server reports it.
//!
//! Clients can send these headers too, and proxies append to what they receive. So only the last
//! entry of the last header line counts, which the proxy itself has written, and only the one
//! header that the operator has named.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::HeaderMap;

/// The header in which the proxy writes the client's address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239)
    Forwarded,
}

impl ProxyHeader {
    /// Returns the name of the header.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ProxyHeader::XForwardedFor => "x-forwarded-for",
            ProxyHeader::Forwarded => "forwarded",
        }
    }
}

/// Returns the address of the client, as the proxy saw it.
pub(crate) fn client_address(headers: &HeaderMap, header: ProxyHeader) -> Option<IpAddr> {
    let list = headers.get_all(header.name()).iter().next_back()?.as_bytes();
    // Bytes, because what the client wrote before need not be text.
    let last = str::from_utf8(list.rsplit(|&byte| byte == b',').next()?).ok()?.trim();
    match header {
        ProxyHeader::XForwardedFor => parse_node(last),
        ProxyHeader::Forwarded => {
            let pairs = last.split(';').filter_map(|pair| pair.trim().split_once('='));
            let mut nodes = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
            parse_node(nodes.next()?.1.trim())
        }
    }
}

/// Reads an address with or without port, brackets and quotes: `192.0.2.1`, `192.0.2.1:4711`,
/// `2001:db8::1`, `[2001:db8::1]`, `"[2001:db8::1]:4711"`.
fn parse_node(text: &str) -> Option<IpAddr> {
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let in_brackets = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    text.parse::<IpAddr>()
        .ok()
        .or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
        .or_else(|| in_brackets().map(IpAddr::V6))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue};

    use super::{ProxyHeader, client_address};

    /// Returns the address that follows from header lines.
    fn address(header: ProxyHeader, lines: &[(&'static str, &str)]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        client_address(&headers, header).map(|address| address.to_string())
    }

    #[test]
    fn x_forwarded_for_with_ports_brackets_and_several_hops() {
        for (value, expected) in [
            ("192.0.2.1", Some("192.0.2.1")),
            ("192.0.2.1:4711", Some("192.0.2.1")),
            ("2001:db8::1", Some("2001:db8::1")),
            ("[2001:db8::1]", Some("2001:db8::1")),
            ("[2001:db8::1]:4711", Some("2001:db8::1")),
            ("::ffff:192.0.2.1", Some("::ffff:192.0.2.1")),
            ("10.0.0.1, 203.0.113.9 ,\t192.0.2.1:80", Some("192.0.2.1")),
            // Letters of the client that are not ASCII do not hide the proxy's entry.
            ("ž, 192.0.2.1", Some("192.0.2.1")),
            ("192.0.2.1,", None),
            ("192.0.2.1, unknown", None),
            ("192.0.2.1:99999", None),
            ("[192.0.2.1]", None),
            ("[2001:db8::1", None),
            ("", None),
        ] {
            let lines = [("x-forwarded-for", value)];
            let found = address(ProxyHeader::XForwardedFor, &lines);
            assert_eq!(found.as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn forwarded_with_parameters_and_quotes() {
        for (value, expected) in [
            ("for=192.0.2.60;proto=http;by=203.0.113.43", Some("192.0.2.60")),
            ("proto=https; For=\"192.0.2.60:47011\"", Some("192.0.2.60")),
            ("for=\"[2001:db8:cafe::17]:4711\"", Some("2001:db8:cafe::17")),
            ("for=\"[2001:db8:cafe::17]\"", Some("2001:db8:cafe::17")),
            ("for=192.0.2.43, for=198.51.100.17", Some("198.51.100.17")),
            // An open quote of the client does not reach into the proxy's entry.
            ("for=\"192.0.2.43, for=198.51.100.17;proto=https", Some("198.51.100.17")),
            ("for=unknown", None),
            ("for=_hidden", None),
            ("by=203.0.113.43", None),
            ("192.0.2.1", None),
        ] {
            let found = address(ProxyHeader::Forwarded, &[("forwarded", value)]);
            assert_eq!(found.as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn only_the_last_line_of_the_named_header_counts() {
        let lines = [
            ("x-forwarded-for", "203.0.113.1"),
            ("forwarded", "for=203.0.113.2"),
            ("x-forwarded-for", "203.0.113.3, 192.0.2.1"),
        ];
        let found = |header| address(header, &lines);
        assert_eq!(found(ProxyHeader::XForwardedFor).as_deref(), Some("192.0.2.1"));
        assert_eq!(found(ProxyHeader::Forwarded).as_deref(), Some("203.0.113.2"));
        assert_eq!(address(ProxyHeader::Forwarded, &lines[..1]), None);
    }
}
