//! The server behind a reverse proxy: addresses that clients invent, and metrics for operators only.

use std::net::SocketAddr;

use khet_server::{ProxyHeader, ServerLimits};

use crate::test_server::TestServer;

/// Sends requests with a header, and returns the status of each.
fn ask(server: &TestServer, header: &str, values: &[&str]) -> Vec<u16> {
    let agent = ureq::Agent::new_with_config(
        ureq::Agent::config_builder().http_status_as_error(false).build(),
    );
    let url = format!("http://{}/api/setups", server.running().address());
    let ask = |value: &&str| {
        agent.get(&url).header(header, *value).call().expect("an answer").status().as_u16()
    };
    values.iter().map(ask).collect()
}

/// Starts a server that allows one request per minute and address.
fn strict(header: ProxyHeader) -> TestServer {
    TestServer::configured(|config| {
        config.behind_proxy = true;
        config.proxy_header = header;
        config.limits = ServerLimits { requests_per_minute: 1, ..TestServer::high_limits() };
    })
}

#[test]
fn a_client_with_ports_or_brackets_or_invented_hops_is_one_client() {
    let server = strict(ProxyHeader::XForwardedFor);
    let one = ["192.0.2.1", "192.0.2.1:1000", "192.0.2.1:2000", "203.0.113.7, 192.0.2.1:3000"];
    assert_eq!(ask(&server, "x-forwarded-for", &one), [200, 429, 429, 429]);
    let network = ["2001:db8::1", "[2001:db8::2]", "[2001:db8::3]:4711", "10.0.0.1,2001:db8::4"];
    assert_eq!(ask(&server, "x-forwarded-for", &network), [200, 429, 429, 429]);
    // Bytes that are not ASCII do not hide the entry that the proxy has appended.
    let letters = ["203.0.113.5", "ž, 203.0.113.5", "žluť,203.0.113.5:80"];
    assert_eq!(ask(&server, "x-forwarded-for", &letters), [200, 429, 429]);
    // The other header is the client's own, so all of these have the address of the proxy.
    let invented = ["for=198.51.100.1", "for=198.51.100.2", "for=198.51.100.3"];
    assert_eq!(ask(&server, "forwarded", &invented), [200, 429, 429]);
}

#[test]
fn the_standard_header_is_read_if_the_operator_names_it() {
    let server = strict(ProxyHeader::Forwarded);
    let one = ["for=192.0.2.1", "For=\"192.0.2.1:1000\";proto=https", "for=1.2.3.4, for=192.0.2.1"];
    assert_eq!(ask(&server, "forwarded", &one), [200, 429, 429]);
    let network = ["for=\"[2001:db8::1]\"", "for=\"[2001:db8::2]:4711\""];
    assert_eq!(ask(&server, "forwarded", &network), [200, 429]);
    let invented = ["198.51.100.1", "198.51.100.2"];
    assert_eq!(ask(&server, "x-forwarded-for", &invented), [200, 429]);
}

#[test]
fn metrics_with_an_address_of_their_own_are_not_public() {
    let server = TestServer::configured(|config| {
        config.metrics_listen = Some(SocketAddr::from(([127, 0, 0, 1], 0)));
    });
    let mut public = server.stranger();
    assert_eq!(public.get("/metrics").status, 404);
    assert_eq!((public.get("/healthz").status, public.get("/readyz").status), (200, 200));
    let address = server.running().metrics_address().expect("an address");
    let mut private = server.stranger();
    private.server = format!("http://{address}");
    let metrics = private.get("/metrics");
    assert!(metrics.status == 200 && metrics.text.contains("khet_"), "{}", metrics.text);
    assert_eq!(private.get("/readyz").status, 200);
    for path in ["/", "/api/setups", "/api/me", "/api/live"] {
        assert_eq!(private.get(path).status, 404, "{path}");
    }
}

#[test]
fn browsers_are_told_to_stay_with_https_if_the_origin_is() {
    let name = "strict-transport-security";
    for (origin, expected) in
        [(None, ""), (Some("http://khet"), ""), (Some("https://khet"), "max-age=31536000")]
    {
        let server = TestServer::configured(|config| config.origin = origin.map(str::to_owned));
        for path in ["/", "/api/setups", "/healthz", "/no-such-page"] {
            assert_eq!(server.stranger().get(path).header(name), expected, "{origin:?} {path}");
        }
    }
}
