//! Fuzz target: any text that a client sends in the header of a reverse proxy.

use std::net::IpAddr;

use khet_server::ProxyHeader;
use khet_server::fuzzing::client_address;

/// The client's address, which the proxy appends.
const CLIENTS: [&str; 2] = ["192.0.2.1", "2001:db8::1"];

/// Reads the lines of a header. Whatever a client has written into it, the entry of the proxy
/// after it counts.
pub fn read_forwarded(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let lines: Vec<&str> = text.lines().collect();
    for header in [ProxyHeader::XForwardedFor, ProxyHeader::Forwarded] {
        if let Some(address) = client_address(header, &lines) {
            let written = entry(header, address);
            assert_eq!(client_address(header, &[&written]), Some(address), "{written}");
        }
        for client in CLIENTS {
            let client: IpAddr = client.parse().expect("an address");
            let entry = entry(header, client);
            // Proxies append to the line of the client, or add a line of their own.
            for line in &lines {
                let appended = format!("{line}, {entry}");
                if appended.chars().all(|letter| letter == '\t' || !letter.is_control()) {
                    assert_eq!(client_address(header, &[&appended]), Some(client), "{appended:?}");
                }
            }
            let added: Vec<&str> = lines.iter().copied().chain([&*entry]).collect();
            assert_eq!(client_address(header, &added), Some(client), "{added:?}");
        }
    }
}

/// Returns the entry that a proxy writes for a client.
fn entry(header: ProxyHeader, client: IpAddr) -> String {
    match (header, client) {
        (ProxyHeader::XForwardedFor, client) => client.to_string(),
        (ProxyHeader::Forwarded, IpAddr::V4(client)) => format!("for={client};proto=https"),
        (ProxyHeader::Forwarded, IpAddr::V6(client)) => format!("for=\"[{client}]:4711\""),
    }
}
