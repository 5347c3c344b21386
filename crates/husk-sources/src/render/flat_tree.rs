//! Writes a page as it is composed: shadow trees in place, their slots filled.
//!
//! In: a [`Snapshot`], the answer to `DOMSnapshot.captureSnapshot`, where a browser lists the nodes of all documents of a tab the way
//! they are composed, open and closed shadow roots alike. Out: HTML, as if the page had been written so.

use husk::Url;
use serde::Deserialize;

/// What a browser lists.
#[derive(Debug, Deserialize)]
pub(super) struct Snapshot {
    documents: Vec<Document>,
    /// Each text once; everything else says which.
    strings: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    #[serde(rename = "documentURL")]
    document_url: i32,
    #[serde(rename = "baseURL")]
    base_url: i32,
    nodes: Nodes,
}

/// The nodes of a document, a column for each thing to say of them; parents come first.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Nodes {
    parent_index: Vec<i32>,
    node_type: Vec<u8>,
    node_name: Vec<i32>,
    node_value: Vec<i32>,
    attributes: Vec<Vec<i32>>,
    #[serde(default)]
    shadow_root_type: Sparse,
    #[serde(default)]
    content_document_index: Sparse,
}

/// A column that holds for some nodes only.
#[derive(Debug, Default, Deserialize)]
struct Sparse {
    index: Vec<usize>,
    value: Vec<usize>,
}

impl Sparse {
    fn get(&self, node: usize) -> Option<usize> {
        let at = self.index.binary_search(&node).ok()?;
        self.value.get(at).copied()
    }
}

/// There is more of a page than allowed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

/// Whether frames of the same origin are put in place as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frames {
    Folded,
    Unfolded,
}

/// The root element of a page, without the type of its document.
pub(super) fn html(snapshot: Snapshot, frames: Frames, max_bytes: u64) -> Result<String, TooLarge> {
    let children = snapshot.documents.iter().map(children).collect();
    let writer = Writer {
        snapshot,
        children,
        frames,
        max_bytes,
    };
    writer.write()
}

/// The children of each node of a document, in order.
fn children(document: &Document) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); document.nodes.parent_index.len()];
    for (node, &parent) in document.nodes.parent_index.iter().enumerate() {
        // A child before its parent would be a circle, perhaps.
        if let Some(parent) = usize::try_from(parent).ok().filter(|&parent| parent < node) {
            children[parent].push(node);
        }
    }
    children
}

/// A node: which document, which of its nodes.
type Place = (usize, usize);

/// What remains to be done. A page may be nested deeper than a call stack is.
enum Step {
    Write(Place),
    Close(String),
}

struct Writer {
    snapshot: Snapshot,
    children: Vec<Vec<Vec<usize>>>,
    frames: Frames,
    max_bytes: u64,
}

impl Writer {
    fn write(&self) -> Result<String, TooLarge> {
        let mut out = String::new();
        let mut steps = vec![Step::Write((0, 0))];
        // Documents cannot hold each other; a list that says so would not end.
        let mut entered: Vec<bool> = (0..self.snapshot.documents.len())
            .map(|document| document == 0)
            .collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Close(name) => out.extend(["</", &name, ">"]),
                Step::Write(place) => self.write_node(place, &mut out, &mut steps, &mut entered),
            }
            if out.len() as u64 > self.max_bytes {
                return Err(TooLarge);
            }
        }
        Ok(out)
    }

    fn write_node(&self, place: Place, out: &mut String, steps: &mut Vec<Step>, entered: &mut [bool]) {
        const ELEMENT: u8 = 1;
        const TEXT: u8 = 3;
        const COMMENT: u8 = 8;
        const DOCUMENT: u8 = 9;
        match self.nodes(place).and_then(|nodes| nodes.node_type.get(place.1)) {
            Some(&ELEMENT) => self.write_element(place, out, steps, entered),
            Some(&TEXT) => self.write_text(place, out),
            Some(&COMMENT) => out.extend(["<!--", self.value(place), "-->"]),
            Some(&DOCUMENT) => self.push_children(place, steps),
            _ => {}
        }
    }

    fn write_element(&self, place: Place, out: &mut String, steps: &mut Vec<Step>, entered: &mut [bool]) {
        let name = self.name(place);
        if name.starts_with("::") || (self.is_in_shadow(place) && is_style(&name)) {
            // Made by a style sheet; or a style that holds within its shadow tree and would now hold everywhere.
            return;
        }
        if name == "slot" && self.is_in_shadow(place) {
            return self.push_children(place, steps);
        }
        if let Some(document) = self.unfolded(place, &name)
            && let Some(is_entered) = entered.get_mut(document)
            && !std::mem::replace(is_entered, true)
            && let Some(body) = self.body(document)
        {
            let address = self.string(self.snapshot.documents[document].document_url);
            out.push_str("<div data-husk-frame=\"");
            escape_attribute(address, out);
            out.push_str("\">");
            steps.push(Step::Close("div".to_owned()));
            return self.push_children((document, body), steps);
        }
        let name = self.name_to_write(place, name);
        out.extend(["<", &name]);
        self.write_attributes(place, out);
        out.push('>');
        if !is_void(&name) {
            steps.push(Step::Close(name));
            self.push_children(place, steps);
        }
    }

    /// Framesets hold nothing but frames, so where those are put in place they are something else.
    fn name_to_write(&self, place: Place, name: String) -> String {
        if self.frames == Frames::Folded || name != "frameset" {
            return name;
        }
        let is_body = self
            .parent(place)
            .is_none_or(|parent| self.name(parent) == "html");
        if is_body { "body" } else { "div" }.to_owned()
    }

    fn write_attributes(&self, place: Place, out: &mut String) {
        let attributes = self.nodes(place).and_then(|nodes| nodes.attributes.get(place.1));
        for pair in attributes.map_or(&[][..], Vec::as_slice).chunks_exact(2) {
            let (name, value) = (self.string(pair[0]), self.string(pair[1]));
            out.extend([" ", name, "=\""]);
            match self.resolved(place, name, value) {
                Some(url) => escape_attribute(url.as_str(), out),
                None => escape_attribute(value, out),
            }
            out.push('"');
        }
    }

    /// The address in an attribute, where it is relative to another document than the page.
    fn resolved(&self, place: Place, name: &str, value: &str) -> Option<Url> {
        if place.0 == 0 || !matches!(name, "href" | "src" | "action") {
            return None;
        }
        let base = self.string(self.snapshot.documents.get(place.0)?.base_url);
        Url::parse(base).ok()?.join(value).ok()
    }

    fn write_text(&self, place: Place, out: &mut String) {
        let is_raw = self
            .parent(place)
            .is_some_and(|parent| is_raw(&self.name(parent)));
        if is_raw {
            out.push_str(self.value(place));
        } else {
            escape_text(self.value(place), out);
        }
    }

    /// The document in a frame that is to be put in its place.
    fn unfolded(&self, place: Place, name: &str) -> Option<usize> {
        if self.frames == Frames::Folded || !matches!(name, "iframe" | "frame") {
            return None;
        }
        let document = self.nodes(place)?.content_document_index.get(place.1)?;
        self.is_same_origin(place, document).then_some(document)
    }

    fn is_same_origin(&self, frame: Place, document: usize) -> bool {
        if self
            .attribute(frame, "sandbox")
            .is_some_and(|rights| !rights.contains("allow-same-origin"))
        {
            return false;
        }
        let address = |document: usize| {
            let document = self.snapshot.documents.get(document)?;
            Url::parse(self.string(document.document_url)).ok()
        };
        match (address(frame.0), address(document)) {
            // Documents without an address of their own have the origin of the one they are in.
            (Some(outer), Some(inner)) => {
                inner.scheme() == "about" || outer.scheme() == "about" || outer.origin() == inner.origin()
            }
            _ => false,
        }
    }

    fn body(&self, document: usize) -> Option<usize> {
        let nodes = 0..self.children.get(document)?.len();
        nodes
            .into_iter()
            .find(|&node| matches!(self.name((document, node)).as_str(), "body" | "frameset"))
    }

    fn push_children(&self, (document, node): Place, steps: &mut Vec<Step>) {
        let children = self
            .children
            .get(document)
            .and_then(|children| children.get(node));
        let children = children.map_or(&[][..], Vec::as_slice);
        steps.extend(children.iter().rev().map(|&child| Step::Write((document, child))));
    }

    fn nodes(&self, (document, _): Place) -> Option<&Nodes> {
        Some(&self.snapshot.documents.get(document)?.nodes)
    }

    fn parent(&self, place: Place) -> Option<Place> {
        let &parent = self.nodes(place)?.parent_index.get(place.1)?;
        Some((place.0, usize::try_from(parent).ok()?))
    }

    fn is_in_shadow(&self, place: Place) -> bool {
        self.nodes(place)
            .and_then(|nodes| nodes.shadow_root_type.get(place.1))
            .is_some()
    }

    /// In small letters, which the parser turns into what vector graphics need.
    fn name(&self, place: Place) -> String {
        let name = self.nodes(place).and_then(|nodes| nodes.node_name.get(place.1));
        name.map(|&name| self.string(name).to_ascii_lowercase())
            .unwrap_or_default()
    }

    fn value(&self, place: Place) -> &str {
        let value = self.nodes(place).and_then(|nodes| nodes.node_value.get(place.1));
        value.map_or("", |&value| self.string(value))
    }

    fn attribute(&self, place: Place, name: &str) -> Option<&str> {
        let attributes = self.nodes(place)?.attributes.get(place.1)?;
        let mut pairs = attributes.chunks_exact(2);
        pairs
            .find(|pair| self.string(pair[0]) == name)
            .map(|pair| self.string(pair[1]))
    }

    fn string(&self, index: i32) -> &str {
        let index = usize::try_from(index).ok();
        index
            .and_then(|index| self.snapshot.strings.get(index))
            .map_or("", String::as_str)
    }
}

fn is_style(name: &str) -> bool {
    matches!(name, "style" | "link")
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
            | "basefont"
            | "bgsound"
            | "frame"
            | "keygen"
            | "param"
    )
}

/// Elements whose text is written as it is.
fn is_raw(name: &str) -> bool {
    matches!(
        name,
        "script" | "style" | "xmp" | "iframe" | "noembed" | "noframes" | "plaintext" | "noscript"
    )
}

fn escape_text(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            _ => out.push(letter),
        }
    }
}

fn escape_attribute(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            _ => out.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Lists a document as a browser does: parent, kind, name, value, attributes, whether it is in a shadow tree.
    struct Listing {
        strings: Vec<String>,
    }

    type Row<'a> = (i64, u8, &'a str, &'a str, &'a [&'a str], bool);

    impl Listing {
        fn index(&mut self, text: &str) -> usize {
            self.strings.push(text.to_owned());
            self.strings.len() - 1
        }

        fn document(&mut self, url: &str, rows: &[Row<'_>], frame: Option<(usize, usize)>) -> Value {
            let shadows: Vec<_> = (0..rows.len()).filter(|&row| rows[row].5).collect();
            json!({
                "documentURL": self.index(url),
                "baseURL": self.index(url),
                "nodes": {
                    "parentIndex": rows.iter().map(|row| row.0).collect::<Vec<_>>(),
                    "nodeType": rows.iter().map(|row| row.1).collect::<Vec<_>>(),
                    "nodeName": rows.iter().map(|row| self.index(row.2)).collect::<Vec<_>>(),
                    "nodeValue": rows.iter().map(|row| self.index(row.3)).collect::<Vec<_>>(),
                    "attributes": rows.iter().map(|row| {
                        row.4.iter().map(|text| self.index(text)).collect::<Vec<_>>()
                    }).collect::<Vec<_>>(),
                    "shadowRootType": { "index": shadows, "value": vec![0; shadows.len()] },
                    "contentDocumentIndex": {
                        "index": frame.iter().map(|frame| frame.0).collect::<Vec<_>>(),
                        "value": frame.iter().map(|frame| frame.1).collect::<Vec<_>>(),
                    },
                },
            })
        }
    }

    fn html(snapshot: Value, frames: Frames, max_bytes: u64) -> Result<String, TooLarge> {
        super::html(serde_json::from_value(snapshot).unwrap(), frames, max_bytes)
    }

    fn write(rows: &[Row<'_>]) -> String {
        let mut listing = Listing { strings: Vec::new() };
        let document = listing.document("https://example.org/", rows, None);
        let snapshot = json!({ "documents": [document], "strings": listing.strings });
        html(snapshot, Frames::Unfolded, 10_000).unwrap()
    }

    #[test]
    fn writes_what_it_is_told() {
        let rows: &[Row<'_>] = &[
            (-1, 9, "#document", "", &[], false),
            (0, 10, "html", "", &[], false),
            (0, 1, "HTML", "", &["lang", "a\"b&c"], false),
            (2, 1, "BODY", "", &[], false),
            (3, 3, "#text", "1 < 2 &\u{a0}3", &[], false),
            (3, 1, "BR", "", &[], false),
            (3, 8, "#comment", " so ", &[], false),
            (3, 1, "SCRIPT", "", &[], false),
            (7, 3, "#text", "a < b && c", &[], false),
            (3, 1, "svg", "", &[], false),
            (9, 1, "linearGradient", "", &[], false),
            (3, 1, "::before", "", &[], false),
        ];
        assert_eq!(
            write(rows),
            "<html lang=\"a&quot;b&amp;c\"><body>1 &lt; 2 &amp;&nbsp;3<br><!-- so --><script>a < b && c</script>\
             <svg><lineargradient></lineargradient></svg></body></html>"
        );
    }

    #[test]
    fn slots_and_styles_of_shadow_trees_vanish() {
        let rows: &[Row<'_>] = &[
            (-1, 9, "#document", "", &[], false),
            (0, 1, "MY-MENU", "", &[], false),
            (1, 1, "STYLE", "", &[], true),
            (2, 3, "#text", "a { color: red }", &[], true),
            (1, 1, "NAV", "", &[], true),
            (4, 1, "SLOT", "", &[], true),
            (5, 1, "A", "", &["href", "/a"], false),
            (0, 1, "SLOT", "", &[], false),
            (0, 1, "STYLE", "", &[], false),
        ];
        assert_eq!(
            write(rows),
            "<my-menu><nav><a href=\"/a\"></a></nav></my-menu><slot></slot><style></style>"
        );
    }

    fn frame(url: &str, attributes: &[&str], frames: Frames) -> String {
        let mut listing = Listing { strings: Vec::new() };
        let outer: &[Row<'_>] = &[
            (-1, 9, "#document", "", &[], false),
            (0, 1, "IFRAME", "", attributes, false),
        ];
        let inner: &[Row<'_>] = &[
            (-1, 9, "#document", "", &[], false),
            (0, 1, "HTML", "", &[], false),
            (1, 1, "BODY", "", &[], false),
            (2, 1, "A", "", &["href", "b"], false),
        ];
        let documents = [
            listing.document("https://example.org/", outer, Some((1, 1))),
            listing.document(url, inner, None),
        ];
        html(
            json!({ "documents": documents, "strings": listing.strings }),
            frames,
            10_000,
        )
        .unwrap()
    }

    #[test]
    fn frames_of_the_same_origin_are_put_in_place() {
        let unfolded = "<div data-husk-frame=\"https://example.org/in/a\"><a href=\"https://example.org/in/b\"></a></div>";
        assert_eq!(frame("https://example.org/in/a", &[], Frames::Unfolded), unfolded);
        assert_eq!(
            frame("https://example.org/in/a", &[], Frames::Folded),
            "<iframe></iframe>"
        );
        assert_eq!(
            frame("https://example.com/in/a", &[], Frames::Unfolded),
            "<iframe></iframe>"
        );
        assert_eq!(
            frame("https://example.org/in/a", &["sandbox", ""], Frames::Unfolded),
            "<iframe sandbox=\"\"></iframe>"
        );
    }

    #[test]
    fn depth_size_and_nonsense_are_bounded() {
        let mut rows: Vec<Row<'_>> = vec![(-1, 9, "#document", "", &[], false)];
        rows.extend((0..200_000).map(|parent| (parent, 1, "B", "", &[][..], false)));
        let mut listing = Listing { strings: Vec::new() };
        let document = listing.document("https://example.org/", &rows, None);
        let snapshot = json!({ "documents": [document], "strings": listing.strings });
        assert_eq!(
            html(snapshot.clone(), Frames::Folded, 10_000_000).unwrap().len(),
            200_000 * 7
        );
        assert_eq!(html(snapshot, Frames::Folded, 10_000), Err(TooLarge));
        assert!(serde_json::from_value::<Snapshot>(json!({"documents": 3})).is_err());
        let mut listing = Listing { strings: Vec::new() };
        let rows: &[Row<'_>] = &[
            (-1, 9, "#document", "", &[], false),
            (0, 1, "IFRAME", "", &[], false),
        ];
        let circle = listing.document("https://example.org/", rows, Some((1, 0)));
        let circle = json!({ "documents": [circle], "strings": listing.strings });
        assert!(html(circle, Frames::Unfolded, 10_000).is_ok());
    }
}
