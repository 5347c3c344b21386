//! What is asked for: a page of the web, pages in the request itself, or an archive.

use axum::body::Bytes;
use axum::extract::FromRequest;
use axum::http::header;
use husk::dom::Dom;
use husk::output::{Links, Scripts};
use husk::{Method, Options, Page, SameSite, Url};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::object::Object;
use crate::problem::{Kind, Problem};
use crate::settings::Limits;

/// What is to be extracted: a page of the web, or pages that come along.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
#[expect(
    dead_code,
    reason = "only described: read are RequestFields, whose mistakes can be named"
)]
pub(crate) enum ExtractionRequest {
    /// A page that is loaded.
    Web(WebRequest),
    /// A page that is in the request.
    Given(GivenRequest),
}

/// A page of the web, which is loaded, and so are its siblings.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[expect(dead_code, reason = "only described")]
pub(crate) struct WebRequest {
    /// The address of the page.
    #[schema(example = "https://example.org/a", format = "web-address")]
    url: String,
    /// How the pages are compared.
    #[serde(default)]
    options: RequestOptions,
    /// Whether what was learned of the site before is not to be used, but to be learned anew.
    #[serde(default)]
    fresh: bool,
    /// How the answer is written.
    #[serde(default)]
    write: WriteOptions,
}

/// A page with its siblings: nothing is loaded.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[expect(dead_code, reason = "only described")]
pub(crate) struct GivenRequest {
    /// The page.
    page: GivenPage,
    /// Other pages of its site.
    #[serde(default)]
    #[schema(max_items = 50)]
    siblings: Vec<GivenPage>,
    /// How the pages are compared.
    #[serde(default)]
    options: RequestOptions,
    /// Of no use here: nothing is learned from pages that others send.
    #[serde(default)]
    fresh: bool,
    /// How the answer is written.
    #[serde(default)]
    write: WriteOptions,
}

/// What a request may say, of either kind.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct RequestFields {
    url: Option<String>,
    page: Option<Object<GivenPage>>,
    siblings: Vec<Object<GivenPage>>,
    options: Object<RequestOptions>,
    fresh: bool,
    write: Object<WriteOptions>,
}

/// A page in a request.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenPage {
    /// Its address, by which links lead to it.
    #[schema(example = "https://example.org/a", format = "web-address")]
    pub(crate) url: String,
    /// The page.
    #[schema(
        example = "<!DOCTYPE html><title>A</title><nav><a href=/a>A</a> <a href=/b>B</a></nav><p>Only on A"
    )]
    pub(crate) html: String,
}

/// How pages are compared; what is left out is as the server has it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RequestOptions {
    /// The method: `husk`, or that of the `paper`.
    #[schema(value_type = Option<MethodName>)]
    pub(crate) method: Option<Method>,
    /// How many pages the page is compared with.
    #[schema(minimum = 1, maximum = 50)]
    #[serde(deserialize_with = "whole")]
    pub(crate) pages_to_compare: Option<u16>,
    /// How many other pages are loaded at most.
    #[schema(minimum = 1, maximum = 65535)]
    #[serde(deserialize_with = "whole")]
    pub(crate) max_pages: Option<u16>,
    /// What makes two pages belong to one site: the same `host`, or the same `domain`.
    #[schema(value_type = Option<SameSiteName>)]
    pub(crate) same_site: Option<SameSite>,
}

/// A whole number, also if it is written as `4.0`, which means the same in JSON.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(deserializer)? else {
        return Ok(None);
    };
    if number.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&number) {
        Ok(Some(number as u16))
    } else {
        let message = format!("{number} is no whole number from 1 to {}", u16::MAX);
        Err(serde::de::Error::custom(message))
    }
}

/// The names of the methods, for the description of the API.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum MethodName {
    /// Votes and evidence: the default.
    Husk,
    /// The intersection of the paper.
    Paper,
}

/// What makes two pages belong to one site, for the description of the API.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum SameSiteName {
    /// The same host.
    Host,
    /// The same registrable domain.
    Domain,
}

/// How an answer is written. What does not concern it is not looked at.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct WriteOptions {
    /// Of a template: whether scripts stay, `keep` or `drop`.
    #[schema(value_type = Option<ScriptsName>)]
    pub(crate) scripts: Option<Scripts>,
    /// Of a template: how addresses are written, `absolute` or `as-written`.
    #[schema(value_type = Option<LinksName>)]
    pub(crate) links: Option<Links>,
    /// Of menus: whether all blocks of links are wanted, not the main menu only.
    pub(crate) all: bool,
    /// Of content: whether what readers wrote is wanted as well.
    pub(crate) comments: bool,
    /// Of content in JSON: the form that it has in it.
    pub(crate) content_format: Option<ContentFormat>,
    /// Of an inspection: whether it loads nothing when it is opened, not even pictures.
    pub(crate) offline: bool,
}

/// What becomes of scripts, for the description of the API.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum ScriptsName {
    /// They stay.
    Keep,
    /// They are left out.
    Drop,
}

/// How addresses are written, for the description of the API.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only described")]
pub(crate) enum LinksName {
    /// In full.
    Absolute,
    /// As on the page.
    AsWritten,
}

/// The forms that content has in JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ContentFormat {
    /// With headings, links and tables.
    #[default]
    Markdown,
    /// Paragraphs.
    Text,
    /// Clean HTML.
    Html,
}

/// A web archive as it is, packed by gzip or not.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only described")]
pub(crate) struct ArchiveFile(Vec<u8>);

/// What is said in the address of a request that brings an archive.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[into_params(parameter_in = Query)]
pub(crate) struct ArchiveParameters {
    /// The page of the archive that is meant. Only for archives.
    #[param(format = "web-address")]
    pub(crate) page: Option<String>,
    /// The method. Only for archives.
    #[param(value_type = Option<MethodName>)]
    pub(crate) method: Option<Method>,
}

/// A request that makes sense.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) from: From,
    pub(crate) options: Options,
    /// Whether the options are the server's own, so that what was learned by these may be used.
    pub(crate) has_own_options: bool,
    pub(crate) fresh: bool,
    /// Whether somebody will look at the page, so that it should look like itself.
    pub(crate) is_shown: bool,
    pub(crate) write: WriteOptions,
}

/// Where the pages come from.
#[derive(Debug)]
pub(crate) enum From {
    Web(Url),
    Given {
        page: UnreadPage,
        siblings: Vec<UnreadPage>,
    },
    Archive {
        bytes: Bytes,
        page: Option<Url>,
    },
}

/// A page of a request that is not parsed yet: that is work.
#[derive(Debug)]
pub(crate) struct UnreadPage {
    url: Url,
    html: String,
}

impl UnreadPage {
    pub(crate) fn read(self) -> Page {
        Page::new(self.url, Dom::parse(&self.html))
    }
}

/// The body of a request, not read yet as what it is.
#[derive(Debug)]
pub(crate) struct Body {
    is_archive: bool,
    bytes: Bytes,
}

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Problem;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, Problem> {
        let said = request.headers().get(header::CONTENT_TYPE);
        let media_type = said.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media_type = media_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        let is_archive = match &*media_type {
            "application/json" => false,
            "application/warc" | "application/warc+gzip" | "application/x-warc" => true,
            other => {
                let said = if other.is_empty() { "nothing" } else { other };
                return Err(Problem::new(
                    Kind::UnsupportedMediaType,
                    format!("Content-Type says {said}: send application/json or application/warc"),
                ));
            }
        };
        let bytes =
            Bytes::from_request(request, state)
                .await
                .map_err(|cause| match cause.status().as_u16() {
                    413 => Problem::new(
                        Kind::BodyTooLarge,
                        "the body is larger than this server reads: send fewer or smaller pages",
                    ),
                    _ => Problem::bad_request(format!("the body cannot be read: {cause}")),
                })?;
        Ok(Self { is_archive, bytes })
    }
}

impl Body {
    /// The request, if it makes sense.
    pub(crate) fn asked(
        self,
        parameters: ArchiveParameters,
        limits: &Limits,
        defaults: &Options,
    ) -> Result<Asked, Problem> {
        if self.is_archive {
            let page = parameters
                .page
                .as_deref()
                .map(|page| web_address(page, "page"))
                .transpose()?;
            let mut options = bounded(defaults.clone(), limits);
            options.method = parameters.method.unwrap_or(options.method);
            return Ok(Asked {
                from: From::Archive {
                    bytes: self.bytes,
                    page,
                },
                options,
                has_own_options: false,
                fresh: false,
                is_shown: false,
                write: WriteOptions::default(),
            });
        }
        if parameters.page.is_some() || parameters.method.is_some() {
            let message = "page and method stand in the address for archives only: say them in the JSON (url, options.method)";
            return Err(Problem::bad_request(message));
        }
        let Object(request): Object<RequestFields> =
            serde_json::from_slice(&self.bytes).map_err(|cause| {
                Problem::bad_request(format!("the JSON of the body is not as it should be: {cause}"))
            })?;
        request.asked(limits, defaults)
    }
}

impl RequestFields {
    fn asked(self, limits: &Limits, defaults: &Options) -> Result<Asked, Problem> {
        let options = self.options.0.over(defaults, limits)?;
        let from = match (self.url, self.page) {
            (Some(url), None) if self.siblings.is_empty() => From::Web(web_address(&url, "url")?),
            (Some(_), None) => {
                return Err(Problem::bad_request(
                    "siblings go with page, not with url: the siblings of a url are loaded",
                ));
            }
            (None, Some(page)) => given(page, self.siblings, limits)?,
            (Some(_), Some(_)) => return Err(Problem::bad_request("say either url or page, not both")),
            (None, None) => {
                return Err(Problem::bad_request(
                    "say which page: url to have it loaded, or page with its url and html",
                ));
            }
        };
        Ok(Asked {
            from,
            has_own_options: options == bounded(defaults.clone(), limits),
            options,
            fresh: self.fresh,
            is_shown: false,
            write: self.write.0,
        })
    }
}

impl RequestOptions {
    fn over(&self, defaults: &Options, limits: &Limits) -> Result<Options, Problem> {
        for (name, value) in [
            ("pages-to-compare", self.pages_to_compare),
            ("max-pages", self.max_pages),
        ] {
            if value == Some(0) {
                return Err(Problem::bad_request(format!(
                    "options.{name} is 0: at least 1 page is needed"
                )));
            }
        }
        let mut options = defaults.clone();
        if let Some(method) = self.method {
            options.method = method;
        }
        if let Some(pages) = self.pages_to_compare {
            if usize::from(pages) > limits.pages {
                return Err(Problem::bad_request(format!(
                    "options.pages-to-compare is {pages}: this server loads at most {} pages",
                    limits.pages
                )));
            }
            options.pages_to_compare = pages.into();
        }
        if let Some(pages) = self.max_pages {
            options.max_pages = Some(pages.into());
        }
        if let Some(same_site) = self.same_site {
            options.same_site = same_site;
        }
        Ok(bounded(options, limits))
    }
}

/// No more pages are loaded than allowed: the paper's method would ask for all that are linked.
fn bounded(mut options: Options, limits: &Limits) -> Options {
    let most = match options.method {
        Method::Paper => Some(options.max_pages.unwrap_or(limits.pages)),
        Method::Husk => options.max_pages,
    };
    options.max_pages = most.map(|most| most.min(limits.pages));
    options
}

fn given(
    Object(page): Object<GivenPage>,
    siblings: Vec<Object<GivenPage>>,
    limits: &Limits,
) -> Result<From, Problem> {
    if siblings.len() > limits.pages {
        return Err(Problem::bad_request(format!(
            "{} siblings: this server compares at most {}",
            siblings.len(),
            limits.pages
        )));
    }
    let siblings = siblings
        .into_iter()
        .enumerate()
        .map(|(number, Object(sibling))| sibling.checked(&format!("siblings[{number}].url")));
    Ok(From::Given {
        page: page.checked("page.url")?,
        siblings: siblings.collect::<Result<_, _>>()?,
    })
}

impl GivenPage {
    fn checked(self, name: &str) -> Result<UnreadPage, Problem> {
        Ok(UnreadPage {
            url: web_address(&self.url, name)?,
            html: self.html,
        })
    }
}

/// An address of the web in full.
fn web_address(text: &str, name: &str) -> Result<Url, Problem> {
    let wrong = |cause: &str| {
        let shown: String = text.chars().take(200).collect();
        Problem::bad_request(format!(
            "{name} {shown:?} {cause}: write it in full, as https://example.org/a"
        ))
    };
    let url = Url::parse(text.trim()).map_err(|cause| wrong(&format!("is no address ({cause})")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("is no address of the web"));
    }
    Ok(url)
}
