//! All routes, and what stands around them.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, Method, header};
use axum::routing::get;
use axum::{Extension, Router, middleware};
use husk_sources::Lookup;
use tower_http::compression::CompressionLayer;
use tower_http::cors::CorsLayer;
use utoipa::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::guard::{check_name, check_token};
use crate::problem::{Kind, Problem};
use crate::reference::reference;
use crate::routes::openapi::Description;
use crate::routes::{
    content, health, inspect, menu, metrics, openapi, pagelets, results, sites, template, web_page,
};
use crate::settings::Settings;
use crate::state::{ServeError, Server};
use crate::watch::watch;

/// What stands above the description of the API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Husk",
        description = "Templates, menus and contents of web pages, told apart by the other pages of their sites. A page is named by \
            its address, or sent along with its siblings; answers are as the command `husk` prints them. What goes wrong is told as \
            `application/problem+json`."
    ),
    tags(
        (name = "extraction", description = "One part of a page, answered at once."),
        (name = "results", description = "Everything about a page, kept for a while under an address of its own."),
        (name = "sites", description = "Templates that were learned while pages were loaded, used for further pages of the same site."),
        (name = "operation", description = "For those who run the server."),
    )
)]
struct Api;

/// The description of the API, as JSON.
pub fn openapi_json() -> String {
    describe(&routes().into_openapi()).json
}

/// The server without a socket.
pub fn router(settings: Settings) -> Result<Router, ServeError> {
    around(Server::new(settings, None)?)
}

/// The same, with another way to find the addresses of hosts: for tests.
#[doc(hidden)]
pub fn router_with_lookup(settings: Settings, lookup: Arc<Lookup>) -> Result<Router, ServeError> {
    around(Server::new(settings, Some(lookup))?)
}

fn routes() -> OpenApiRouter<Arc<Server>> {
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(template::template))
        .routes(routes!(menu::menu))
        .routes(routes!(content::content))
        .routes(routes!(pagelets::pagelets))
        .routes(routes!(inspect::inspect))
        .routes(routes!(results::make))
        .routes(routes!(results::show, results::forget))
        .routes(routes!(results::output))
        .routes(routes!(sites::list))
        .routes(routes!(sites::show, sites::forget))
        .routes(routes!(health::live))
        .routes(routes!(health::ready))
        .routes(routes!(metrics::metrics))
        .routes(routes!(openapi::json))
}

pub(crate) fn around(server: Arc<Server>) -> Result<Router, ServeError> {
    let (router, description) = routes().split_for_parts();
    let limits = &server.settings.limits;
    let router = router
        .route("/", get(web_page::index))
        .route("/r/{id}", get(web_page::index))
        .route("/assets/{file}", get(web_page::file))
        .route("/reference", get(openapi::page))
        .fallback(async || {
            Problem::new(
                Kind::NotFound,
                "there is nothing at this address: /reference lists what there is",
            )
        })
        .method_not_allowed_fallback(async || {
            Problem::new(
                Kind::MethodNotAllowed,
                "this address is asked for in another way: /reference tells how",
            )
        })
        .layer(Extension(Arc::new(describe(&description))))
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(middleware::from_fn_with_state(server.clone(), check_token))
        .layer(cors(&server.settings)?)
        .layer(middleware::from_fn_with_state(server.clone(), check_name))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(server.clone(), watch));
    Ok(router.with_state(server))
}

fn describe(description: &utoipa::openapi::OpenApi) -> Description {
    let mut description = description.clone();
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("The server's token, if it has one"))
        .build();
    let components = description.components.get_or_insert_default();
    components.add_security_scheme("token", SecurityScheme::Http(scheme));
    // Servers without a token want none.
    description.security = Some(vec![
        SecurityRequirement::default(),
        SecurityRequirement::new("token", [""; 0]),
    ]);
    description.servers = Some(vec![utoipa::openapi::Server::new("/")]);
    let json = serde_json::to_value(&description).unwrap_or_default();
    Description {
        page: reference(&json),
        json: format!("{json:#}\n"),
    }
}

/// Pages of others may use the API only if their origins are named.
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
