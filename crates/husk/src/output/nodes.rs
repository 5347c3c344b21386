//! Any nodes of a page in any format for readers.

use super::content_html::{in_document, nodes_html};
use super::included::included_nodes;
use super::markdown::nodes_markdown;
use super::options::{ContentFormat, OutputOptions};
use super::text::nodes_text;
use crate::analysis::Analysis;
use crate::mapping::NodeSet;
use crate::page::Page;

/// Some nodes of a page in a format for readers.
pub fn write_nodes(page: &Page, nodes: &NodeSet, format: ContentFormat, options: &OutputOptions) -> String {
    match format {
        ContentFormat::Markdown => nodes_markdown(page, nodes, options),
        ContentFormat::Text => nodes_text(page, nodes),
        ContentFormat::Html => nodes_html(page, nodes, options),
    }
}

/// The content, followed by the comments if they are wanted and there are any.
pub(super) fn write_content(analysis: &Analysis, format: ContentFormat, options: &OutputOptions) -> String {
    let (page, content) = (analysis.page(), analysis.content());
    let mut out = write_nodes(page, &included_nodes(analysis, options), format, options);
    let comments = if options.includes_comments() {
        write_nodes(page, &content.comments, format, options)
    } else {
        String::new()
    };
    let has_comments = !comments.trim().is_empty();
    if format == ContentFormat::Html {
        out = format!("<article>{out}</article>\n");
        if has_comments {
            out += &format!("<section>{comments}</section>\n");
        }
        if options.document {
            out = in_document(&out, analysis.metadata());
        }
    } else if has_comments {
        out += &format!("\n---\n\n{comments}");
    }
    out
}
