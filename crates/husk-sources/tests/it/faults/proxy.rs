use std::io;
use std::sync::Arc;

use husk::Url;
use husk_sources::{Blocking, Http, HttpOptions, LoadError, ProxyChoice, Source};

use super::run::{options, run_with, says, typed};
use super::server::Server;
use super::site::KEY_PAGE;

/// The web behind a proxy that resolves all names; only those of private networks resolve here.
fn web(proxy: Url) -> Blocking<Http> {
    let options = HttpOptions {
        proxy: ProxyChoice::Url(proxy),
        reach: typed("club.example"),
        ..options()
    };
    let lookup = |host: &str| match host {
        "inside.example" => Ok(vec![([10, 0, 0, 1], 0).into()]),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    Blocking::new(Http::with_lookup(options, Arc::new(lookup)).unwrap()).unwrap()
}

#[test]
fn a_proxy_brings_the_pages() {
    let proxy = Server::lines(|asked, line| async move {
        let path = asked
            .target
            .strip_prefix("http://club.example")
            .unwrap_or_default();
        line.answer_well(path).await
    });
    let key_page = Url::parse(&format!("http://club.example{KEY_PAGE}")).unwrap();
    run_with(&mut web(proxy.url("/")), &key_page).lost_nothing();
    assert!(proxy.times(key_page.as_str()) == 1, "{:?}", proxy.targets());
}

#[test]
fn a_proxy_that_refuses_is_an_error() {
    let proxy = Server::lines(|_, line| async move { line.answer("403 Forbidden", &[], b"").await });
    let page = Url::parse("https://club.example/").unwrap();
    let error = web(proxy.url("/")).load(&page).unwrap_err().to_string();
    says(
        &error,
        &["cannot load https://club.example/", "the proxy does not connect"],
    );
    assert_eq!(proxy.targets()[0], "club.example:443");
}

#[test]
fn a_proxy_is_not_asked_for_private_addresses() {
    let proxy = Server::lines(|asked, line| async move { line.answer_well(&asked.target).await });
    for address in ["http://10.0.0.1/", "http://[::1]/", "http://inside.example/"] {
        let error = web(proxy.url("/"))
            .load(&Url::parse(address).unwrap())
            .unwrap_err();
        assert!(matches!(error, LoadError::Private { .. }), "{error}");
    }
    assert_eq!(proxy.connected(), 0);
}

#[test]
fn a_proxy_that_is_not_there_is_an_error() {
    // The port of a service of 1988, without a listener.
    let gone = Url::parse("http://127.0.0.1:1/").unwrap();
    let page = Url::parse("http://club.example/").unwrap();
    says(
        &web(gone).load(&page).unwrap_err().to_string(),
        &["http://club.example/", "refused"],
    );
}
