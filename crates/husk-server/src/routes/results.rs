//! Stored results: all outputs of a page under one URL.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Write};
use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use husk::output::{JSON, Part, visits_json};
use husk::{Address, Extraction, SameSite, needs_rendering};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Parameters, in_store, path_parameters};
use crate::accept;
use crate::answer::{Answer, answer, foreign};
use crate::extraction::{Extracted, Learned};
use crate::outputs::StoredOutput;
use crate::problem::{Problem, ProblemType};
use crate::request::{ArchiveFile, ArchiveParameters, Body, ExtractionRequest, ParsedRequest};
use crate::state::ServerState;
use crate::store::StoredResult;

/// Summary of a result.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ResultSummary {
    /// Identifier in the URL of the result.
    pub(crate) id: String,
    /// Time of the extraction.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) created: jiff::Timestamp,
    /// Time of deletion.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) expires: jiff::Timestamp,
    /// URL of the page.
    pub(crate) page: String,
    /// Title of the page.
    pub(crate) title: Option<String>,
    /// Extraction method.
    pub(crate) method: String,
    /// Number of nodes of the page.
    pub(crate) nodes: usize,
    /// Number of template nodes.
    pub(crate) template_nodes: usize,
    /// Number of pages the template is based on: those compared, or those it was learned from. 0: no template.
    pub(crate) template_support: usize,
    /// URLs of the pages it was compared with.
    pub(crate) compared: Vec<String>,
    /// URLs of all loaded pages, the key page first.
    pub(crate) loaded: Vec<String>,
    /// Every requested page: why it was selected and what happened.
    #[schema(value_type = Vec<Object>)]
    pub(crate) visits: Value,
    /// Links between the loaded pages, as pairs of indexes into `loaded`.
    #[schema(value_type = Vec<[usize; 2]>)]
    pub(crate) links: Vec<(usize, usize)>,
    /// URLs of other pages that seem to need JavaScript.
    pub(crate) scripted: Vec<String>,
    /// Why the page itself seems to need JavaScript, if so.
    pub(crate) needs_rendering: Option<String>,
    /// The stored template that was used, if any.
    pub(crate) learned: Option<Learned>,
    /// Names of the outputs.
    pub(crate) outputs: Vec<String>,
}

/// Extract all parts of a page and store them
///
/// The outputs are below the URL of the result. `text/event-stream` sends progress and ends with `result` or `problem`.
#[utoipa::path(
    post,
    path = "/v1/results",
    operation_id = "create-result",
    tag = "results",
    params(ArchiveParameters),
    request_body(content(
        (ExtractionRequest = "application/json"),
        (ArchiveFile = "application/warc"),
    )),
    responses(
        (status = 201, description = "Summary of the result", headers(("location" = String, description = "URL of the result")), content(
            (ResultSummary = "application/json"),
        )),
        (status = 200, description = "Progress", content((String = "text/event-stream"))),
        (status = "4XX", description = "Invalid request, or nothing found", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The page could not be loaded, or a time limit was exceeded", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn create(
    State(server): State<Arc<ServerState>>,
    Parameters(parameters): Parameters,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let settings = &server.settings;
    let request = match body.parse(parameters, &settings.limits, &settings.options) {
        Ok(request) => ParsedRequest {
            with_stylesheets: true,
            ..request
        },
        Err(problem) => return problem.into_response(),
    };
    let is_streamed = accept::wants_events(&headers);
    if !is_streamed && let Err(problem) = accept::choose(&headers, &[JSON]) {
        return problem.into_response();
    }
    answer(server, request, is_streamed, |server, extracted| {
        store_result(server, &extracted)
    })
    .await
}

impl Answer for ResultSummary {
    fn into_answer(self) -> Response {
        let location = format!("/v1/results/{}", self.id);
        let headers = [
            (header::LOCATION, location),
            (header::CONTENT_TYPE, JSON.to_owned()),
        ];
        (StatusCode::CREATED, headers, json!(self).to_string()).into_response()
    }

    fn into_event(self) -> Value {
        json!(self)
    }
}

fn store_result(server: &ServerState, extracted: &Extracted) -> Result<ResultSummary, Problem> {
    let summary = summary(server, extracted);
    let mut result = StoredResult {
        id: summary.id.clone(),
        summary: serde_json::to_vec(&summary).map_err(Problem::internal)?,
        outputs: Vec::new(),
    };
    for stored in StoredOutput::all() {
        let text = stored.write(&extracted.analysis, &extracted.style_sheets)?;
        result.add(stored.name, &text).map_err(super::store_failed)?;
    }
    server.store.put_result(&result).map_err(super::store_failed)?;
    Ok(summary)
}

fn summary(server: &ServerState, extracted: &Extracted) -> ResultSummary {
    let extraction = extracted.analysis.extraction();
    let created = jiff::Timestamp::now();
    let texts = |urls: &[husk::Url]| urls.iter().map(ToString::to_string).collect();
    ResultSummary {
        id: uuid::Uuid::new_v4().simple().to_string(),
        created,
        expires: server.store.expires(created),
        page: extraction.key_page.url.to_string(),
        title: extracted.analysis.metadata().title.clone(),
        method: extraction.method.to_owned(),
        nodes: extraction.key_page.dom.len(),
        template_nodes: extraction.template.nodes().count(),
        template_support: extracted.analysis.support(),
        compared: texts(&extraction.compared),
        loaded: texts(&extraction.loaded),
        visits: json!(visits_json(extraction)),
        links: links_between(extraction),
        scripted: scripted(extraction),
        needs_rendering: needs_rendering(&extraction.key_page).map(|reason| reason.to_string()),
        learned: extracted.learned.clone(),
        outputs: StoredOutput::all().map(|stored| stored.name).collect(),
    }
}

/// Links between the loaded pages, as indexes.
fn links_between(extraction: &Extraction) -> Vec<(usize, usize)> {
    let index_of: BTreeMap<Address, usize> = extraction
        .loaded
        .iter()
        .enumerate()
        .map(|(index, url)| (Address::of(url), index))
        .collect();
    let pages = std::iter::once(&extraction.key_page).chain(&extraction.pages);
    let mut links = BTreeSet::new();
    for page in pages {
        let Some(&from) = index_of.get(&Address::of(&page.url)) else {
            continue;
        };
        let targets = husk::links(page, SameSite::Domain).into_iter();
        let indexes = targets.filter_map(|link| index_of.get(&Address::of(&link.url)).copied());
        links.extend(indexes.filter(|&to| to != from).map(|to| (from, to)));
    }
    links.into_iter().collect()
}

fn scripted(extraction: &Extraction) -> Vec<String> {
    let scripted = extraction
        .pages
        .iter()
        .filter(|page| needs_rendering(page).is_some());
    scripted.map(|page| page.url.to_string()).collect()
}

/// Get the summary of a result
#[utoipa::path(
    get,
    path = "/v1/results/{id}",
    operation_id = "get-result",
    tag = "results",
    params(("id" = String, Path, description = "Identifier of the result")),
    responses(
        (status = 200, description = "Summary of the result", body = ResultSummary),
        (status = "4XX", description = "No such result, or it has expired", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn get(
    State(server): State<Arc<ServerState>>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let id = path_parameters(id)?;
    let found = in_store(server, {
        let id = id.clone();
        move |server| server.store.result(&id)
    })
    .await?;
    let summary = found.ok_or_else(|| no_result(&id))?;
    Ok(([(header::CONTENT_TYPE, JSON)], summary).into_response())
}

/// Delete a result
#[utoipa::path(
    delete,
    path = "/v1/results/{id}",
    operation_id = "delete-result",
    tag = "results",
    params(("id" = String, Path, description = "Identifier of the result")),
    responses(
        (status = 204, description = "Deleted"),
        (status = "4XX", description = "No such result, or it has expired", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn delete(
    State(server): State<Arc<ServerState>>,
    id: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Problem> {
    let id = path_parameters(id)?;
    let existed = in_store(server, {
        let id = id.clone();
        move |server| server.store.delete_result(&id)
    })
    .await?;
    existed
        .then_some(StatusCode::NO_CONTENT)
        .ok_or_else(|| no_result(&id))
}

/// Get an output of a result
///
/// The field `outputs` of the result lists the names; `husk.zip` has all outputs.
#[utoipa::path(
    get,
    path = "/v1/results/{id}/{output}",
    operation_id = "get-result-output",
    tag = "results",
    params(
        ("id" = String, Path, description = "Identifier of the result"),
        ("output" = String, Path, description = "Name of the output, or `husk.zip`", example = "content-markdown"),
    ),
    responses(
        (status = 200, description = "The output", content(
            (Vec<u8> = "application/zip"),
        )),
        (status = "4XX", description = "No such result or output", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn output(
    State(server): State<Arc<ServerState>>,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Response, Problem> {
    let (id, name) = path_parameters(path)?;
    if name == "husk.zip" {
        return zip_archive(server, id).await;
    }
    let Some(stored) = StoredOutput::find(&name) else {
        let message = format!("unknown output {name:?}: see outputs in /v1/results/{id}");
        return Err(Problem::new(ProblemType::NotFound, message));
    };
    let found = in_store(server, {
        let id = id.clone();
        move |server| server.store.output(&id, &name)
    })
    .await?;
    let mut response = foreign(stored.output.media_type, found.ok_or_else(|| no_result(&id))?);
    if stored.output.part == Part::Inspect && stored.output.name == "html" {
        // It has a script, which must not run in the server's origin.
        let disposition = header::HeaderValue::from_static("attachment; filename=\"inspect.html\"");
        response
            .headers_mut()
            .insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

async fn zip_archive(server: Arc<ServerState>, id: String) -> Result<Response, Problem> {
    let name = id.clone();
    let outputs = in_store(server, move |server| {
        if server.store.result(&name)?.is_none() {
            return Ok::<_, redb::Error>(None);
        }
        let mut outputs = Vec::new();
        for stored in StoredOutput::all() {
            if let Some(bytes) = server.store.output(&name, &stored.name)? {
                outputs.push((stored.file, bytes));
            }
        }
        Ok(Some(outputs))
    })
    .await?;
    let outputs = outputs.ok_or_else(|| no_result(&id))?;
    let packed = tokio::task::spawn_blocking(move || zip_files(&outputs))
        .await
        .map_err(Problem::internal)?;
    let headers = [
        (header::CONTENT_TYPE, "application/zip"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"husk.zip\""),
    ];
    Ok((headers, packed.map_err(Problem::internal)?).into_response())
}

fn zip_files(files: &[(String, Vec<u8>)]) -> zip::result::ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (file, bytes) in files {
        writer.start_file(format!("husk/{file}"), SimpleFileOptions::default())?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn no_result(id: &str) -> Problem {
    let message = format!("no result {id:?}, or it has expired: extract the page again");
    Problem::new(ProblemType::NotFound, message)
}
