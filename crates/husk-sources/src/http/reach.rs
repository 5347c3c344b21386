//! Decides which IP addresses may be connected to.
//!
//! Links and redirects of a page must not lead into the internal network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::options::{Private, Reach};

impl Reach {
    /// Whether an IP address of a host may be connected to.
    pub(super) fn allows(&self, host: &str, ip: IpAddr) -> bool {
        match self.private {
            Private::Everywhere => true,
            Private::TypedHosts if self.is_typed(host) => true,
            Private::TypedHosts | Private::Never => is_public(ip),
        }
    }

    /// Whether the user named the host.
    pub(super) fn is_typed(&self, host: &str) -> bool {
        let host = plain(host);
        self.typed_hosts.iter().any(|typed| plain(typed) == host)
    }
}

/// A host for comparison: without the brackets of IPv6 and a trailing dot, in lower case.
pub(super) fn plain(host: &str) -> String {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.trim_end_matches('.').to_ascii_lowercase()
}

/// Whether an IP address is on the public internet.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

/// By the registry of special addresses: <https://www.iana.org/assignments/iana-ipv4-special-registry/>. The metadata
/// services of clouds are link-local (169.254.169.254) or shared (100.100.100.200), except one.
fn is_public_v4(ip: Ipv4Addr) -> bool {
    let is_special = match ip.octets() {
        // This network; private; loopback; multicast, reserved and broadcast.
        [0 | 10 | 127 | 224..=255, ..] => true,
        // Carrier-grade NAT.
        [100, 64..=127, ..] => true,
        [169, 254, ..] => true,
        [172, 16..=31, ..] => true,
        // Protocol assignments and the first documentation block; relays of 6to4; AS112.
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [192, 31, 196, _] | [192, 52, 193, _] | [192, 175, 48, _] => {
            true
        }
        [192, 168, ..] => true,
        // Benchmarks.
        [198, 18 | 19, ..] => true,
        // Documentation.
        [198, 51, 100, _] | [203, 0, 113, _] => true,
        // A metadata service with a public address.
        [168, 63, 129, 16] => true,
        _ => false,
    };
    !is_special
}

/// Only 2000::/3 is public, apart from some special blocks. Addresses that embed an IPv4 address are as public as that one.
fn is_public_v6(ip: Ipv6Addr) -> bool {
    let segments = ip.segments();
    match segments {
        // NAT64: the last 32 bits are an IPv4 address.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => is_public_v4(v4(high, low)),
        // IPv4-mapped, which systems connect to by IPv4.
        [0, 0, 0, 0, 0, 0xffff, high, low] => is_public_v4(v4(high, low)),
        // 6to4.
        [0x2002, high, low, ..] => is_public_v4(v4(high, low)),
        // Protocol assignments, Teredo and ORCHID among them; documentation.
        [0x2001, 0..=0x01ff, ..] | [0x2001, 0x0db8, ..] | [0x3fff, 0..=0x0fff, ..] => false,
        // AS112.
        [0x2620, 0x004f, 0x8000, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

fn v4(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from((u32::from(high) << 16) | u32::from(low))
}

#[cfg(test)]
mod tests {
    use husk::Url;

    use super::*;

    fn check(ip: &str, expect: bool) {
        assert_eq!(is_public(ip.parse().unwrap()), expect, "{ip}");
    }

    #[test]
    fn the_public_internet() {
        for ip in [
            "1.1.1.1",
            "93.184.216.34",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.255.255",
            "172.32.0.1",
            "192.167.1.1",
            "198.17.0.1",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450:4001::1",
            "64:ff9b::1.1.1.1",
            "2002:101:101::1",
            "::ffff:1.1.1.1",
        ] {
            check(ip, true);
        }
    }

    #[test]
    fn everything_else() {
        for ip in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
        ] {
            check(ip, false);
            check(&format!("::ffff:{ip}"), false);
            check(&format!("::{ip}"), false);
            check(&format!("64:ff9b::{ip}"), false);
            let ip: Ipv4Addr = ip.parse().unwrap();
            let [a, b, c, d] = ip.octets();
            check(&format!("2002:{a:02x}{b:02x}:{c:02x}{d:02x}::1"), false);
        }
        for ip in [
            "::",
            "::1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:2::1",
            "2001:db8::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            check(ip, false);
        }
    }

    #[test]
    fn odd_spellings_are_the_same_address() {
        for address in [
            "http://0x7f.1/",
            "http://2130706433/",
            "http://017700000001/",
            "http://127.1/",
            "http://127.0.0.1./",
            "http://%31%32%37.0.0.1/",
            "http://①②⑦.0.0.1/",
        ] {
            let url = Url::parse(address).unwrap();
            assert_eq!(url.host_str(), Some("127.0.0.1"), "{address}");
        }
    }

    #[test]
    fn typed_hosts_may_be_anywhere() {
        let mut reach = Reach {
            typed_hosts: vec!["LocalHost.".to_owned(), "::1".to_owned()],
            ..Reach::default()
        };
        let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
        assert!(reach.allows("localhost", loopback));
        assert!(reach.allows("[::1]", IpAddr::V6(Ipv6Addr::LOCALHOST)));
        assert!(!reach.allows("127.0.0.1", loopback), "nobody typed that");
        assert!(!reach.allows("sub.localhost", loopback));
        assert!(reach.allows("example.org", "1.1.1.1".parse().unwrap()));
        reach.private = Private::Never;
        assert!(!reach.allows("localhost", loopback));
        reach.private = Private::Everywhere;
        assert!(reach.allows("example.org", loopback));
    }
}
