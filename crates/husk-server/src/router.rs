//! All routes and their middleware.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, Method, header};
use axum::routing::get;
use axum::{Extension, Router, middleware};
use husk::output::{JSON, OUTPUTS, Part};
use husk_sources::Lookup;
use serde_json::{Value, json};
use tower_http::compression::CompressionLayer;
use tower_http::cors::CorsLayer;
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accept::essence;
use crate::guard::{check_host, check_origin, check_token, forbid_embedding};
use crate::outputs::{self, StoredOutput};
use crate::problem::{Problem, ProblemType};
use crate::reference::reference;
use crate::request_log::log_request;
use crate::routes::openapi::Description;
use crate::routes::{
    content, health, inspect, menu, metrics, openapi, pagelets, results, sites, template, web_page,
};
use crate::settings::Settings;
use crate::state::{ServeError, ServerState};

/// Title and tags of the OpenAPI description.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Husk",
        description = "Separate a web page's template from its content. Give the URL of a page, or send the page together with other \
            pages of its site. Responses have the formats of the `husk` command. Errors are `application/problem+json`."
    ),
    tags(
        (name = "extraction", description = "Extract one part of a page."),
        (name = "results", description = "Extract all parts of a page and store them under a URL."),
        (name = "sites", description = "Learned templates, used for further pages of the same site."),
        (name = "operation", description = "Health checks and metrics."),
    )
)]
struct Api;

/// The OpenAPI description as JSON.
pub fn openapi_json() -> String {
    describe(&routes().into_openapi()).json
}

/// The application without a socket.
pub fn router(settings: Settings) -> Result<Router, ServeError> {
    build_router(ServerState::new(settings, None)?)
}

/// [`router`] with another DNS lookup, for tests.
#[doc(hidden)]
pub fn router_with_lookup(settings: Settings, lookup: Arc<Lookup>) -> Result<Router, ServeError> {
    build_router(ServerState::new(settings, Some(lookup))?)
}

fn routes() -> OpenApiRouter<Arc<ServerState>> {
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(template::template))
        .routes(routes!(menu::menu))
        .routes(routes!(content::content))
        .routes(routes!(pagelets::pagelets))
        .routes(routes!(inspect::inspect))
        .routes(routes!(results::create))
        .routes(routes!(results::get, results::delete))
        .routes(routes!(results::output))
        .routes(routes!(sites::list))
        .routes(routes!(sites::get, sites::delete))
        .routes(routes!(health::live))
        .routes(routes!(health::ready))
        .routes(routes!(metrics::metrics))
        .routes(routes!(openapi::json))
}

pub(crate) fn build_router(server: Arc<ServerState>) -> Result<Router, ServeError> {
    let (router, description) = routes().split_for_parts();
    let limits = &server.settings.limits;
    let router = router
        .route("/", get(web_page::index))
        .route("/r/{id}", get(web_page::index))
        .route("/assets/{file}", get(web_page::file))
        .route("/reference", get(openapi::page))
        .fallback(async || {
            Problem::new(
                ProblemType::NotFound,
                "no such path: see /reference for all paths",
            )
        })
        .method_not_allowed_fallback(async || {
            Problem::new(
                ProblemType::MethodNotAllowed,
                "wrong method for this path: see /reference",
            )
        })
        .layer(Extension(Arc::new(describe(&description))))
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(middleware::from_fn_with_state(server.clone(), check_token))
        .layer(middleware::from_fn_with_state(server.clone(), check_origin))
        .layer(cors(&server.settings)?)
        .layer(middleware::from_fn_with_state(server.clone(), check_host))
        .layer(middleware::from_fn(forbid_embedding))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(server.clone(), log_request));
    Ok(router.with_state(server))
}

fn describe(description: &utoipa::openapi::OpenApi) -> Description {
    let mut description = description.clone();
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("The token of the server, if it has one"))
        .build();
    let components = description.components.get_or_insert_default();
    components.add_security_scheme("token", SecurityScheme::Http(scheme));
    // A server without a token needs no authorization.
    description.security = Some(vec![
        SecurityRequirement::default(),
        SecurityRequirement::new("token", [""; 0]),
    ]);
    description.servers = Some(vec![utoipa::openapi::Server::new("/")]);
    let mut json = serde_json::to_value(&description).unwrap_or_default();
    list_outputs(&mut json);
    Description {
        page: reference(&json),
        json: format!("{json:#}\n"),
    }
}

/// Lists the outputs of the engine's table where requests can choose one.
fn list_outputs(openapi: &mut Value) {
    for part in Part::ALL {
        let content =
            &mut openapi["paths"][format!("/v1/{}", part.name())]["post"]["responses"]["200"]["content"];
        for output in outputs::negotiable(part) {
            let kind = if output.media_type == JSON {
                "object"
            } else {
                "string"
            };
            content[essence(output.media_type)] = json!({"schema": {"type": kind}});
        }
    }
    let stored: Vec<StoredOutput> = StoredOutput::all().collect();
    let operation = &mut openapi["paths"]["/v1/results/{id}/{output}"]["get"];
    let content = &mut operation["responses"]["200"]["content"];
    for stored in &stored {
        let kind = if stored.output.media_type == JSON {
            "object"
        } else {
            "string"
        };
        content[essence(stored.output.media_type)] = json!({"schema": {"type": kind}});
    }
    let mut names: Vec<&str> = stored.iter().map(|stored| &*stored.name).collect();
    names.push("husk.zip");
    let parameters = operation["parameters"].as_array_mut().into_iter().flatten();
    for parameter in parameters.filter(|parameter| parameter["name"] == "output") {
        parameter["schema"]["enum"] = json!(names);
    }
    let formats: BTreeSet<&str> = OUTPUTS.iter().map(|output| output.name).collect();
    let parts = Part::ALL.map(|part| {
        let names: Vec<&str> = part.outputs().map(|output| output.name).collect();
        format!("{}: {}", part.name(), names.join(", "))
    });
    openapi["components"]["schemas"]["OutputFormat"] = json!({
        "type": "string",
        "enum": formats,
        "description": format!("A format of the part that is asked for. {}.", parts.join("; ")),
    });
}

/// Only the configured origins may use the API from a browser.
fn cors(settings: &Settings) -> Result<CorsLayer, ServeError> {
    let origins = settings.cors_origins.iter().map(|origin| {
        let is_origin =
            husk::Url::parse(origin).is_ok_and(|url| url.origin().ascii_serialization() == *origin);
        let value = HeaderValue::from_str(origin).ok().filter(|_| is_origin);
        value.ok_or_else(|| ServeError::Origin(origin.clone()))
    });
    let origins = origins.collect::<Result<Vec<_>, _>>()?;
    Ok(if origins.is_empty() {
        CorsLayer::new()
    } else {
        CorsLayer::new()
            .allow_origin(origins)
            .allow_methods([Method::GET, Method::POST, Method::DELETE])
            .allow_headers([header::ACCEPT, header::AUTHORIZATION, header::CONTENT_TYPE])
    })
}
