//! The index that lies beside an archive, if it can be believed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::cdxj::{self, Line, plain_digest};
use super::index::{Content, Listed, Place, UNKNOWN};
use super::unpack::Position;

/// The longest line of an index.
const MOST_LINE: u64 = 64 * 1024;

/// The index beside a file.
pub(super) fn find(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let stem = name.split_once(".warc").map_or(name, |(stem, _)| stem);
    let candidates = [format!("{stem}.cdxj"), format!("{name}.cdxj")];
    candidates
        .iter()
        .map(|name| path.with_file_name(name))
        .find(|index| index.is_file())
}

/// The lines of an index that fits its archive.
pub(super) fn lines(path: &Path, index: &Path) -> Result<Vec<Line>, String> {
    let said = |cause: io::Error| cause.to_string();
    let (archive, found) = (path.metadata().map_err(said)?, index.metadata().map_err(said)?);
    if found.modified().map_err(said)? < archive.modified().map_err(said)? {
        return Err("it is older than the archive".to_owned());
    }
    let mut reader = BufReader::new(File::open(index).map_err(said)?);
    let mut lines = Vec::new();
    let mut text = String::new();
    loop {
        text.clear();
        let read = reader
            .by_ref()
            .take(MOST_LINE)
            .read_line(&mut text)
            .map_err(said)?;
        if read == 0 {
            break;
        }
        let Some(mut line) = Line::parse(&text) else {
            continue;
        };
        if let Some(file) = &line.file
            && Path::new(file).file_name() != path.file_name()
        {
            return Err(format!("it is about another archive, {file}"));
        }
        if line.offset >= archive.len() || line.offset.saturating_add(line.length) > archive.len() {
            return Err(format!("it leads to offset {}, behind the end", line.offset));
        }
        line.digest = line.digest.as_deref().map(plain_digest);
        lines.push(line);
    }
    // Sorted by address; the order of the archive is that in which pages were met.
    lines.sort_by_key(|line| line.offset);
    match lines.is_empty() {
        true => Err("there is nothing in it".to_owned()),
        false => Ok(lines),
    }
}

/// What an index beside a file says of a record.
pub(super) fn listed(file: usize, line: &Line) -> Listed<'_> {
    let (content, status) = match line.media_type.as_str() {
        cdxj::REVISIT => (
            Content::Revisit,
            line.status.filter(|&status| status != 304).unwrap_or(UNKNOWN),
        ),
        cdxj::FIELDS if line.status.is_none() => (Content::Failure, 0),
        _ => (
            Content::Answer {
                is_page: is_html(&line.media_type)
                    .unwrap_or(matches!(line.media_type.as_str(), "" | "-" | "unk")),
                is_whole: true,
            },
            line.status.unwrap_or(200),
        ),
    };
    Listed {
        url: &line.url,
        date: line.date,
        status,
        content,
        place: Place {
            file,
            position: Position {
                member: line.offset,
                within: 0,
            },
        },
        id: None,
        digest: line.digest.as_deref(),
    }
}

/// Whether a type is that of a page; none if it says too little.
pub(super) fn is_html(media_type: &str) -> Option<bool> {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    match essence.to_ascii_lowercase().as_str() {
        "text/html" | "application/xhtml+xml" => Some(true),
        "" | "-" | "unk" | "application/octet-stream" | "text/plain" | "text/xml" | "application/xml" => None,
        _ => Some(false),
    }
}
