//! Learned templates of sites.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use super::{in_store, path_parameters};
use crate::problem::{Problem, ProblemType};
use crate::state::ServerState;
use crate::store::SiteSummary;

/// List the sites with learned templates
#[utoipa::path(
    get,
    path = "/v1/sites",
    operation_id = "list-sites",
    tag = "sites",
    responses((status = 200, description = "The sites, sorted by name", body = Vec<SiteSummary>)),
)]
pub(crate) async fn list(State(server): State<Arc<ServerState>>) -> Result<Json<Vec<SiteSummary>>, Problem> {
    in_store(server, |server| server.store.sites()).await.map(Json)
}

/// Get the learned templates of a site in short
#[utoipa::path(
    get,
    path = "/v1/sites/{site}",
    operation_id = "get-site",
    tag = "sites",
    params(("site" = String, Path, description = "Host, with the port if it is not the default", example = "example.org")),
    responses(
        (status = 200, description = "Number of layouts and pages, and their age", body = SiteSummary),
        (status = "4XX", description = "No learned template", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn get(
    State(server): State<Arc<ServerState>>,
    site: Result<Path<String>, PathRejection>,
) -> Result<Json<SiteSummary>, Problem> {
    let site = path_parameters(site)?;
    let known = in_store(server, {
        let site = site.clone();
        move |server| server.store.site(&site)
    });
    known
        .await?
        .map(|known| Json(known.info.into()))
        .ok_or_else(|| no_site(&site))
}

/// Delete the learned templates of a site
///
/// The next page of the site is compared with others again.
#[utoipa::path(
    delete,
    path = "/v1/sites/{site}",
    operation_id = "delete-site",
    tag = "sites",
    params(("site" = String, Path, description = "Host, with the port if it is not the default", example = "example.org")),
    responses(
        (status = 204, description = "Deleted"),
        (status = "4XX", description = "No learned template", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn delete(
    State(server): State<Arc<ServerState>>,
    site: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Problem> {
    let site = path_parameters(site)?;
    let existed = in_store(server, {
        let site = site.clone();
        move |server| server.store.delete_site(&site)
    });
    existed
        .await?
        .then_some(StatusCode::NO_CONTENT)
        .ok_or_else(|| no_site(&site))
}

fn no_site(site: &str) -> Problem {
    Problem::new(
        ProblemType::NotFound,
        format!("no learned template of {site:?}, or it has expired"),
    )
}
