use axum::body::Body;
use axum::http::{Request, header};
use husk_server::{Settings, router};

use crate::app::{Answer, App, JSON, post, request};
use crate::site::given;

fn with(mut request: Request<Body>, name: &'static str, value: &str) -> Request<Body> {
    request.headers_mut().insert(name, value.parse().unwrap());
    request
}

fn secret() -> App {
    let mut settings = Settings::default();
    settings.token = Some("open sesame".to_owned());
    App::new(settings)
}

#[tokio::test]
async fn who_does_not_know_the_token_is_sent_away() {
    let app = secret();
    for (method, path) in [
        ("POST", "/v1/template"),
        ("POST", "/v1/results"),
        ("GET", "/v1/results/some"),
        ("DELETE", "/v1/results/some"),
        ("GET", "/v1/results/some/inspect-page"),
        ("GET", "/v1/sites"),
        ("DELETE", "/v1/sites/some"),
        ("GET", "/v1/nothing"),
        ("GET", "/metrics"),
    ] {
        for said in [
            "",
            "Bearer",
            "Bearer ",
            "Bearer open",
            "Bearer open sesame!",
            "Bearer Open Sesame",
            "Basic open sesame",
            "open sesame",
        ] {
            let answer = app.ask(with(request(method, path), "authorization", said)).await;
            answer.is_problem(401, "unauthorized", &["Authorization: Bearer"]);
            assert_eq!(answer.header(header::WWW_AUTHENTICATE), "Bearer", "{path} {said}");
        }
        app.ask(request(method, path))
            .await
            .is_problem(401, "unauthorized", &[]);
    }
}

#[tokio::test]
async fn who_knows_the_token_is_let_in() {
    for said in ["Bearer open sesame", "bearer open sesame", "Bearer  open sesame "] {
        let request = with(post("/v1/menu", JSON, &given()), "authorization", said);
        assert_eq!(secret().ask(request).await.status.as_u16(), 200, "{said}");
    }
}

#[tokio::test]
async fn what_tells_no_secrets_is_open() {
    for path in [
        "/",
        "/r/some",
        "/assets/app.js",
        "/v1/openapi.json",
        "/reference",
        "/healthz",
        "/readyz",
    ] {
        assert_eq!(secret().get(path).await.status.as_u16(), 200, "{path}");
    }
}

#[tokio::test]
async fn no_spelling_of_a_path_is_a_way_in() {
    for path in [
        "//v1/sites",
        "/V1/sites",
        "/%761/sites",
        "/v1%2fsites",
        "/./v1/sites",
        "/v1//sites",
        "/v1/sites/",
        "/v1/openapi.json/../sites",
        "/v1/openapi.json/",
    ] {
        let answer = secret().get(path).await;
        assert!(
            matches!(answer.status.as_u16(), 401 | 404),
            "{path}: {}",
            answer.text()
        );
    }
}

async fn preflight(app: &App, origin: &str) -> Answer {
    let asked = with(request("OPTIONS", "/v1/results"), "origin", origin);
    let asked = with(asked, "access-control-request-method", "POST");
    app.ask(with(
        asked,
        "access-control-request-headers",
        "content-type,authorization",
    ))
    .await
}

#[tokio::test]
async fn pages_of_others_may_not_ask() {
    let app = App::new(Settings::default());
    let answer = preflight(&app, "https://other.example").await;
    let answers = [
        answer,
        app.ask(with(
            post("/v1/menu", JSON, &given()),
            "origin",
            "https://other.example",
        ))
        .await,
    ];
    for answer in answers {
        let allowed = answer
            .headers
            .keys()
            .filter(|name| name.as_str().starts_with("access-control-allow"));
        assert_eq!(allowed.count(), 0, "{:?}", answer.headers);
    }
}

#[tokio::test]
async fn pages_of_named_origins_may_ask() {
    let mut settings = Settings::default();
    settings.cors_origins = vec!["https://friend.example".to_owned()];
    settings.token = Some("open sesame".to_owned());
    let app = App::new(settings);
    let answer = preflight(&app, "https://friend.example").await;
    assert_eq!(answer.status.as_u16(), 200, "no token is asked for yet");
    assert_eq!(
        answer.header("access-control-allow-origin"),
        "https://friend.example"
    );
    assert!(answer.header("access-control-allow-methods").contains("POST"));
    assert!(
        answer
            .header("access-control-allow-headers")
            .contains("authorization")
    );
    assert_eq!(answer.header("access-control-allow-credentials"), "");
    let asked = with(
        post("/v1/menu", JSON, &given()),
        "origin",
        "https://friend.example",
    );
    let answer = app.ask(with(asked, "authorization", "Bearer open sesame")).await;
    assert_eq!(answer.status.as_u16(), 200);
    assert_eq!(
        answer.header("access-control-allow-origin"),
        "https://friend.example"
    );
    let wrong = app
        .ask(with(
            request("GET", "/v1/sites"),
            "origin",
            "https://friend.example",
        ))
        .await;
    wrong.is_problem(401, "unauthorized", &[]);
    assert_eq!(
        wrong.header("access-control-allow-origin"),
        "https://friend.example",
        "or the page could not read why"
    );
    for other in [
        "https://other.example",
        "http://friend.example",
        "https://friend.example.evil.example",
        "null",
    ] {
        let answer = preflight(&app, other).await;
        assert_eq!(answer.header("access-control-allow-origin"), "", "{other}");
    }
}

#[test]
fn what_is_no_origin_is_named() {
    for origin in [
        "friend.example",
        "https://friend.example/",
        "https://friend.example/a",
        "*",
        "",
        "null",
        "https://é.example",
    ] {
        let mut settings = Settings::default();
        settings.cors_origins = vec![origin.to_owned()];
        let cause = router(settings).unwrap_err().to_string();
        assert!(
            cause.contains(&format!("{origin:?}")) && cause.contains("https://example.org"),
            "{cause}"
        );
    }
}

async fn called(app: &App, host: &str) -> u16 {
    app.ask(with(request("GET", "/healthz"), "host", host))
        .await
        .status
        .as_u16()
}

#[tokio::test]
async fn a_server_of_this_machine_has_the_names_of_this_machine() {
    let app = App::new(Settings::default());
    for host in [
        "localhost",
        "localhost:8090",
        "LocalHost.",
        "127.0.0.1",
        "127.0.0.1:1",
        "[::1]",
        "[::1]:8090",
    ] {
        assert_eq!(called(&app, host).await, 200, "{host}");
    }
    for host in [
        "evil.example",
        "localhost.evil.example",
        "evil.example:8090",
        "127.0.0.2",
        "127.0.0.1.evil.example",
        "evil.localhost",
        "192.168.0.1",
    ] {
        let answer = app.ask(with(request("GET", "/healthz"), "host", host)).await;
        answer.is_problem(421, "wrong-host", &["--name", host.split(':').next().unwrap()]);
    }
    let mut nameless = request("GET", "/healthz");
    nameless.headers_mut().remove(header::HOST);
    app.ask(nameless).await.is_problem(400, "bad-request", &["Host"]);
}

#[tokio::test]
async fn a_page_cannot_borrow_a_good_name() {
    let app = App::new(Settings::default());
    for host in [
        "localhost@evil.example",
        "evil.example#localhost",
        "evil.example/localhost",
        "evil.example?localhost",
        "localhost,evil.example",
        " ",
    ] {
        let status = called(&app, host).await;
        assert!(matches!(status, 400 | 421), "{host:?}: {status}");
    }
}

#[tokio::test]
async fn other_servers_have_the_names_that_they_are_given() {
    let mut settings = Settings::default();
    settings.names = vec!["Husk.example".to_owned()];
    let named = App::new(settings.clone());
    for (host, status) in [
        ("husk.example", 200),
        ("HUSK.example:80", 200),
        ("localhost", 200),
        ("evil.example", 421),
    ] {
        assert_eq!(called(&named, host).await, status, "{host}");
    }
    settings.address = "0.0.0.0:8090".parse().unwrap();
    assert_eq!(called(&App::new(settings.clone()), "evil.example").await, 421);
    settings.names.clear();
    assert_eq!(
        called(&App::new(settings), "any.example").await,
        200,
        "nobody said how it is called"
    );
}

#[tokio::test]
async fn browsers_are_told_to_take_care() {
    let app = App::new(Settings::default());
    let menu = app.post("/v1/menu", "text/html", &given()).await;
    assert!(menu.header(header::CONTENT_SECURITY_POLICY).contains("sandbox"));
    for part in ["template", "content", "inspect"] {
        let answer = app.post(&format!("/v1/{part}"), "text/html", &given()).await;
        let policy = answer.header(header::CONTENT_SECURITY_POLICY);
        assert!(
            policy.ends_with("sandbox") && policy.starts_with("default-src 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("script-src"), "{policy}");
    }
    let page = app.get("/").await;
    let policy = page.header(header::CONTENT_SECURITY_POLICY);
    assert!(
        policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    let mut ids = std::collections::BTreeSet::new();
    for answer in [
        menu,
        page,
        app.get("/nothing").await,
        app.get("/v1/openapi.json").await,
        app.get("/reference").await,
    ] {
        assert_eq!(answer.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert_eq!(answer.header(header::REFERRER_POLICY), "no-referrer");
        assert!(ids.insert(answer.header("x-request-id").to_owned()));
    }
    assert!(!ids.contains(""));
}

#[tokio::test]
async fn pages_of_other_websites_change_nothing() {
    let mut settings = Settings::default();
    settings.cors_origins = vec!["https://known.test".to_owned()];
    let app = App::new(settings);
    let refused: &[&[(&'static str, &str)]] = &[
        &[("origin", "https://evil.test")],
        &[("origin", "null")],
        &[("origin", "http://localhost:1234")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("origin", "https://evil.test"), ("sec-fetch-site", "same-origin")],
    ];
    let allowed: &[&[(&'static str, &str)]] = &[
        &[],
        &[("origin", "http://localhost")],
        &[("origin", "https://known.test"), ("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-origin")],
        &[("sec-fetch-site", "none")],
    ];
    for fields in refused {
        let ask = |request| {
            fields
                .iter()
                .fold(request, |request, (name, value)| with(request, name, value))
        };
        for request in [
            post("/v1/menu", JSON, &given()),
            request("DELETE", "/v1/sites/some"),
        ] {
            let answer = app.ask(ask(request)).await;
            answer.is_problem(403, "cross-origin", &["--cors"]);
        }
        assert_eq!(
            app.ask(ask(request("GET", "/v1/sites"))).await.status.as_u16(),
            200
        );
    }
    for fields in allowed {
        let request = post("/v1/menu", JSON, &given());
        let request = fields
            .iter()
            .fold(request, |request, (name, value)| with(request, name, value));
        assert_eq!(app.ask(request).await.status.as_u16(), 200, "{fields:?}");
    }
}

#[tokio::test]
async fn no_other_origin_embeds_a_response() {
    let app = App::new(Settings::default());
    for path in ["/", "/v1/sites", "/v1/nothing", "/healthz"] {
        let answer = app.get(path).await;
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            "same-origin",
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_request_has_one_host() {
    let mut request = request("GET", "/v1/sites");
    request
        .headers_mut()
        .append(header::HOST, "evil.test".parse().unwrap());
    let answer = App::new(Settings::default()).ask(request).await;
    answer.is_problem(400, "bad-request", &["several Host headers"]);
}
