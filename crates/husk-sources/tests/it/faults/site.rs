//! A small good site: a menu, seven pages of one layout, a footer.

use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};

/// The key page.
pub(super) const KEY_PAGE: &str = "/anna.html";

/// The page that is loaded first of all siblings, so that its fault always occurs.
pub(super) const FAULTY: &str = "/bert.html";

/// All pages in the order of the menu.
pub(super) const PAGES: [&str; 7] = [
    KEY_PAGE,
    FAULTY,
    "/carl.html",
    "/dora.html",
    "/emil.html",
    "/fred.html",
    "/gina.html",
];

/// The page at a path, if the site has one there.
pub(super) fn html(path: &str) -> Option<String> {
    PAGES.contains(&path).then(|| html_of(path))
}

/// A page of the site for any path.
pub(super) fn html_of(path: &str) -> String {
    let name = path.trim_start_matches('/').trim_end_matches(".html");
    let menu: String = PAGES
        .iter()
        .map(|page| format!("<li><a href=\"{page}\">Page {}</a></li>", &page[1..5]))
        .collect();
    format!(
        "<!doctype html><html><head><title>{name} - The club</title></head><body>\
         <header><h1>The club of seven</h1><ul>{menu}</ul></header>\
         <main><h2>All about {name}</h2><p>Whatever {name} did was done by {name} alone.</p>\
         <p>Nobody but {name} knows what {name}{name} means.</p></main>\
         <footer><p>Members only since 1907</p><a href=\"mailto:club@example.org\">Write to us</a></footer>\
         </body></html>"
    )
}

/// Responds as a good server does.
pub(super) async fn serve(uri: Uri) -> Response {
    match html(uri.path()) {
        Some(html) => Html(html).into_response(),
        None => (StatusCode::NOT_FOUND, Html("<h1>Not found</h1>")).into_response(),
    }
}
