//! Parses requests: a URL, pages in the request, or a WARC archive.

use husk::dom::Dom;
use husk::output::{OUTPUTS, OutputOptions};
use husk::{Method, Options, Page, SameSite, Url};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::json_object::Object;
use crate::memory::Reservation;
use crate::problem::Problem;
use crate::settings::Limits;

/// The page to extract from: a URL, or HTML in the request.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
#[expect(
    dead_code,
    reason = "OpenAPI only: RequestFields is parsed, since it gives better errors"
)]
pub(crate) enum ExtractionRequest {
    /// Load a page.
    Web(WebRequest),
    /// Use the pages in the request.
    Given(GivenRequest),
}

/// A page to load, together with other pages of its site.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "OpenAPI only")]
pub(crate) struct WebRequest {
    /// URL of the page.
    #[schema(example = "https://example.org/a", format = "web-address")]
    url: String,
    /// How pages are selected and compared.
    #[serde(default)]
    options: RequestOptions,
    /// Ignore the learned template of the site and learn it again.
    #[serde(default)]
    fresh: bool,
    /// Format of the output, instead of what `Accept` selects.
    #[serde(default)]
    #[schema(value_type = Option<OutputFormat>)]
    format: Option<String>,
    /// How the output is written.
    #[serde(default)]
    write: WriteOptions,
}

/// A page with other pages of its site; nothing is loaded.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "OpenAPI only")]
pub(crate) struct GivenRequest {
    /// The page.
    page: GivenPage,
    /// Other pages of its site.
    #[serde(default)]
    #[schema(max_items = 50)]
    siblings: Vec<GivenPage>,
    /// How pages are selected and compared.
    #[serde(default)]
    options: RequestOptions,
    /// No effect: nothing is learned from pages in requests.
    #[serde(default)]
    fresh: bool,
    /// Format of the output, instead of what `Accept` selects.
    #[serde(default)]
    #[schema(value_type = Option<OutputFormat>)]
    format: Option<String>,
    /// How the output is written.
    #[serde(default)]
    write: WriteOptions,
}

/// The fields of both kinds of requests.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RequestFields {
    url: Option<String>,
    page: Option<Object<GivenPage>>,
    siblings: Vec<Object<GivenPage>>,
    options: Object<RequestOptions>,
    fresh: bool,
    format: Option<String>,
    write: Object<OutputOptions>,
}

/// A page in a request.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenPage {
    /// URL of the page, the target of links.
    #[schema(example = "https://example.org/a", format = "web-address")]
    pub(crate) url: String,
    /// HTML of the page.
    #[schema(
        example = "<!DOCTYPE html><title>A</title><nav><a href=/a>A</a> <a href=/b>B</a></nav><p>Only on A"
    )]
    pub(crate) html: String,
}

/// How pages are selected and compared; the server has a default for each field.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RequestOptions {
    /// Extraction method: `husk` or `paper`.
    #[schema(value_type = Option<MethodName>)]
    pub(crate) method: Option<Method>,
    /// Number of pages to compare with.
    #[schema(minimum = 1, maximum = 50)]
    #[serde(deserialize_with = "whole_number")]
    pub(crate) pages_to_compare: Option<u16>,
    /// Maximum number of other pages to load.
    #[schema(minimum = 1, maximum = 65535)]
    #[serde(deserialize_with = "whole_number")]
    pub(crate) max_pages: Option<u16>,
    /// Which pages belong to the site: those of the same `host` or `domain`.
    #[schema(value_type = Option<SameSiteName>)]
    pub(crate) same_site: Option<SameSite>,
}

/// Accepts `4.0` as well as `4`: JSON does not distinguish them.
fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(deserializer)? else {
        return Ok(None);
    };
    if number.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&number) {
        Ok(Some(number as u16))
    } else {
        let message = format!(
            "invalid number {number}: expected a whole number from 1 to {}",
            u16::MAX
        );
        Err(serde::de::Error::custom(message))
    }
}

/// Extraction method.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "OpenAPI only")]
pub(crate) enum MethodName {
    /// The default method.
    Husk,
    /// The published method.
    Paper,
}

/// Which pages belong to a site.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "OpenAPI only")]
pub(crate) enum SameSiteName {
    /// The same host.
    Host,
    /// The same registrable domain.
    Domain,
}

/// Name of a format. The router lists the names.
#[derive(Debug, ToSchema)]
#[schema(value_type = String)]
#[expect(dead_code, reason = "OpenAPI only")]
pub(crate) struct OutputFormat(String);

/// How the output is written. Fields of other parts are ignored.
// For OpenAPI only: requests are parsed as the engine's OutputOptions.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WriteOptions {
    /// Template: `keep` or `drop` scripts.
    scripts: ScriptsName,
    /// Template: write URLs `absolute` or `as-written`.
    links: LinksName,
    /// Menu: all blocks of links, not only the main menu.
    all: bool,
    /// Content: the parts to write with the body text, and no others.
    include: Option<Vec<ContentPartName>>,
    /// Content: include readers' comments.
    comments: bool,
    /// Content as JSON: format of the text.
    content_format: ContentFormatName,
    /// Content as HTML: a whole document.
    document: bool,
    /// Inspection: load nothing when it is opened, not even images.
    offline: bool,
}

/// Whether scripts are kept.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ScriptsName {
    /// Keep scripts.
    Keep,
    /// Drop scripts.
    #[default]
    Drop,
}

/// How URLs are written.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LinksName {
    /// As absolute URLs.
    #[default]
    Absolute,
    /// As written on the page.
    AsWritten,
}

/// A part of the content.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ContentPartName {
    /// The heading that is the page's title.
    Title,
    /// Author and date.
    Byline,
    /// Captions of pictures.
    Captions,
    /// Readers' comments, after the content.
    Comments,
}

/// Format of the content in JSON.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ContentFormatName {
    /// Markdown with headings, links and tables.
    #[default]
    Markdown,
    /// Plain text.
    Text,
    /// Clean HTML.
    Html,
}

/// A WARC file, gzipped or not.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "OpenAPI only")]
pub(crate) struct ArchiveFile(Vec<u8>);

/// Query parameters of a request with an archive.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ArchiveParameters {
    /// URL of the page in the archive. For archives only.
    #[param(format = "web-address")]
    pub(crate) page: Option<String>,
    /// The method. Only for archives.
    #[param(value_type = Option<MethodName>)]
    pub(crate) method: Option<Method>,
}

/// A valid request.
#[derive(Debug)]
pub(crate) struct ParsedRequest {
    pub(crate) source: PageSource,
    pub(crate) options: Options,
    /// Learned templates hold for the server's default options only.
    pub(crate) has_default_options: bool,
    pub(crate) fresh: bool,
    /// Whether to load the style sheets of the page, for outputs that are displayed.
    pub(crate) with_stylesheets: bool,
    pub(crate) format: Option<String>,
    pub(crate) write: OutputOptions,
    /// The memory of the body, held while the request runs.
    pub(crate) _memory: Reservation,
}

/// Where the pages come from.
#[derive(Debug)]
pub(crate) enum PageSource {
    Web(Url),
    Given {
        page: UnparsedPage,
        siblings: Vec<UnparsedPage>,
    },
    Archive {
        bytes: Vec<u8>,
        page: Option<Url>,
    },
}

/// A page of a request, not parsed yet: parsing happens on a blocking thread.
#[derive(Debug)]
pub(crate) struct UnparsedPage {
    url: Url,
    pub(crate) html: String,
}

impl UnparsedPage {
    pub(crate) fn parse(self) -> Page {
        Page::new(self.url, Dom::parse(&self.html))
    }
}

/// The body of a request, not read yet as what it is.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) is_archive: bool,
    pub(crate) bytes: Vec<u8>,
    pub(crate) memory: Reservation,
}

impl Body {
    /// Parses and validates the body.
    pub(crate) fn parse(
        self,
        parameters: ArchiveParameters,
        limits: &Limits,
        defaults: &Options,
    ) -> Result<ParsedRequest, Problem> {
        if self.is_archive {
            let page = parameters
                .page
                .as_deref()
                .map(|page| parse_url(page, "page"))
                .transpose()?;
            let mut options = limit_pages(defaults.clone(), limits);
            options.method = parameters.method.unwrap_or(options.method);
            return Ok(ParsedRequest {
                source: PageSource::Archive {
                    bytes: self.bytes,
                    page,
                },
                options,
                has_default_options: false,
                fresh: false,
                with_stylesheets: false,
                format: None,
                write: OutputOptions::default(),
                _memory: self.memory,
            });
        }
        if parameters.page.is_some() || parameters.method.is_some() {
            let message = "the query parameters page and method are for archives only: use url and options.method in the JSON";
            return Err(Problem::bad_request(message));
        }
        let Object(request): Object<RequestFields> = serde_json::from_slice(&self.bytes)
            .map_err(|cause| Problem::bad_request(format!("invalid JSON body: {cause}")))?;
        drop(self.bytes);
        request.parse(limits, defaults, self.memory)
    }
}

impl RequestFields {
    fn parse(
        self,
        limits: &Limits,
        defaults: &Options,
        memory: Reservation,
    ) -> Result<ParsedRequest, Problem> {
        let options = self.options.0.merge(defaults, limits)?;
        if let Some(format) = &self.format
            && !OUTPUTS.iter().any(|output| output.name == format)
        {
            let mut names: Vec<&str> = OUTPUTS.iter().map(|output| output.name).collect();
            names.sort_unstable();
            names.dedup();
            let names = names.join(", ");
            return Err(Problem::bad_request(format!(
                "unknown format {format:?}; formats are: {names}"
            )));
        }
        let source = match (self.url, self.page) {
            (Some(url), None) if self.siblings.is_empty() => PageSource::Web(parse_url(&url, "url")?),
            (Some(_), None) => {
                return Err(Problem::bad_request(
                    "siblings cannot be combined with url: use page",
                ));
            }
            (None, Some(page)) => parse_given(page, self.siblings, limits)?,
            (Some(_), Some(_)) => return Err(Problem::bad_request("url and page cannot be combined")),
            (None, None) => {
                return Err(Problem::bad_request(
                    "missing page: give url, or page with url and html",
                ));
            }
        };
        Ok(ParsedRequest {
            source,
            has_default_options: options == limit_pages(defaults.clone(), limits),
            options,
            fresh: self.fresh,
            with_stylesheets: false,
            format: self.format,
            write: self.write.0,
            _memory: memory,
        })
    }
}

impl RequestOptions {
    fn merge(&self, defaults: &Options, limits: &Limits) -> Result<Options, Problem> {
        for (name, value) in [
            ("pages_to_compare", self.pages_to_compare),
            ("max_pages", self.max_pages),
        ] {
            if value == Some(0) {
                return Err(Problem::bad_request(format!("options.{name} must be at least 1")));
            }
        }
        let mut options = defaults.clone();
        if let Some(method) = self.method {
            options.method = method;
        }
        if let Some(pages) = self.pages_to_compare {
            if usize::from(pages) > limits.pages {
                return Err(Problem::bad_request(format!(
                    "options.pages_to_compare is {pages}: the limit of this server is {}",
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
        Ok(limit_pages(options, limits))
    }
}

/// Applies the server's page limit. The paper's method has none of its own.
fn limit_pages(mut options: Options, limits: &Limits) -> Options {
    let most = match options.method {
        Method::Paper => Some(options.max_pages.unwrap_or(limits.pages)),
        Method::Husk => options.max_pages,
    };
    options.max_pages = most.map(|most| most.min(limits.pages));
    options
}

fn parse_given(
    Object(page): Object<GivenPage>,
    siblings: Vec<Object<GivenPage>>,
    limits: &Limits,
) -> Result<PageSource, Problem> {
    if siblings.len() > limits.pages {
        return Err(Problem::bad_request(format!(
            "{} siblings: the limit of this server is {}",
            siblings.len(),
            limits.pages
        )));
    }
    let siblings = siblings
        .into_iter()
        .enumerate()
        .map(|(number, Object(sibling))| sibling.check(&format!("siblings[{number}].url")));
    Ok(PageSource::Given {
        page: page.check("page.url")?,
        siblings: siblings.collect::<Result<_, _>>()?,
    })
}

impl GivenPage {
    fn check(self, name: &str) -> Result<UnparsedPage, Problem> {
        Ok(UnparsedPage {
            url: parse_url(&self.url, name)?,
            html: self.html,
        })
    }
}

/// Parses an absolute http or https URL.
fn parse_url(text: &str, name: &str) -> Result<Url, Problem> {
    let invalid = |cause: &str| {
        let shown: String = text.chars().take(200).collect();
        Problem::bad_request(format!(
            "{name} {shown:?}: {cause}; expected an absolute URL such as https://example.org/a"
        ))
    };
    let url = Url::parse(text.trim()).map_err(|cause| invalid(&cause.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid("unsupported URL scheme"));
    }
    Ok(url)
}
