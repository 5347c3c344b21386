//! Builds the HTTP client.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use reqwest::cookie::Jar;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Certificate, Client, ClientBuilder, Proxy, redirect};

use super::HttpError;
use super::options::{HttpOptions, ProxyChoice};
use super::resolver::Resolver;

/// The most header fields of a response.
const MAX_FIELDS: usize = 256;

/// The most bytes of all header fields, where the protocol lets the client set it; HTTP/1 has 400 KiB.
const MAX_FIELD_BYTES: u32 = 256 << 10;

pub(super) fn client(
    options: &HttpOptions,
    resolver: Resolver,
    cookies: Arc<Jar>,
) -> Result<Client, HttpError> {
    // Fails if one is installed already, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let roots = roots(options)?;
    let builder = || settings(options, resolver.clone(), cookies.clone());
    match builder()?.tls_certs_merge(roots.clone()).build() {
        Ok(client) => Ok(client),
        // A system without certificates, such as a small container, can still load pages without TLS.
        Err(_) => builder()?
            .tls_certs_only(roots)
            .build()
            .map_err(|cause| HttpError::Client(cause.to_string())),
    }
}

fn settings(
    options: &HttpOptions,
    resolver: Resolver,
    cookies: Arc<Jar>,
) -> Result<ClientBuilder, HttpError> {
    let user_agent = HeaderValue::from_str(&options.user_agent)
        .map_err(|_| HttpError::UserAgent(options.user_agent.clone()))?;
    let builder = Client::builder()
        .user_agent(user_agent)
        .default_headers(headers())
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .cookie_provider(cookies)
        .dns_resolver(resolver)
        .connect_timeout(options.stage_limit())
        .http1_max_headers(MAX_FIELDS)
        .http2_max_header_list_size(MAX_FIELD_BYTES)
        // As in browsers: an invalid field does not make the page unreadable.
        .http1_ignore_invalid_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .http1_allow_obsolete_multiline_headers_in_responses(true);
    match &options.proxy {
        ProxyChoice::System if !options.proxy.hosts().is_empty() => Ok(builder),
        ProxyChoice::None | ProxyChoice::System => Ok(builder.no_proxy()),
        ProxyChoice::Url(url) => {
            let proxy = Proxy::all(url.clone()).map_err(|_| HttpError::Proxy(url.clone()))?;
            Ok(builder.proxy(proxy))
        }
    }
}

/// The encodings that `capture` decodes: the client leaves them alone, so that archives get what was sent.
fn headers() -> HeaderMap {
    const TYPES: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    HeaderMap::from_iter([
        (ACCEPT, HeaderValue::from_static(TYPES)),
        (ACCEPT_ENCODING, HeaderValue::from_static("gzip, br, zstd")),
    ])
}

/// The header fields that the user wants to be sent.
pub(super) fn user_fields(options: &HttpOptions) -> Result<HeaderMap, HttpError> {
    let mut fields = HeaderMap::new();
    for (name, value) in &options.headers {
        let fault = || HttpError::Header(name.clone());
        let field = HeaderName::from_bytes(name.as_bytes()).map_err(|_| fault())?;
        fields.append(field, HeaderValue::from_str(value).map_err(|_| fault())?);
    }
    Ok(fields)
}

fn roots(options: &HttpOptions) -> Result<Vec<Certificate>, HttpError> {
    let bundles = options.extra_roots.iter().map(|file| bundle(file));
    Ok(bundles.collect::<Result<Vec<_>, _>>()?.concat())
}

fn bundle(file: &Path) -> Result<Vec<Certificate>, HttpError> {
    let fail = |cause: String| HttpError::Certificates {
        file: file.to_owned(),
        cause,
    };
    let bytes = fs::read(file).map_err(|cause| fail(cause.to_string()))?;
    let found = Certificate::from_pem_bundle(&bytes).map_err(|_| fail("it is not a PEM file".to_owned()))?;
    if found.is_empty() {
        return Err(fail("it contains no certificate in PEM format".to_owned()));
    }
    Ok(found)
}
