//! How a browser renders pages.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use husk::dom::name;
use husk::{Navigation, NavigationKind, Options, Page, SameSite};
use husk_sources::{AsyncSource, Blocking, Capture, Http, Recorder, RenderOptions, Source, run_session};

use super::server::{Web, answer, page};
use super::{browser, options};

/// A site whose pages are only a script, which builds menu and text.
fn scripted_site() -> Web {
    let shell = page(
        "<!DOCTYPE html><html><head><title>Tea</title></head><body><div id=root></div><script src=/app.js></script></body></html>",
    );
    let script = r#"
        const sections = ["Black tea", "Green tea", "White tea", "Oolong", "Teapots"];
        const address = section => "/" + section.toLowerCase().replace(" ", "-");
        const make = (name, ...inside) => {
            const element = document.createElement(name);
            element.append(...inside);
            return element;
        };
        const link = section => {
            const element = make("a", section);
            element.href = address(section);
            return make("li", element);
        };
        setTimeout(() => fetch("/texts.json").then(answer => answer.json()).then(texts => {
            const section = sections.find(section => address(section) === location.pathname) ?? "Home";
            const text = texts[section] ?? "Everything about tea, from leaf to cup.";
            document.title = section;
            document.getElementById("root").append(
                make("nav", make("ul", ...sections.map(link))),
                make("main", make("h1", section), make("p", text)),
                make("footer", "Poured with care since 1994"),
            );
        }), 200);
    "#;
    let texts = r#"{"Black tea": "Withered, rolled and oxidised to the very end.", "Green tea": "Heated soon, so that it stays green.",
        "White tea": "Young buds, dried and left alone.", "Oolong": "Somewhere between black and green.",
        "Teapots": "Clay keeps the warmth, glass shows the leaves."}"#;
    let pages = [
        "/",
        "/black-tea",
        "/green-tea",
        "/white-tea",
        "/oolong",
        "/teapots",
    ];
    let mut answers: Vec<_> = pages.iter().map(|&path| (path, shell.clone())).collect();
    answers.push((
        "/app.js",
        answer("200 OK", "Content-Type: text/javascript", script),
    ));
    answers.push((
        "/texts.json",
        answer("200 OK", "Content-Type: application/json", texts),
    ));
    Web::start(answers)
}

fn links(page: &Page) -> usize {
    page.dom
        .nodes()
        .filter(|&node| page.dom.is_element(node, &name!("a")))
        .count()
}

#[test]
fn a_menu_that_scripts_build_is_found() {
    let site = scripted_site();
    let Some(mut browser) = browser(options()) else {
        return;
    };
    let key_page = browser.load(&site.url("/green-tea")).unwrap();
    assert_eq!(links(&key_page), 5);
    let extraction = run_session(key_page, Options::default(), &mut browser, |_| ());
    assert!(extraction.compared.len() >= 3, "{:?}", extraction.visits);
    let navigation = Navigation::of(&extraction);
    let menu = navigation
        .blocks
        .iter()
        .find(|block| block.kind == NavigationKind::Main)
        .expect("there is a menu");
    assert_eq!(menu.entries.len(), 5);
    let template = husk::output::to_html(&extraction, &husk::output::OutputOptions::default());
    assert!(
        template.contains("Poured with care") && template.contains("Oolong"),
        "{template}"
    );
    assert!(!template.contains("Heated soon"), "{template}");
}

#[test]
fn without_a_browser_there_is_nothing_to_find() {
    let site = scripted_site();
    let mut http = Blocking::new(Http::new(options().http).unwrap()).unwrap();
    let page = http.load(&site.url("/green-tea")).unwrap();
    assert_eq!(links(&page), 0);
    assert!(husk::needs_rendering(&page).is_some());
}

const SHADOWS: &str = r#"<!DOCTYPE html><title>Shadows</title>
    <open-menu><a href=/slotted>Slotted</a><b slot=named>Named</b></open-menu><closed-menu></closed-menu>
    <script>
        const define = (name, mode, html) => customElements.define(name, class extends HTMLElement {
            constructor() { super(); this.attachShadow({ mode }).innerHTML = html; }
        });
        define("open-menu", "open", "<style>a { color: red }</style><nav><slot name=named></slot><a href=/open>Open</a><slot></slot></nav>");
        define("closed-menu", "closed", "<nav><a href=/closed>Closed</a></nav>");
    </script>"#;

const FRAMED: &str = r#"<!DOCTYPE html><title>Frames</title><p>Outside</p>
    <iframe src=/inner/frame></iframe><iframe srcdoc="<p>Written here"></iframe><iframe src=/inner/frame sandbox></iframe>
    <my-box></my-box>
    <script>
        document.querySelector("my-box").attachShadow({ mode: "open" }).innerHTML = "<p>In a shadow</p>";
    </script>"#;

fn flattening_site() -> Web {
    Web::start([
        ("/shadows", page(SHADOWS)),
        ("/framed", page(FRAMED)),
        (
            "/inner/frame",
            page("<title>Inner</title><p>Inside <a href=next>next</a><iframe src=deep></iframe>"),
        ),
        ("/inner/deep", page("<p>Deeper <a href=far>far</a>")),
        (
            "/frameset",
            page(
                "<title>Old</title><frameset cols=1,2><frame src=/inner/deep><frame src=/inner/deep></frameset>",
            ),
        ),
    ])
}

#[test]
fn shadow_trees_and_frames_are_left_as_they_are() {
    let site = flattening_site();
    let Some(mut browser) = browser(options()) else {
        return;
    };
    let html = browser.html(&site.url("/shadows"));
    assert!(html.starts_with("<!DOCTYPE html><html>"), "{html}");
    assert!(
        html.contains("<open-menu><a href=\"/slotted\">Slotted</a>"),
        "{html}"
    );
    assert!(html.contains("<closed-menu></closed-menu>"), "{html}");
    let html = browser.html(&site.url("/framed"));
    assert!(html.contains("<iframe src=\"/inner/frame\"></iframe>"), "{html}");
    assert!(!html.contains("Inside"), "{html}");
}

#[test]
fn shadow_trees_are_flattened_open_or_closed() {
    let site = flattening_site();
    let flat = RenderOptions {
        flatten_shadow: true,
        ..options()
    };
    let Some(mut browser) = browser(flat) else { return };
    let html = browser.html(&site.url("/shadows"));
    let menu = "<open-menu><nav><b slot=\"named\">Named</b><a href=\"/open\">Open</a><a href=\"/slotted\">Slotted</a></nav></open-menu>";
    assert!(html.contains(menu), "{html}");
    assert!(
        html.contains("<closed-menu><nav><a href=\"/closed\">Closed</a></nav></closed-menu>"),
        "{html}"
    );
    assert!(html.starts_with("<!DOCTYPE html><html>"), "{html}");
    let html = browser.html(&site.url("/framed"));
    assert!(
        html.contains("<iframe src=\"/inner/frame\"></iframe>") && html.contains("In a shadow"),
        "{html}"
    );
    assert!(!html.contains("Inside"), "{html}");
}

/// Frames in place, with and without shadow trees.
fn check_frames(flatten_shadow: bool) {
    let site = flattening_site();
    let flat = RenderOptions {
        flatten_frames: true,
        flatten_shadow,
        ..options()
    };
    let Some(mut browser) = browser(flat) else { return };
    let html = browser.html(&site.url("/framed"));
    let (frame, next, far) = (
        site.url("/inner/frame"),
        site.url("/inner/next"),
        site.url("/inner/far"),
    );
    assert!(
        html.contains(&format!(
            "<div data-husk-frame=\"{frame}\"><p>Inside <a href=\"{next}\">next</a>"
        )),
        "{html}"
    );
    assert!(
        html.contains(&format!("<p>Deeper <a href=\"{far}\">far</a>")),
        "{html}"
    );
    assert!(
        html.contains("<div data-husk-frame=\"about:srcdoc\"><p>Written here</p></div>"),
        "{html}"
    );
    assert!(
        html.contains("<iframe src=\"/inner/frame\" sandbox=\"\"></iframe>"),
        "{html}"
    );
    assert_eq!(
        html.contains("<my-box><p>In a shadow</p>"),
        flatten_shadow,
        "{html}"
    );
    let html = browser.html(&site.url("/frameset"));
    assert_eq!(html.matches("Deeper").count(), 2, "{html}");
    let page = Page::parse(site.url("/frameset"), &html);
    assert_eq!(links(&page), 2, "{html}");
}

#[test]
fn frames_of_the_same_origin_are_put_in_place() {
    check_frames(false);
}

#[test]
fn frames_and_shadow_trees_are_flattened_together() {
    check_frames(true);
}

/// Collects the responses.
#[derive(Default)]
struct Notes(Vec<(String, u16, Option<String>)>);

impl Recorder for Notes {
    fn captured(&mut self, capture: &Capture) {
        let place = capture.header("location").map(str::to_owned);
        self.0
            .push((capture.url.path().to_owned(), capture.status, place));
    }
}

fn moving_site() -> Web {
    let goes_to = |place: &str| page(&format!("<p>Wait<script>location.href = '{place}'</script>"));
    Web::start([
        ("/robots.txt", answer("404 Not Found", "", "")),
        ("/server", answer("302 Found", "Location: /script", "")),
        ("/script", goes_to("/meta#part")),
        (
            "/meta",
            page("<meta http-equiv=refresh content='1; url=/end'><p>Wait"),
        ),
        (
            "/end",
            page("<p>There<script>history.replaceState(null, '', '/made-up')</script>"),
        ),
        ("/circle", goes_to("/circle")),
        ("/leaves", goes_to("http://site.test/")),
        (
            "/sent-away",
            answer("301 Moved Permanently", "Location: http://site.test/", ""),
        ),
    ])
}

#[test]
fn redirects_are_followed_whoever_makes_them() {
    let site = moving_site();
    let Some(mut browser) = browser(options()) else {
        return;
    };
    let notes = Arc::new(Mutex::new(Notes::default()));
    browser.rendered.record(notes.clone());
    let page = browser.load(&site.url("/server")).unwrap();
    assert_eq!(
        page.url,
        site.url("/end"),
        "the address of the document, not what a script makes of it"
    );
    assert!(page.dom.text_of(page.dom.root()).contains("There"));
    let told = |path: &str, status, place: Option<String>| (path.to_owned(), status, place);
    assert_eq!(
        notes.lock().unwrap().0,
        [
            told("/robots.txt", 404, None),
            told("/server", 302, Some("/script".to_owned())),
            told("/script", 302, Some(site.url("/meta").to_string())),
            told("/meta", 302, Some(site.url("/end").to_string())),
            told("/end", 200, None),
        ]
    );
}

#[test]
fn a_site_is_not_left_and_circles_end() {
    let site = moving_site();
    let Some(mut browser) = browser(options()) else {
        return;
    };
    browser.rendered.stay_on(&site.url("/"), SameSite::Host);
    let page = browser.load(&site.url("/leaves")).unwrap();
    assert_eq!(page.url, site.url("/leaves"), "held back where it is");
    let error = browser.error(&site.url("/sent-away"));
    assert!(
        error.ends_with("leads to another site, http://site.test/"),
        "{error}"
    );
    let page = browser.load(&site.url("/circle")).unwrap();
    assert_eq!(page.url, site.url("/circle"));
}

#[test]
fn letters_arrive_as_they_are() {
    let latin = answer(
        "200 OK",
        "Content-Type: text/html; charset=iso-8859-1",
        b"<p>caf\xE9 & more".to_vec(),
    );
    let site = Web::start([
        ("/latin", latin),
        (
            "/halves",
            page("<p id=p>x</p><script>p.textContent = 'a\\ud800b😀'; alert('\\udc00')</script>"),
        ),
    ]);
    for flatten_shadow in [false, true] {
        let Some(mut browser) = browser(RenderOptions {
            flatten_shadow,
            ..options()
        }) else {
            return;
        };
        assert!(browser.html(&site.url("/latin")).contains("café &amp; more"));
        assert!(browser.html(&site.url("/halves")).contains("a\u{fffd}b😀"));
    }
}

#[test]
fn names_in_a_page_hide_nothing() {
    let names = "<img name=contentType><img name=documentElement><img name=implementation><form name=doctype></form>\
                 <img name=body><img name=URL><p id=husk>Here</p><form action=a><input name=hasAttribute></form>";
    let outer = format!("<!DOCTYPE html>{names}<iframe src=/inner></iframe>");
    let site = Web::start([
        ("/", page(&outer)),
        ("/inner", page(&format!("{names}<p>Inside"))),
    ]);
    for flatten_frames in [false, true] {
        let Some(mut browser) = browser(RenderOptions {
            flatten_frames,
            ..options()
        }) else {
            return;
        };
        let html = browser.html(&site.url("/"));
        assert!(html.starts_with("<!DOCTYPE html><html>"), "{html}");
        assert!(html.contains("Here"), "{html}");
        assert_eq!(html.contains("Inside"), flatten_frames, "{html}");
    }
}

#[test]
fn rules_of_the_site_are_kept_and_cookies_last() {
    let site = Web::start([
        (
            "/robots.txt",
            answer(
                "200 OK",
                "Content-Type: text/plain",
                "User-agent: husk\nDisallow: /private",
            ),
        ),
        (
            "/",
            page("<p>Hello<script>document.cookie = 'a=1; path=/'</script>"),
        ),
        ("/again", page("<p>RetryBudget")),
        ("/busy", answer("503 Service Unavailable", "Retry-After: 0", "")),
        ("/busy", page("<p>At last")),
        ("/hides", page("<p>Here<script>location = '/private/b'</script>")),
    ]);
    let Some(mut browser) = browser(options()) else {
        return;
    };
    browser.html(&site.url("/"));
    browser.html(&site.url("/again"));
    let log = site.log();
    let page_requests: Vec<_> = log
        .iter()
        .filter(|request| request.contains("Mozilla/5.0"))
        .collect();
    assert!(
        page_requests.iter().all(|request| request.contains(" husk/")),
        "{log:?}"
    );
    let again = log
        .iter()
        .find(|request| request.starts_with("GET /again"))
        .unwrap();
    assert!(
        again.contains("a=1") && !again.to_lowercase().contains("proxy-"),
        "{again}"
    );
    let error = browser.error(&site.url("/private/a"));
    assert!(error.contains("is disallowed by"), "{error}");
    assert!(browser.html(&site.url("/hides")).contains("Here"));
    assert!(!site.was_asked("/private/a") && !site.was_asked("/private/b"));
    assert!(browser.html(&site.url("/busy")).contains("At last"));
}

#[test]
fn a_server_that_stays_busy_is_asked_once_for_other_pages() {
    let busy = || answer("503 Service Unavailable", "Retry-After: 0", "");
    let site = Web::start([("/a", busy()), ("/b", busy())]);
    let Some(mut browser) = browser(options()) else {
        return;
    };
    for path in ["/a", "/b"] {
        let error = browser.error(&site.url(path));
        assert!(error.contains("503 Service Unavailable"), "{error}");
    }
    let times = |path: &str| {
        let log = site.log();
        let asked = log
            .iter()
            .filter(|request| request.starts_with(&format!("GET {path} ")));
        asked.count()
    };
    assert!(times("/a") > 1, "{:?}", site.log());
    assert_eq!(times("/b"), 1, "{:?}", site.log());
}

#[test]
fn pages_are_loaded_no_faster_than_is_polite() {
    let site = Web::start([("/a", page("<p>A")), ("/b", page("<p>B"))]);
    let mut slow = options();
    slow.http.delay = Duration::from_secs(3);
    let Some(mut browser) = browser(slow) else { return };
    browser.html(&site.url("/a"));
    browser.html(&site.url("/b"));
    let between = site.asked_at("/b").unwrap() - site.asked_at("/a").unwrap();
    // Servers see requests a little later than they are allowed.
    assert!(between > Duration::from_millis(2500), "{between:?}");
}
