//! Results that are kept: everything that was found out about a page, under an address of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Write};
use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use husk::output::visits_json;
use husk::{Address, Extraction, Metadata, SameSite, needs_rendering};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Parameters, in_store, named};
use crate::accept;
use crate::answer::{Answer, answer, foreign};
use crate::forms::{JSON, Output};
use crate::kept::KeptResult;
use crate::problem::{Kind, Problem};
use crate::request::{ArchiveFile, ArchiveParameters, Asked, Body, ExtractionRequest};
use crate::state::Server;
use crate::work::{Extracted, Learned};

/// What was found out about a page, in short.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct ResultSummary {
    /// The name of the result in its address.
    pub(crate) id: String,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) created: jiff::Timestamp,
    /// When it is forgotten.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) expires: jiff::Timestamp,
    /// The page.
    pub(crate) page: String,
    /// What it says its title is.
    pub(crate) title: Option<String>,
    /// How it was done.
    pub(crate) method: String,
    /// How many nodes the page has.
    pub(crate) nodes: usize,
    /// How many of them are template.
    pub(crate) template_nodes: usize,
    /// The pages that it was compared with.
    pub(crate) compared: Vec<String>,
    /// Every page that was loaded, the key page first.
    pub(crate) loaded: Vec<String>,
    /// Every page that was asked for, why, and what came of it.
    #[schema(value_type = Vec<Object>)]
    pub(crate) visits: Value,
    /// Which of the loaded pages link to which, by their places in `loaded`.
    #[schema(value_type = Vec<[usize; 2]>)]
    pub(crate) links: Vec<(usize, usize)>,
    /// The other pages that seem to need their scripts.
    pub(crate) scripted: Vec<String>,
    /// Why the page itself seems to need its scripts, if it does.
    pub(crate) needs_rendering: Option<String>,
    /// Where the template is from, if it was learned before.
    pub(crate) learned: Option<Learned>,
    /// The forms that it can be had in.
    pub(crate) outputs: Vec<String>,
}

/// Finds out everything about a page, and keeps it
///
/// The answer is what was found in short; its forms are below its address. `text/event-stream` tells of progress and ends with an
/// event `result` or `problem`.
#[utoipa::path(
    post,
    path = "/v1/results",
    operation_id = "make-result",
    tag = "results",
    params(ArchiveParameters),
    request_body(content(
        (ExtractionRequest = "application/json"),
        (ArchiveFile = "application/warc"),
    )),
    responses(
        (status = 201, description = "What was found, in short", headers(("location" = String, description = "Where it is kept")), content(
            (ResultSummary = "application/json"),
        )),
        (status = 200, description = "Progress", content((String = "text/event-stream"))),
        (status = "4XX", description = "The request cannot be answered", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The page could not be had in time", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn make(
    State(server): State<Arc<Server>>,
    Parameters(parameters): Parameters,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let settings = &server.settings;
    let asked = match body.asked(parameters, &settings.limits, &settings.options) {
        Ok(asked) => Asked {
            is_shown: true,
            ..asked
        },
        Err(problem) => return problem.into_response(),
    };
    let is_streamed = accept::wants_events(&headers);
    if !is_streamed && let Err(problem) = accept::choose(&headers, &[JSON]) {
        return problem.into_response();
    }
    answer(server, asked, is_streamed, |server, extracted| {
        keep(server, &extracted)
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

fn keep(server: &Server, extracted: &Extracted) -> Result<ResultSummary, Problem> {
    let summary = summary(server, extracted);
    let mut forms = Vec::new();
    for (output, name, ..) in Output::ALL {
        forms.push((name, extracted.found.output(output)?.text));
    }
    let result = KeptResult {
        id: summary.id.clone(),
        summary: serde_json::to_vec(&summary).map_err(Problem::internal)?,
        forms,
    };
    server.store.keep_result(&result).map_err(super::store_failed)?;
    Ok(summary)
}

fn summary(server: &Server, extracted: &Extracted) -> ResultSummary {
    let extraction = &extracted.found.extraction;
    let created = jiff::Timestamp::now();
    let texts = |urls: &[husk::Url]| urls.iter().map(ToString::to_string).collect();
    ResultSummary {
        id: uuid::Uuid::new_v4().simple().to_string(),
        created,
        expires: server.store.expires(created),
        page: extraction.key_page.url.to_string(),
        title: Metadata::with_siblings(&extraction.key_page, &extraction.pages).title,
        method: extraction.method.to_owned(),
        nodes: extraction.key_page.dom.len(),
        template_nodes: extraction.template.nodes().count(),
        compared: texts(&extraction.compared),
        loaded: texts(&extraction.loaded),
        visits: json!(visits_json(extraction)),
        links: links_between(extraction),
        scripted: scripted(extraction),
        needs_rendering: needs_rendering(&extraction.key_page).map(|reason| reason.to_string()),
        learned: extracted.learned.clone(),
        outputs: Output::ALL.iter().map(|&(_, name, ..)| name.to_owned()).collect(),
    }
}

/// Which of the loaded pages link to which.
fn links_between(extraction: &Extraction) -> Vec<(usize, usize)> {
    let place_of: BTreeMap<Address, usize> = extraction
        .loaded
        .iter()
        .enumerate()
        .map(|(place, url)| (Address::of(url), place))
        .collect();
    let pages = std::iter::once(&extraction.key_page).chain(&extraction.pages);
    let mut links = BTreeSet::new();
    for page in pages {
        let Some(&from) = place_of.get(&Address::of(&page.url)) else {
            continue;
        };
        let targets = husk::links(page, SameSite::Domain).into_iter();
        let places = targets.filter_map(|link| place_of.get(&Address::of(&link.url)).copied());
        links.extend(places.filter(|&to| to != from).map(|to| (from, to)));
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

/// What was found out about a page, in short
#[utoipa::path(
    get,
    path = "/v1/results/{id}",
    operation_id = "show-result",
    tag = "results",
    params(("id" = String, Path, description = "The name of the result")),
    responses(
        (status = 200, description = "What was found, in short", body = ResultSummary),
        (status = "4XX", description = "There is no such result, or no longer", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn show(
    State(server): State<Arc<Server>>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let id = named(id)?;
    let found = in_store(server, {
        let id = id.clone();
        move |server| server.store.result(&id)
    })
    .await?;
    let summary = found.ok_or_else(|| no_result(&id))?;
    Ok(([(header::CONTENT_TYPE, JSON)], summary).into_response())
}

/// Forgets a result
#[utoipa::path(
    delete,
    path = "/v1/results/{id}",
    operation_id = "forget-result",
    tag = "results",
    params(("id" = String, Path, description = "The name of the result")),
    responses(
        (status = 204, description = "It is forgotten"),
        (status = "4XX", description = "There is no such result, or no longer", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn forget(
    State(server): State<Arc<Server>>,
    id: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Problem> {
    let id = named(id)?;
    let was_there = in_store(server, {
        let id = id.clone();
        move |server| server.store.forget_result(&id)
    })
    .await?;
    was_there
        .then_some(StatusCode::NO_CONTENT)
        .ok_or_else(|| no_result(&id))
}

/// A result in one of its forms
///
/// `outputs` of the result names them; `husk.zip` is all of them in one archive.
#[utoipa::path(
    get,
    path = "/v1/results/{id}/{output}",
    operation_id = "result-output",
    tag = "results",
    params(
        ("id" = String, Path, description = "The name of the result"),
        ("output" = String, Path, description = "The name of the form, or `husk.zip`", example = "content-markdown"),
    ),
    responses(
        (status = 200, description = "The form", content(
            (Object = "application/json"),
            (String = "text/html"),
            (String = "text/markdown"),
            (String = "text/plain"),
            (Vec<u8> = "application/zip"),
        )),
        (status = "4XX", description = "There is no such result or form", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn output(
    State(server): State<Arc<Server>>,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Response, Problem> {
    let (id, name) = named(path)?;
    if name == "husk.zip" {
        return everything(server, id).await;
    }
    let Some((media_type, file)) = Output::named(&name) else {
        let message = format!("a result has no form {name:?}: its outputs are listed at /v1/results/{id}");
        return Err(Problem::new(Kind::NotFound, message));
    };
    let found = in_store(server, {
        let id = id.clone();
        move |server| server.store.form(&id, &name)
    })
    .await?;
    let mut response = foreign(media_type, found.ok_or_else(|| no_result(&id))?);
    if file == "inspection.html" {
        // It has a script of its own, which has no place at our address.
        let disposition = header::HeaderValue::from_static("attachment; filename=\"inspection.html\"");
        response
            .headers_mut()
            .insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

async fn everything(server: Arc<Server>, id: String) -> Result<Response, Problem> {
    let name = id.clone();
    let forms = in_store(server, move |server| {
        if server.store.result(&name)?.is_none() {
            return Ok(None);
        }
        let mut forms = Vec::new();
        for (_, output, _, file) in Output::ALL {
            if let Some(bytes) = server.store.form(&name, output)? {
                forms.push((file, bytes));
            }
        }
        Ok(Some(forms))
    })
    .await?;
    let forms = forms.ok_or_else(|| no_result(&id))?;
    let packed = tokio::task::spawn_blocking(move || zipped(&forms))
        .await
        .map_err(Problem::internal)?;
    let headers = [
        (header::CONTENT_TYPE, "application/zip"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"husk.zip\""),
    ];
    Ok((headers, packed.map_err(Problem::internal)?).into_response())
}

fn zipped(forms: &[(&str, Vec<u8>)]) -> zip::result::ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (file, bytes) in forms {
        writer.start_file(format!("husk/{file}"), SimpleFileOptions::default())?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn no_result(id: &str) -> Problem {
    let message = format!("there is no result {id:?}, or no longer: extract the page again");
    Problem::new(Kind::NotFound, message)
}
