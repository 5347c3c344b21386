use serde_json::{Value, json};

use crate::app::{Answer, App, EVENTS, JSON, local};
use crate::listener::Listener;
use crate::site::FOOTER;

const LEARNED: &str = "husk-learned";

async fn ask(app: &App, asked: Value) -> Answer {
    let answer = app.post("/v1/content", "text/plain", &asked).await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
    answer
}

fn name_of(site: &Listener) -> String {
    format!("127.0.0.1:{}", site.port())
}

#[tokio::test]
async fn what_was_learned_is_used_until_it_is_forgotten() {
    let (site, app) = (Listener::site(), App::new(local()));
    let path = format!("/v1/sites/{}", name_of(&site));
    app.get(&path)
        .await
        .is_problem(404, "not-found", &[&name_of(&site)]);

    let first = ask(&app, json!({"url": site.url("/anna")})).await;
    assert_eq!(first.header(LEARNED), "", "nothing was known");
    let loaded = site.pages();
    assert!(loaded > 2, "{:?}", site.log());

    let known = app.get(&path).await.json();
    assert_eq!(known["site"], name_of(&site));
    assert!(
        known["layouts"].as_u64() >= Some(1) && known["pages"].as_u64() >= Some(3),
        "{known}"
    );
    let all = app.get("/v1/sites").await.json();
    assert_eq!(all[0]["site"], known["site"]);

    let second = ask(&app, json!({"url": site.url("/fred")})).await;
    assert!(
        second.header(LEARNED).starts_with("layout="),
        "{:?}",
        second.headers
    );
    assert_eq!(
        site.pages(),
        loaded + 1,
        "no sibling was loaded: {:?}",
        site.log()
    );
    let text = second.text();
    assert!(
        text.contains("done by fred alone") && !text.contains(FOOTER),
        "{text}"
    );

    let fresh = ask(&app, json!({"url": site.url("/fred"), "fresh": true})).await;
    assert_eq!(fresh.header(LEARNED), "");
    assert!(
        site.pages() > loaded + 2,
        "siblings were loaded: {:?}",
        site.log()
    );
    assert_eq!(fresh.text(), text, "learned or not, it is the same content");

    assert_eq!(app.delete(&path).await.status.as_u16(), 204);
    app.delete(&path).await.is_problem(404, "not-found", &[]);
    assert_eq!(app.get("/v1/sites").await.json(), json!([]));
    let before = site.pages();
    let anew = ask(&app, json!({"url": site.url("/fred")})).await;
    assert_eq!(anew.header(LEARNED), "");
    assert!(site.pages() > before + 1);
}

#[tokio::test]
async fn a_result_says_where_its_template_is_from() {
    let (site, app) = (Listener::site(), App::new(local()));
    ask(&app, json!({"url": site.url("/anna")})).await;
    let summary = app
        .post("/v1/results", JSON, &json!({"url": site.url("/bert")}))
        .await
        .json();
    let learned = &summary["learned"];
    assert_eq!(learned["site"], name_of(&site), "{summary}");
    assert!(learned["layout"].is_string() && learned["age_seconds"].is_u64());
    assert!(learned["pages"].as_u64() >= Some(3));
    assert_eq!(summary["compared"], json!([]));
    assert!(summary["template_support"].as_u64() >= Some(3), "{summary}");
    let path = format!("/v1/results/{}/template-page", summary["id"].as_str().unwrap());
    let template = app.get(&path).await.text();
    assert!(
        template.contains(FOOTER) && !template.contains("done by bert alone"),
        "{template}"
    );
    let events = app
        .post("/v1/menu", EVENTS, &json!({"url": site.url("/carl")}))
        .await
        .events();
    let names: Vec<&str> = events.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["started", "loaded", "writing", "result"]);
    assert_eq!(events[3].1["learned"]["site"], name_of(&site));
}

#[tokio::test]
async fn other_options_do_not_use_what_was_learned() {
    let (site, app) = (Listener::site(), App::new(local()));
    ask(&app, json!({"url": site.url("/anna")})).await;
    for options in [
        json!({"method": "paper"}),
        json!({"pages_to_compare": 2}),
        json!({"same_site": "domain"}),
    ] {
        let asked = json!({"url": site.url("/fred"), "options": options});
        let answer = app.post("/v1/content", JSON, &asked).await;
        assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
        assert_eq!(answer.header(LEARNED), "", "{options}");
    }
}

#[tokio::test]
async fn nobody_can_teach_the_server_about_the_sites_of_others() {
    let (site, app) = (Listener::site(), App::new(local()));
    let page = |name: &str| json!({"url": site.url(name), "html": crate::site::html(&name[1..])});
    let given = json!({"page": page("/anna"), "siblings": [page("/bert"), page("/carl"), page("/dora")]});
    ask(&app, given).await;
    assert_eq!(app.get("/v1/sites").await.json(), json!([]));
    assert_eq!(site.connections(), 0);
}

#[tokio::test]
async fn a_page_of_another_layout_is_compared() {
    let other = "<html><body><table><tr><td>Nothing like the others</td></tr></table><a href=/anna>A</a></body></html>";
    let site = Listener::new(move |path| match path {
        "/other" => crate::listener::page(other),
        _ => crate::listener::club(path),
    });
    let app = App::new(local());
    ask(&app, json!({"url": site.url("/anna")})).await;
    let answer = ask(&app, json!({"url": site.url("/other")})).await;
    assert_eq!(answer.header(LEARNED), "");
}
