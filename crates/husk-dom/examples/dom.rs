//! Prints parsed pages: `cargo run --release -p husk-dom --example dom -- MODE [FILE...]`.
//!
//! Modes: `outline`, `xpath`, `html`, and `tree`, the format of the html5lib tests. Without files, reads documents from
//! standard input, each after a line with its length in bytes, and writes each result in the same form, so that tests can
//! send thousands of pages to one process.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

use std::fmt::Write as _;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use husk_dom::{Dom, Namespace, NodeId, NodeKind, XPaths, outline, serialize};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(show) = arguments.next().as_deref().and_then(mode) else {
        eprintln!("usage: dom outline|xpath|html|tree [FILE...]");
        return ExitCode::from(2);
    };
    let files: Vec<_> = arguments.collect();
    let done = if files.is_empty() {
        process_stream(show)
    } else {
        show_files(&files, show)
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("dom: {cause}");
            ExitCode::FAILURE
        }
    }
}

fn mode(name: &str) -> Option<fn(&Dom) -> String> {
    match name {
        "outline" => Some(outline),
        "xpath" => Some(xpaths),
        "html" => Some(|dom| serialize(dom, dom.document())),
        "tree" => Some(tree),
        _ => None,
    }
}

fn show_files(files: &[String], show: fn(&Dom) -> String) -> io::Result<()> {
    for file in files {
        let bytes = std::fs::read(file).map_err(|cause| io::Error::other(format!("{file}: {cause}")))?;
        print!("{}", show(&Dom::from_bytes(&bytes, None)));
    }
    Ok(())
}

fn process_stream(show: fn(&Dom) -> String) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        let length: usize = line
            .trim()
            .parse()
            .map_err(|_| io::Error::other(format!("{:?} is not a length in bytes", line.trim())))?;
        let mut bytes = vec![0; length];
        input.read_exact(&mut bytes)?;
        let answer = show(&Dom::parse(&String::from_utf8_lossy(&bytes)));
        writeln!(output, "{}", answer.len())?;
        output.write_all(answer.as_bytes())?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}

fn xpaths(dom: &Dom) -> String {
    let paths = XPaths::of(dom);
    let mut out = String::new();
    for node in dom.nodes() {
        if matches!(dom.kind(node), NodeKind::Element | NodeKind::Text) && dom.is_in_page(node) {
            paths.write(dom, node, &mut out);
            out.push('\n');
        }
    }
    out
}

/// The dump of the html5lib tests.
fn tree(dom: &Dom) -> String {
    let mut out = String::new();
    for node in dom.nodes().skip(1) {
        let indent = "  ".repeat(dom.ancestors(node).count() - 1);
        // Writing to a string does not fail.
        let _ = match dom.kind(node) {
            NodeKind::Document => Ok(()),
            NodeKind::Doctype => writeln!(out, "| {indent}<!DOCTYPE {}>", doctype(dom.data(node))),
            NodeKind::Comment => writeln!(out, "| {indent}<!-- {} -->", dom.data(node)),
            NodeKind::Text => writeln!(out, "| {indent}\"{}\"", dom.text_of(node)),
            NodeKind::Fragment => writeln!(out, "| {indent}content"),
            NodeKind::Element => writeln!(out, "| {indent}<{}{}>", prefix(dom, node), dom.name(node)),
        };
        // That format has the names of namespaced attributes with a space; such names only have a colon here,
        // as have others whose colon means nothing.
        let mut attributes: Vec<_> = dom
            .attributes(node)
            .map(|attribute| (foreign_name(dom, node, attribute.name), attribute.value))
            .collect();
        attributes.sort();
        for (name, value) in attributes {
            let _ = writeln!(out, "| {indent}  {name}=\"{value}\"");
        }
    }
    out
}

fn doctype(data: &str) -> String {
    let parts: Vec<_> = data.splitn(3, '\n').collect();
    match parts[..] {
        [name, "", ""] => name.to_owned(),
        [name, public_id, system_id] => format!("{name} \"{public_id}\" \"{system_id}\""),
        _ => data.to_owned(),
    }
}

fn prefix(dom: &Dom, node: NodeId) -> &'static str {
    match dom.namespace(node) {
        Namespace::Html => "",
        Namespace::Svg => "svg ",
        Namespace::MathMl => "math ",
    }
}

fn foreign_name(dom: &Dom, node: NodeId, name: &str) -> String {
    const NAMESPACED: [&str; 11] = [
        "xlink:actuate",
        "xlink:arcrole",
        "xlink:href",
        "xlink:role",
        "xlink:show",
        "xlink:title",
        "xlink:type",
        "xml:lang",
        "xml:space",
        "xmlns",
        "xmlns:xlink",
    ];
    if dom.namespace(node) != Namespace::Html && NAMESPACED.contains(&name) {
        name.replacen(':', " ", 1)
    } else {
        name.to_owned()
    }
}
