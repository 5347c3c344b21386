//! Sites that something was learned of.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use super::{in_store, named};
use crate::kept::SiteInfo;
use crate::problem::{Kind, Problem};
use crate::state::Server;

/// The sites whose templates are known
#[utoipa::path(
    get,
    path = "/v1/sites",
    operation_id = "list-sites",
    tag = "sites",
    responses((status = 200, description = "The sites, by name", body = Vec<SiteInfo>)),
)]
pub(crate) async fn list(State(server): State<Arc<Server>>) -> Result<Json<Vec<SiteInfo>>, Problem> {
    in_store(server, |server| server.store.sites()).await.map(Json)
}

/// What is known of a site
#[utoipa::path(
    get,
    path = "/v1/sites/{site}",
    operation_id = "show-site",
    tag = "sites",
    params(("site" = String, Path, description = "Its host, and its port if that is no usual one", example = "example.org")),
    responses(
        (status = 200, description = "How much is known, and since when", body = SiteInfo),
        (status = "4XX", description = "Nothing is known of it", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn show(
    State(server): State<Arc<Server>>,
    site: Result<Path<String>, PathRejection>,
) -> Result<Json<SiteInfo>, Problem> {
    let site = named(site)?;
    let known = in_store(server, {
        let site = site.clone();
        move |server| server.store.site(&site)
    });
    known
        .await?
        .map(|known| Json(known.info))
        .ok_or_else(|| unknown(&site))
}

/// Forgets what was learned of a site
///
/// Its next page is compared with others again.
#[utoipa::path(
    delete,
    path = "/v1/sites/{site}",
    operation_id = "forget-site",
    tag = "sites",
    params(("site" = String, Path, description = "Its host, and its port if that is no usual one", example = "example.org")),
    responses(
        (status = 204, description = "It is forgotten"),
        (status = "4XX", description = "Nothing is known of it", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn forget(
    State(server): State<Arc<Server>>,
    site: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Problem> {
    let site = named(site)?;
    let was_known = in_store(server, {
        let site = site.clone();
        move |server| server.store.forget_site(&site)
    });
    was_known
        .await?
        .then_some(StatusCode::NO_CONTENT)
        .ok_or_else(|| unknown(&site))
}

fn unknown(site: &str) -> Problem {
    Problem::new(
        Kind::NotFound,
        format!("nothing was learned of {site:?}, or it is too old"),
    )
}
