//! Resolves host names: each once, and only to IP addresses that may be connected to.
//!
//! The first result is kept, so that a name cannot later resolve to the internal network (DNS rebinding).

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use husk::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::options::{ProxyChoice, Reach};
use super::reach::plain;
use crate::source::LoadError;

/// Resolves a host name. A port of zero stands for that of the page.
pub type Lookup = dyn Fn(&str) -> io::Result<Vec<SocketAddr>> + Send + Sync;

/// How long to resolve a name that a proxy will resolve again: behind a proxy, names often cannot be resolved.
const PROXIED_LOOKUP: Duration = Duration::from_secs(2);

/// Resolves host names, and keeps the results.
#[derive(Clone)]
pub(super) struct Resolver {
    reach: Reach,
    lookup: Arc<Lookup>,
    proxy: ProxyChoice,
    /// The hosts of proxies: the user named them, so they may be private.
    proxies: Vec<String>,
    pinned: Arc<Mutex<BTreeMap<String, Vec<SocketAddr>>>>,
}

impl Resolver {
    /// Whether the user named the host.
    pub(super) fn is_typed(&self, host: &str) -> bool {
        self.reach.is_typed(host)
    }

    pub(super) fn new(reach: Reach, lookup: Arc<Lookup>, proxy: ProxyChoice) -> Self {
        Self {
            reach,
            lookup,
            proxies: proxy.hosts(),
            proxy,
            pinned: Arc::default(),
        }
    }

    /// The same without the results: in a long-running server, hosts move, and there is no limit to them.
    pub(super) fn for_another_user(&self) -> Self {
        Self {
            pinned: Arc::default(),
            ..self.clone()
        }
    }

    /// Checks whether the host of a page may be connected to.
    pub(super) async fn admit(&self, url: &Url) -> Result<(), LoadError> {
        let Some(host) = url.host_str() else {
            return Err(network(url, "the URL has no host".to_owned()));
        };
        // The client does not resolve hosts that are IP addresses.
        if let Ok(ip) = plain(host).parse::<IpAddr>() {
            return self.check(url, host, ip);
        }
        if self.is_proxied(url) {
            return self.admit_to_proxy(url, host).await;
        }
        if self.pinned(host).is_some() {
            return Ok(());
        }
        let found = look_up(self.lookup.clone(), host.to_owned()).await;
        let found = found.map_err(|cause| no_address(url, unknown_host(host, &cause)))?;
        let (within, outside): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|address| self.reach.allows(host, address.ip()));
        match (within.is_empty(), outside.first()) {
            (true, Some(address)) => Err(private(url, address.ip())),
            (true, None) => Err(no_address(url, format!("no such host {host}"))),
            _ => {
                self.pin(host, within);
                Ok(())
            }
        }
    }

    /// A proxy resolves names itself, and may know some that cannot be resolved here. But those that are private here are rejected.
    async fn admit_to_proxy(&self, url: &Url, host: &str) -> Result<(), LoadError> {
        let found = timeout(PROXIED_LOOKUP, look_up(self.lookup.clone(), host.to_owned())).await;
        let Ok(Ok(found)) = found else { return Ok(()) };
        let is_within = |address: &SocketAddr| self.reach.allows(host, address.ip());
        match found.first() {
            Some(first) if !found.iter().any(is_within) => Err(private(url, first.ip())),
            _ => Ok(()),
        }
    }

    /// Checks the IP address of a server that answered.
    pub(super) fn check_answer(&self, url: &Url, ip: IpAddr) -> Result<(), LoadError> {
        self.check(url, url.host_str().unwrap_or_default(), ip)
    }

    /// Whether requests for a URL go through a proxy.
    pub(super) fn is_proxied(&self, url: &Url) -> bool {
        self.proxy.applies_to(url)
    }

    fn check(&self, url: &Url, host: &str, ip: IpAddr) -> Result<(), LoadError> {
        if self.reach.allows(host, ip) {
            Ok(())
        } else {
            Err(private(url, ip))
        }
    }

    pub(super) fn pinned(&self, host: &str) -> Option<Vec<SocketAddr>> {
        let pinned = self.pinned.lock().unwrap_or_else(PoisonError::into_inner);
        pinned.get(&plain(host)).cloned()
    }

    /// Keeps the IP addresses of a host, unless there are some already.
    fn pin(&self, host: &str, addresses: Vec<SocketAddr>) {
        let mut pinned = self.pinned.lock().unwrap_or_else(PoisonError::into_inner);
        pinned.entry(plain(host)).or_insert(addresses);
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let pinned = self.pinned(name.as_str());
        let lookup = self.lookup.clone();
        let is_proxy = self.proxies.contains(&plain(name.as_str()));
        Box::pin(async move {
            let addresses = match pinned {
                Some(addresses) => addresses,
                None if is_proxy => look_up(lookup, name.as_str().to_owned()).await?,
                // Hosts of pages were admitted before, unless only a proxy knows them.
                None => return Err("the host was not admitted".into()),
            };
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// Resolves on a thread of its own: the system may take long, and the runtime must not wait for it when it ends.
async fn look_up(lookup: Arc<Lookup>, host: String) -> io::Result<Vec<SocketAddr>> {
    // Never exists (RFC 6761), so no request is sent.
    if plain(&host).ends_with(".invalid") {
        return Err(io::ErrorKind::NotFound.into());
    }
    let (sender, answer) = oneshot::channel();
    thread::Builder::new()
        .name("husk-lookup".to_owned())
        .spawn(move || {
            // The receiver may be gone.
            let _ = sender.send(lookup(&host));
        })?;
    answer.await.unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
}

/// Asks the operating system.
pub(super) fn system_lookup(host: &str) -> io::Result<Vec<SocketAddr>> {
    Ok((host, 0).to_socket_addrs()?.collect())
}

fn unknown_host(host: &str, cause: &io::Error) -> String {
    if cause.to_string().contains("emporary") {
        format!("{host} cannot be resolved: the name server does not respond, check the network")
    } else {
        format!("no such host {host}")
    }
}

fn network(url: &Url, cause: String) -> LoadError {
    LoadError::Network {
        object: url.to_string(),
        cause,
    }
}

fn no_address(url: &Url, cause: String) -> LoadError {
    LoadError::UnknownHost {
        object: url.to_string(),
        cause,
    }
}

fn private(url: &Url, ip: IpAddr) -> LoadError {
    LoadError::Private {
        object: url.to_string(),
        address: ip.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::http::options::Private;

    fn address(ip: &str) -> SocketAddr {
        SocketAddr::new(ip.parse().unwrap(), 0)
    }

    fn resolver(answers: &'static [&'static [&'static str]]) -> Resolver {
        let calls = AtomicUsize::new(0);
        let lookup = move |_: &str| {
            let call = calls.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
            Ok(answers[call].iter().map(|ip| address(ip)).collect())
        };
        Resolver::new(Reach::default(), Arc::new(lookup), ProxyChoice::None)
    }

    fn admit(resolver: &Resolver, url: &str) -> Result<(), String> {
        let url = Url::parse(url).unwrap();
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().build().unwrap();
        let admitted = runtime.block_on(resolver.admit(&url));
        admitted.map_err(|cause| cause.to_string())
    }

    fn connected_to(resolver: &Resolver, host: &str) -> Vec<String> {
        let found = pollster::block_on(resolver.resolve(host.parse().unwrap()));
        let found = found.map(|found| found.map(|address| address.ip().to_string()).collect());
        found.unwrap_or_default()
    }

    #[test]
    fn the_first_answer_stays() {
        let resolver = resolver(&[&["93.184.216.34"], &["127.0.0.1"]]);
        for _ in 0..3 {
            admit(&resolver, "http://example.org/").unwrap();
            assert_eq!(connected_to(&resolver, "example.org"), ["93.184.216.34"]);
        }
        assert_eq!(connected_to(&resolver, "EXAMPLE.org."), ["93.184.216.34"]);
    }

    #[test]
    fn private_addresses_are_left_out() {
        let resolver = resolver(&[&["10.0.0.1", "93.184.216.34", "::1"], &["10.0.0.1", "fe80::1"]]);
        admit(&resolver, "http://mixed.example.org/").unwrap();
        assert_eq!(connected_to(&resolver, "mixed.example.org"), ["93.184.216.34"]);
        let error = admit(&resolver, "http://inside.example.org/").unwrap_err();
        assert!(
            error.starts_with("http://inside.example.org/ leads to 10.0.0.1, which is not"),
            "{error}"
        );
        assert_eq!(connected_to(&resolver, "inside.example.org"), [""; 0]);
    }

    #[test]
    fn hosts_that_are_addresses_are_checked_too() {
        let mut resolver = resolver(&[&[]]);
        for url in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://[::1]:8080/",
            "http://[::ffff:7f00:1]/",
            "http://169.254.169.254/latest/meta-data/",
        ] {
            assert!(admit(&resolver, url).unwrap_err().contains("--allow-private"));
        }
        resolver.reach.typed_hosts = vec!["127.0.0.1".to_owned()];
        admit(&resolver, "http://2130706433:8080/").unwrap();
        resolver.reach.private = Private::Everywhere;
        admit(&resolver, "http://[::1]/").unwrap();
    }

    #[test]
    fn who_answers_is_checked_again() {
        let resolver = resolver(&[&[]]);
        let url = Url::parse("http://example.org/").unwrap();
        let (inside, outside) = (address("10.0.0.1").ip(), address("1.1.1.1").ip());
        assert!(resolver.check_answer(&url, outside).is_ok());
        assert!(resolver.check_answer(&url, inside).is_err());
    }

    #[test]
    fn hosts_that_do_not_exist_are_named() {
        let expect = "cannot load http://nowhere.invalid/: no such host nowhere.invalid";
        assert_eq!(
            admit(&resolver(&[&["1.1.1.1"]]), "http://nowhere.invalid/").unwrap_err(),
            expect
        );
        let gone = Resolver::new(
            Reach::default(),
            Arc::new(|_: &str| Err(io::ErrorKind::NotFound.into())),
            ProxyChoice::None,
        );
        let error = admit(&gone, "http://example.org/").unwrap_err();
        assert_eq!(error, "cannot load http://example.org/: no such host example.org");
    }

    #[test]
    fn a_proxy_is_reached_wherever_it_is() {
        let lookup = |host: &str| match host {
            "proxy.example.org" => Ok(vec![address("10.0.0.1")]),
            "inside.example.org" => Ok(vec![address("10.0.0.2")]),
            _ => Err(io::ErrorKind::NotFound.into()),
        };
        let proxy = ProxyChoice::Url(Url::parse("http://proxy.example.org:3128/").unwrap());
        let resolver = Resolver::new(Reach::default(), Arc::new(lookup), proxy);
        assert_eq!(connected_to(&resolver, "proxy.example.org"), ["10.0.0.1"]);
        admit(&resolver, "http://known-to-the-proxy.example.org/").unwrap();
        assert_eq!(
            connected_to(&resolver, "known-to-the-proxy.example.org"),
            [""; 0],
            "only by the proxy"
        );
        assert!(admit(&resolver, "http://10.0.0.2/").is_err());
        assert!(admit(&resolver, "http://inside.example.org/").is_err());
    }
}
