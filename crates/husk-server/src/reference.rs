//! The OpenAPI description as an HTML page without scripts.

use std::fmt::Write;

use husk::output::Escaped;
use serde_json::Value;

const STYLE: &str = include_str!("reference.css");

/// Renders the page.
pub(crate) fn reference(openapi: &Value) -> String {
    let mut out = String::new();
    // Writing to a string does not fail, here and below.
    let _ = write_page(openapi, &mut out);
    out
}

fn write_page(openapi: &Value, out: &mut String) -> std::fmt::Result {
    let title = text(&openapi["info"]["title"]);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{0}</title>\n<style>\n{STYLE}</style>\n\
         <header><h1>{0}</h1>\n<p>{1}</p>\n<p><a href=\"/v1/openapi.json\">openapi.json</a> · <a href=\"/\">web page</a></p></header>\n<main>\n",
        Escaped(&title),
        Prose(&text(&openapi["info"]["description"])),
    )?;
    for tag in items(&openapi["tags"]) {
        let name = text(&tag["name"]);
        writeln!(
            out,
            "<section><h2>{}</h2>\n<p>{}</p>",
            Escaped(&name),
            Prose(&text(&tag["description"]))
        )?;
        for (path, method, operation) in operations(openapi) {
            if items(&operation["tags"]).any(|tag| tag == name.as_str()) {
                write_operation(openapi, path, method, operation, out)?;
            }
        }
        out.push_str("</section>\n");
    }
    out.push_str("<section><h2>Types</h2>\n");
    for (name, schema) in fields(&openapi["components"]["schemas"]) {
        write!(
            out,
            "<article id=\"type-{0}\"><h3>{0}</h3>\n<p>{1}</p>\n",
            Escaped(name),
            Prose(&text(&schema["description"]))
        )?;
        write_schema(schema, out)?;
        out.push_str("</article>\n");
    }
    out.push_str("</section>\n</main>\n</html>\n");
    Ok(())
}

fn operations(openapi: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    fields(&openapi["paths"])
        .flat_map(|(path, methods)| fields(methods).map(move |(method, operation)| (path, method, operation)))
}

fn write_operation(
    openapi: &Value,
    path: &str,
    method: &str,
    operation: &Value,
    out: &mut String,
) -> std::fmt::Result {
    write!(
        out,
        "<article><h3><code><b>{}</b> {}</code></h3>\n<p><strong>{}.</strong> {}</p>\n",
        Escaped(&method.to_uppercase()),
        Escaped(path),
        Escaped(text(&operation["summary"]).trim_end_matches('.')),
        Prose(&text(&operation["description"])),
    )?;
    let parameters: Vec<&Value> = items(&operation["parameters"]).collect();
    if !parameters.is_empty() {
        out.push_str("<table><caption>Parameters</caption>\n");
        for parameter in parameters {
            writeln!(
                out,
                "<tr><th><code>{}</code><td>{}, {}<td>{}",
                Escaped(&text(&parameter["name"])),
                Escaped(&text(&parameter["in"])),
                type_link(&parameter["schema"]),
                Prose(&text(&parameter["description"]))
            )?;
        }
        out.push_str("</table>\n");
    }
    if let Some(content) = operation["requestBody"]["content"].as_object() {
        out.push_str("<table><caption>Request</caption>\n");
        for (media_type, body) in content {
            writeln!(
                out,
                "<tr><th><code>{}</code><td>{}",
                Escaped(media_type),
                type_link(&body["schema"])
            )?;
        }
        out.push_str("</table>\n");
    }
    out.push_str("<table><caption>Responses</caption>\n");
    for (status, response) in fields(&operation["responses"]) {
        let forms: Vec<String> = fields(&response["content"])
            .map(|(media_type, body)| {
                format!(
                    "<code>{}</code> {}",
                    Escaped(media_type),
                    type_link(&body["schema"])
                )
            })
            .collect();
        writeln!(
            out,
            "<tr><th><code>{}</code><td>{}<td>{}",
            Escaped(status),
            Prose(&text(&response["description"])),
            forms.join("<br>")
        )?;
    }
    out.push_str("</table>\n");
    if method == "post" && !openapi["servers"].is_null() {
        write_example(path, out)?;
    }
    out.push_str("</article>\n");
    Ok(())
}

fn write_example(path: &str, out: &mut String) -> std::fmt::Result {
    writeln!(
        out,
        "<pre>curl -H 'Content-Type: application/json' -d '{{\"url\": \"https://example.org/\"}}' http://localhost:{}{}</pre>",
        crate::settings::DEFAULT_PORT,
        Escaped(path)
    )
}

fn write_schema(schema: &Value, out: &mut String) -> std::fmt::Result {
    let required: Vec<String> = items(&schema["required"]).map(text).collect();
    out.push_str("<table>\n");
    for (name, property) in fields(&schema["properties"]) {
        let is_required = if required.iter().any(|known| known == name) {
            ", required"
        } else {
            ""
        };
        writeln!(
            out,
            "<tr><th><code>{}</code><td>{}{is_required}<td>{}",
            Escaped(name),
            type_link(property),
            Prose(&text(&property["description"]))
        )?;
    }
    for value in items(&schema["enum"]) {
        writeln!(out, "<tr><th><code>{}</code>", Escaped(&text(value)))?;
    }
    out.push_str("</table>\n");
    Ok(())
}

/// The type as text or as a link to its section.
fn type_link(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return format!("<a href=\"#type-{0}\">{0}</a>", Escaped(name));
    }
    let choices = items(&schema["oneOf"])
        .chain(items(&schema["anyOf"]))
        .chain(items(&schema["allOf"]));
    let choices: Vec<String> = choices.map(type_link).filter(|name| name != "null").collect();
    if !choices.is_empty() {
        return choices.join(" or ");
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds
            .iter()
            .map(text)
            .filter(|kind| kind != "null")
            .collect::<Vec<_>>()
            .join(" or "),
        kind => text(kind),
    };
    match &*kinds {
        "array" => format!("list of {}", type_link(&schema["items"])),
        kinds => Escaped(kinds).to_string(),
    }
}

/// Markdown-like text: code between backquotes.
struct Prose<'a>(&'a str);

impl std::fmt::Display for Prose<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Doc comments are wrapped.
        let line = self.0.split_whitespace().collect::<Vec<_>>().join(" ");
        for (index, part) in line.split('`').enumerate() {
            match index % 2 {
                0 => write!(out, "{}", Escaped(part))?,
                _ => write!(out, "<code>{}</code>", Escaped(part))?,
            }
        }
        Ok(())
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn fields(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (&**name, value))
}
