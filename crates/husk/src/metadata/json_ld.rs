//! JSON-LD of a page.

use super::numbers::MOST_OBJECTS;
use husk_dom::{Dom, name};
use indexmap::IndexMap;
use serde_json::{Map, Value};

/// The objects of a page's JSON-LD.
#[derive(Debug, Default)]
pub(crate) struct JsonLd {
    objects: Vec<Map<String, Value>>,
    /// The objects that others refer to.
    by_id: IndexMap<String, usize>,
}

impl JsonLd {
    pub(crate) fn of(dom: &Dom) -> Self {
        let mut found = Self::default();
        for node in dom.nodes().filter(|&node| dom.is_element(node, &name!("script"))) {
            let kind = dom.attribute(node, &name!("type")).unwrap_or_default();
            if kind
                .trim()
                .to_ascii_lowercase()
                .starts_with("application/ld+json")
                && let Some(value) = parse(dom.text_of(node))
            {
                found.add(value);
            }
        }
        found
    }

    /// Adds an object and those in it, outermost first.
    fn add(&mut self, value: Value) {
        let mut waiting = std::collections::VecDeque::from([value]);
        while let Some(value) = waiting.pop_front() {
            match value {
                Value::Array(values) => waiting.extend(values),
                Value::Object(object) if self.objects.len() < MOST_OBJECTS => {
                    for key in [
                        "@graph",
                        "mainEntity",
                        "mainEntityOfPage",
                        "author",
                        "publisher",
                        "isPartOf",
                    ] {
                        waiting.extend(object.get(key).filter(|value| !value.is_string()).cloned());
                    }
                    if let Some(id) = object
                        .get("@id")
                        .and_then(Value::as_str)
                        .filter(|_| object.len() > 1)
                    {
                        self.by_id.entry(id.to_owned()).or_insert(self.objects.len());
                    }
                    self.objects.push(object);
                }
                _ => {}
            }
        }
    }

    /// All objects.
    pub(crate) fn objects(&self) -> &[Map<String, Value>] {
        &self.objects
    }

    /// The types of an object, without their vocabulary.
    pub(crate) fn types(object: &Map<String, Value>) -> impl Iterator<Item = &str> {
        types(object)
    }

    /// The object that describes the page: an article before other works before the page as such.
    pub(crate) fn main(&self) -> Option<&Map<String, Value>> {
        let best = self.objects.iter().map(rank).max().filter(|&rank| rank > 0)?;
        self.objects.iter().find(|object| rank(object) == best)
    }

    /// The first object of a type.
    pub(crate) fn of_type(&self, wanted: &str) -> Option<&Map<String, Value>> {
        self.objects
            .iter()
            .find(|object| types(object).any(|kind| kind == wanted))
    }

    /// The names of people or organisations, given as texts, objects, references or lists of these.
    pub(crate) fn names(&self, value: &Value) -> Vec<String> {
        let mut names = Vec::new();
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            match value {
                Value::String(name) => names.push(name.clone()),
                Value::Array(values) => waiting.extend(values.iter().rev()),
                Value::Object(object) => match object.get("name") {
                    Some(name) => waiting.push(name),
                    None => names.extend(self.name_of(object)),
                },
                _ => {}
            }
        }
        names
    }

    fn name_of(&self, reference: &Map<String, Value>) -> Option<String> {
        let id = reference.get("@id")?.as_str()?;
        let object = self.objects.get(*self.by_id.get(id)?)?;
        object.get("name")?.as_str().map(str::to_owned)
    }
}

/// The first text in a value: itself, the first of a list, or the URL of an object.
pub(crate) fn first_text(value: &Value) -> Option<&str> {
    let mut value = value;
    // Deeper nesting than a list of objects does not occur.
    for _ in 0..4 {
        match value {
            Value::String(text) => return Some(text),
            Value::Array(values) => value = values.first()?,
            Value::Object(object) => {
                value = ["url", "contentUrl", "@value", "@id", "name"]
                    .iter()
                    .find_map(|key| object.get(*key))?;
            }
            _ => return None,
        }
    }
    None
}

fn types(object: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let kinds = match object.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().collect(),
        Some(kind) => vec![kind],
        None => Vec::new(),
    };
    kinds
        .into_iter()
        .filter_map(Value::as_str)
        .map(|kind| kind.rsplit(['/', ':']).next().unwrap_or(kind))
}

/// How likely an object describes the page.
fn rank(object: &Map<String, Value>) -> u8 {
    let of_kind = |kind: &str| match kind {
        kind if kind.ends_with("Article") || kind.ends_with("Posting") && kind != "JobPosting" => 4,
        "Report" | "APIReference" | "Review" | "Recipe" | "HowTo" => 4,
        "Product"
        | "Event"
        | "Course"
        | "Book"
        | "Movie"
        | "VideoObject"
        | "SoftwareApplication"
        | "JobPosting"
        | "Question"
        | "CreativeWork"
        | "Dataset" => 3,
        kind if kind.ends_with("Page") => 2,
        _ => 0,
    };
    types(object).map(of_kind).max().unwrap_or(0)
}

/// Reads JSON, also with common mistakes: comments around it, raw line breaks in strings, trailing commas.
fn parse(text: &str) -> Option<Value> {
    let text = text.trim();
    let text = text
        .trim_start_matches("//")
        .trim_start_matches("<![CDATA[")
        .trim_start_matches("<!--")
        .trim();
    let text = text
        .trim_end_matches("-->")
        .trim_end_matches("]]>")
        .trim_end_matches("//")
        .trim_end();
    let text = text.trim_end_matches(';');
    serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&mended(text)))
        .ok()
}

/// JSON without raw control characters in strings and without trailing commas.
fn mended(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_text, mut is_escaped) = (false, false);
    for letter in text.chars() {
        if in_text {
            match letter {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '"' => in_text = false,
                _ => {}
            }
            out.push(if letter.is_control() { ' ' } else { letter });
            continue;
        }
        match letter {
            '"' => in_text = true,
            '}' | ']' => {
                let end = out.trim_end().len();
                if out[..end].ends_with(',') {
                    out.truncate(end - 1);
                }
            }
            _ => {}
        }
        out.push(letter);
    }
    out
}
