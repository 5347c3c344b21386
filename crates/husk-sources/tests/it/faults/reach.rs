use axum::Router;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::routing::get;
use husk::Url;
use husk_sources::{HttpOptions, LoadError, Private, Reach};

use super::run::{load, options, refusal, run_from, says, typed};
use super::server::Server;
use super::site::{self, KEY_PAGE};

/// A server that must never get a request, at an address that was not typed.
fn hidden() -> Server {
    Server::app_at([127, 0, 0, 2].into(), Router::new().fallback(site::serve))
}

/// A site whose key page redirects.
fn leading(target: String) -> Server {
    let redirect = move || async move { (StatusCode::FOUND, [(LOCATION, target)]) };
    Server::app(Router::new().route(KEY_PAGE, get(redirect)).fallback(site::serve))
}

fn private(private: Private) -> HttpOptions {
    HttpOptions {
        reach: Reach {
            private,
            ..typed("127.0.0.1")
        },
        ..options()
    }
}

#[track_caller]
fn is_private(url: &Url, options: HttpOptions) -> String {
    let error = load(url, options).unwrap_err();
    assert!(matches!(error, LoadError::Private { .. }), "{error}");
    error.to_string()
}

#[test]
fn a_redirect_to_another_private_address_is_not_followed() {
    let hidden = hidden();
    let server = leading(hidden.url(KEY_PAGE).into());
    let error = is_private(&server.url(KEY_PAGE), options());
    says(
        &error,
        &["127.0.0.2", "not on the public internet", "--allow-private"],
    );
    assert_eq!(hidden.connected(), 0);
}

#[test]
fn no_way_to_write_a_private_address_is_followed() {
    for target in [
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://192.168.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/latest/meta-data/",
        "http://100.64.0.1/",
        "http://0.0.0.0/",
        "http://0/",
        "http://[::]/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.2]/",
        "http://[::ffff:7f00:2]/",
        "http://[64:ff9b::7f00:2]/",
        "http://[2002:7f00:2::]/",
        "http://[fe80::1]/",
        "http://2130706434/",
        "http://0x7f.2/",
        "http://0177.0.0.2/",
        "http://127.2/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://any.localhost/",
        "//127.0.0.2/",
        "\\\\127.0.0.2\\",
        "http://127.0.0.2%2f/",
        "http://user@127.0.0.2/",
        "http://127.0.0.1@127.0.0.2/",
        "http://127。0。0。2/",
    ] {
        let server = leading(target.to_owned());
        let error = load(&server.url(KEY_PAGE), options()).unwrap_err();
        // Not every system resolves all its own names.
        let is_unknown =
            target.to_ascii_lowercase().contains("localhost") && error.to_string().contains("no such host");
        assert!(
            is_unknown || matches!(error, LoadError::Private { .. } | LoadError::Redirect { .. }),
            "{target}: {error}"
        );
    }
}

#[test]
fn the_name_localhost_is_private_too() {
    let server = Server::app(Router::new().fallback(site::serve));
    is_private(&server.url_by("localhost", KEY_PAGE), options());
    let by_name = HttpOptions {
        reach: typed("localhost"),
        ..options()
    };
    run_from(&server.url_by("localhost", KEY_PAGE), by_name).lost_nothing();
}

#[test]
fn a_typed_host_is_that_host_only() {
    let server = Server::app(Router::new().fallback(site::serve));
    let by_name = HttpOptions {
        reach: typed("localhost"),
        ..options()
    };
    is_private(&server.url(KEY_PAGE), by_name.clone());
    load(&server.url_by("evil.localhost", KEY_PAGE), by_name.clone()).unwrap_err();
    assert_eq!(server.connected(), 0);
    load(&server.url_by("LocalHost", KEY_PAGE), by_name).unwrap();
}

#[test]
fn who_is_told_never_refuses_typed_hosts_too() {
    let server = Server::app(Router::new().fallback(site::serve));
    let error = is_private(&server.url(KEY_PAGE), private(Private::Never));
    says(&error, &["127.0.0.1"]);
    is_private(&server.url_by("localhost", KEY_PAGE), private(Private::Never));
    assert_eq!(server.connected(), 0);
}

#[test]
fn who_is_told_everywhere_goes_everywhere() {
    let hidden = hidden();
    let server = leading(hidden.url(KEY_PAGE).into());
    let run = run_from(&server.url(KEY_PAGE), private(Private::Everywhere));
    assert_eq!(run.extraction.key_page.url, hidden.url(KEY_PAGE));
    run.lost_nothing();
}

#[test]
fn robots_txt_does_not_lead_into_private_networks() {
    let hidden = hidden();
    let target = hidden.url("/robots.txt").to_string();
    let redirect = move || async move { (StatusCode::FOUND, [(LOCATION, target)]) };
    let server = Server::app(
        Router::new()
            .route("/robots.txt", get(redirect))
            .fallback(site::serve),
    );
    says(
        &refusal(&server.url(KEY_PAGE), options()),
        &[KEY_PAGE, "robots.txt"],
    );
    assert_eq!(hidden.connected(), 0);
}

#[test]
fn what_is_kept_from_a_private_network_is_not_shown_to_who_must_not_see_it() {
    let cache = tempfile::tempdir().unwrap();
    let with_cache = |options| HttpOptions {
        cache: Some(cache.path().to_owned()),
        ..options
    };
    let hidden = hidden();
    let server = leading(hidden.url(KEY_PAGE).into());
    load(&server.url(KEY_PAGE), with_cache(private(Private::Everywhere))).unwrap();
    is_private(&server.url(KEY_PAGE), with_cache(options()));
    is_private(&server.url(KEY_PAGE), with_cache(private(Private::Never)));
    load(&server.url(KEY_PAGE), with_cache(private(Private::Everywhere))).unwrap();
    assert_eq!(hidden.times(KEY_PAGE), 1);
}
