//! The content as one JSON object, for programs.

use husk_dom::{Dom, NodeId, NodeKind};
use serde::Serialize;
use url::Url;

use super::included::included_nodes;
use super::nodes::write_nodes;
use super::options::OutputOptions;
use super::registry::{JSON, Output, Part, json_text};
use super::text::nodes_text;
use super::xpath::{NodePath, NodePaths};
use crate::analysis::Analysis;
use crate::mapping::NodeSet;
use crate::measure::words;
use crate::posts::Post;

pub(super) const CONTENT_JSON: Output = Output {
    part: Part::Content,
    name: "json",
    media_type: JSON,
    extension: "json",
    help: "One object: title, author, dates and so on, and the content",
    options: &["include", "comments", "content_format"],
    writer: |analysis, options| json_text(&content_json(analysis, options)),
};

/// What `husk content --format json` prints. Fields are added over time, not renamed or taken away.
#[derive(Debug, Clone, Serialize)]
pub struct ContentJson<'a> {
    /// The page whose content was wanted.
    pub key_page: String,
    /// How the template was found: `husk` or `paper`.
    pub template_method: &'static str,
    /// How the content was found: `template` or `single-page`.
    pub method: &'static str,
    /// Every page that was loaded, the key page first.
    pub loaded: Vec<String>,
    /// The pages that the key page was compared with.
    pub compared: Vec<String>,
    /// The title of what is on the page, without the site's name.
    pub title: Option<String>,
    /// Who wrote it.
    pub byline: Option<String>,
    /// When it was published, in the form of RFC 3339 if possible.
    pub published: Option<String>,
    /// When it was last changed.
    pub modified: Option<String>,
    /// Its language, as a BCP 47 tag.
    pub language: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// The URL it wants to be known by.
    pub canonical: Option<String>,
    /// An image that stands for it.
    pub image: Option<String>,
    /// The name of its site.
    pub site_name: Option<String>,
    /// The form of `content` and `comments`: `markdown`, `text` or `html`.
    pub format: &'static str,
    /// The content.
    pub content: String,
    /// What readers wrote about it, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments: Option<String>,
    /// The posts of the thread that the content is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub posts: Vec<PostJson>,
    /// The comments one by one, if they were asked for and are in elements of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comment_posts: Vec<PostJson>,
    /// The reviews of what the page is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reviews: Vec<PostJson>,
    /// How many words the content has.
    pub words: usize,
    /// The XPaths of the nodes that the content consists of, each with all that is in it but for what was cut out.
    pub xpaths: Vec<NodePath<'a>>,
}

/// A post of a thread, a comment or a review.
#[derive(Debug, Clone, Serialize)]
pub struct PostJson {
    /// Who wrote it.
    pub author: Option<String>,
    /// When, in the form of RFC 3339 if possible.
    pub date: Option<String>,
    /// The rating of a review, on the scale of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
    /// The highest possible rating, if the page says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_rating: Option<f64>,
    /// The text, in the form of `content`.
    pub text: String,
}

/// The content as a serialisable value.
pub fn content_json<'a>(analysis: &'a Analysis, options: &OutputOptions) -> ContentJson<'a> {
    let (extraction, page, content) = (analysis.extraction(), analysis.page(), analysis.content());
    let metadata = analysis.metadata().clone();
    let nodes = included_nodes(analysis, options);
    let format = options.content_format;
    // A URL below a placeholder, or of a file, is none that others can use.
    let is_real = |url: &Url| {
        let relocation = options.relocation.as_ref();
        url.scheme() != "file" && relocation.is_none_or(|relocation| !relocation.is_placeholder(url))
    };
    let text_of = |nodes: &NodeSet| write_nodes(page, nodes, format, options);
    let posts = analysis.posts();
    let with_comments = options.includes_comments();
    ContentJson {
        key_page: page.url.to_string(),
        template_method: extraction.method,
        method: content.method.name(),
        loaded: extraction.loaded.iter().map(ToString::to_string).collect(),
        compared: extraction.compared.iter().map(ToString::to_string).collect(),
        title: metadata.title,
        byline: metadata.byline,
        published: metadata.published,
        modified: metadata.modified,
        language: metadata.language,
        description: metadata.description,
        canonical: metadata.canonical.filter(is_real).map(Into::into),
        image: metadata.image.filter(is_real).map(Into::into),
        site_name: metadata.site_name,
        format: format.name(),
        content: text_of(&nodes),
        comments: with_comments.then(|| text_of(&content.comments)),
        posts: posts_json(&posts.posts, options),
        comment_posts: posts_json(if with_comments { &posts.comments } else { &[] }, options),
        reviews: posts_json(&posts.reviews, options),
        words: words(&nodes_text(page, &nodes)).count(),
        xpaths: roots(&page.dom, &nodes),
    }
}

fn posts_json(posts: &[Post], options: &OutputOptions) -> Vec<PostJson> {
    let post_json = |post: &Post| {
        let all = NodeSet::all(&post.text.dom);
        PostJson {
            author: post.author.clone(),
            date: post.date.clone(),
            rating: post.rating.map(|rating| rating.value),
            best_rating: post.rating.and_then(|rating| rating.best),
            text: write_nodes(&post.text, &all, options.content_format, options),
        }
    };
    posts.iter().map(post_json).collect()
}

/// The XPaths of the nodes of a set whose parents are not in it.
fn roots<'a>(dom: &'a Dom, nodes: &NodeSet) -> Vec<NodePath<'a>> {
    let paths = NodePaths::of(dom);
    let is_root = |node: &NodeId| dom.parent(*node).is_none_or(|parent| !nodes.contains(parent));
    let is_listed = |node: &NodeId| match dom.kind(*node) {
        NodeKind::Element => true,
        NodeKind::Text => !dom.is_blank_text(*node),
        _ => false,
    };
    nodes
        .iter()
        .filter(|node| is_root(node) && is_listed(node) && dom.is_in_page(*node))
        .map(|node| paths.path(node))
        .collect()
}
