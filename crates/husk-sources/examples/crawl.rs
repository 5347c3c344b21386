//! Makes a large crawl of a small corpus, for `benchmarks/compare/scale`: `crawl CORPUS ARCHIVE PAGES`.
//!
//! The sites of the corpus come again and again under other host names, and some have very many pages. No two pages are the
//! same: words that few pages of a site have are replaced by other such words of the page, and so are links. What most
//! pages have stays as it is, as a template would. The shares of the sites are the same whatever the number of pages, so that
//! crawls of two sizes differ in size alone. The same arguments give the same archive.

#![allow(clippy::print_stdout, reason = "a program that says what it made")]

use std::collections::{HashMap, HashSet};
use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fastrand::Rng;
use husk::Url;
use husk::dom::decode;
use husk_sources::{ArchiveWriter, Capture, Compression};

type Done<T> = Result<T, Box<dyn Error>>;

const SEED: u64 = 7;

fn main() -> Done<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [corpus, archive, pages] = &arguments[..] else {
        return Err("usage: crawl CORPUS ARCHIVE PAGES".into());
    };
    let sites = sites(Path::new(corpus))?;
    let hosts = hosts(&sites, pages.parse()?);
    let written = write(&sites, &hosts, Path::new(archive))?;
    println!(
        "{pages} pages of {} hosts, {} MB, packed {} MB",
        hosts.len(),
        written / 1_000_000,
        fs::metadata(archive)?.len() / 1_000_000
    );
    Ok(())
}

/// A site of the corpus.
struct Site {
    name: String,
    base: Url,
    pages: Vec<Pattern>,
}

/// A page, and what of it is another thing in each copy.
struct Pattern {
    /// From the base of the site.
    path: String,
    text: String,
    /// In their order, none in another.
    places: Vec<Place>,
    /// Where the words are that can stand for each other.
    words: Vec<Range<usize>>,
}

struct Place {
    range: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A word of the text.
    Word,
    /// The value of `href`.
    Link,
    /// The name of the site's host, in links and elsewhere.
    Host,
}

/// A site under a host name.
struct Host {
    name: String,
    site: usize,
    /// How often the site was there before.
    turn: usize,
    pages: usize,
}

fn sites(corpus: &Path) -> Done<Vec<Site>> {
    let mut folders: Vec<PathBuf> = fs::read_dir(corpus)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Done<_>>()?;
    folders.retain(|folder| folder.join("site.json").is_file());
    folders.sort();
    match folders.is_empty() {
        true => Err("there are no sites in that folder".into()),
        false => folders.iter().map(|folder| site(folder)).collect(),
    }
}

fn site(folder: &Path) -> Done<Site> {
    let about: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("site.json"))?)?;
    let base = about["base_url"].as_str().ok_or("site.json has no base_url")?;
    let base = Url::parse(&format!("{}/", base.trim_end_matches('/')))?;
    let root = folder.join("pages");
    let mut pages = Vec::new();
    for file in files(&root)? {
        let path = file.strip_prefix(&root)?.to_string_lossy().replace('\\', "/");
        let text = decode(&fs::read(&file)?, None).text.into_owned();
        let places = places(&text, base.host_str().unwrap_or_default());
        let is_index = path == "index.html" || path.ends_with("/index.html");
        pages.push(Pattern {
            path: path[..path.len() - if is_index { "index.html".len() } else { 0 }].to_owned(),
            text,
            places,
            words: Vec::new(),
        });
    }
    keep_what_few_have(&mut pages);
    Ok(Site {
        name: folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        base,
        pages,
    })
}

fn files(root: &Path) -> Done<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let ending = path.extension().unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if ending == "html" || ending == "htm" {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// All words, links and names of the host on a page. It is no parser: what it takes for a tag need not be one.
fn places(text: &str, host: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let open = text[at..].find('<').map_or(text.len(), |length| at + length);
        words(text, at..open, &mut places);
        at = tag_end(text, open);
        in_tag(text, open..at, host, &mut places);
    }
    places
}

/// Where a tag ends that begins at a place; scripts, styles and comments end with it.
fn tag_end(text: &str, open: usize) -> usize {
    let rest = &text.as_bytes()[open..];
    let begins = |name: &[u8]| rest.len() > name.len() && rest[..name.len()].eq_ignore_ascii_case(name);
    let close: &[u8] = if begins(b"<!--") {
        b"-->"
    } else if begins(b"<script") {
        b"</script>"
    } else if begins(b"<style") {
        b"</style>"
    } else {
        b">"
    };
    let found = rest
        .windows(close.len())
        .position(|part| part.eq_ignore_ascii_case(close));
    found.map_or(text.len(), |length| open + length + close.len())
}

/// Shorter words stay as they are; in bytes.
const SHORTEST: usize = 4;

fn words(text: &str, range: Range<usize>, places: &mut Vec<Place>) {
    let start = range.start;
    let text = &text[range];
    let mut from = 0;
    while let Some(length) = text[from..].find(char::is_alphanumeric) {
        from += length;
        let rest = &text[from..];
        let until = from
            + rest
                .find(|letter: char| !letter.is_alphanumeric())
                .unwrap_or(rest.len());
        // References to characters are no words: `&eacute;`, `&#8217;`.
        if until - from >= SHORTEST && !text[..from].ends_with(['&', '#']) {
            places.push(Place {
                range: start + from..start + until,
                kind: Kind::Word,
            });
        }
        from = until;
    }
}

fn in_tag(text: &str, range: Range<usize>, host: &str, places: &mut Vec<Place>) {
    let tag = &text[range.clone()];
    let mut found: Vec<Place> = Vec::new();
    if !host.is_empty() {
        found.extend(tag.match_indices(host).map(|(at, _)| Place {
            range: range.start + at..range.start + at + host.len(),
            kind: Kind::Host,
        }));
    }
    for (at, _) in tag.match_indices("href=\"") {
        let from = at + "href=\"".len();
        let value = tag[from..].split('"').next().unwrap_or_default();
        // Links to the host itself are the host's.
        if !value.is_empty() && !value.contains(':') && !value.starts_with(['#', '?']) {
            found.push(Place {
                range: range.start + from..range.start + from + value.len(),
                kind: Kind::Link,
            });
        }
    }
    found.sort_by_key(|place| place.range.start);
    let mut end = 0;
    for place in found {
        if place.range.start >= end {
            end = place.range.end;
            places.push(place);
        }
    }
}

/// A word or a link that no more of the pages have is their own: what sections of a site share stays alike.
const FEW: usize = 5;

/// Leaves words and links that few pages of the site have, and the names of the host.
fn keep_what_few_have(pages: &mut [Pattern]) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for page in &*pages {
        let said: HashSet<&str> = page
            .places
            .iter()
            .map(|place| &page.text[place.range.clone()])
            .collect();
        for one in said {
            *counts.entry(one.to_owned()).or_default() += 1;
        }
    }
    let few = (pages.len() / FEW).max(1);
    for page in pages {
        let text = &page.text;
        let is_own = |place: &Place| place.kind == Kind::Host || counts[&text[place.range.clone()]] <= few;
        page.places.retain(is_own);
        let words = page.places.iter().filter(|place| place.kind == Kind::Word);
        page.words = words.map(|place| place.range.clone()).collect();
    }
}

/// Two hosts have each such a share of all pages.
const LARGE: usize = 20;

/// About how many pages the other hosts have.
const USUAL: usize = 70;

/// Which hosts there are, `pages` pages together. A site's share of the pages is always the same.
fn hosts(sites: &[Site], pages: usize) -> Vec<Host> {
    let large = [sites.len() / 3, 2 * sites.len() / 3];
    let mut hosts: Vec<Host> = large
        .iter()
        .map(|&site| host(sites, site, 0, pages / LARGE))
        .collect();
    let rest = pages - hosts.iter().map(|host| host.pages).sum::<usize>();
    let turns = (rest / (sites.len() * USUAL)).max(1);
    // From 20 to 200 pages, more often few than many.
    let mut random = Rng::with_seed(SEED);
    let weights: Vec<f64> = sites
        .iter()
        .map(|_| 20.0 + 180.0 * random.f64().powi(3))
        .collect();
    let all = weights.iter().sum::<f64>() * turns as f64;
    let (mut weight, mut before) = (0.0, 0);
    for turn in 1..=turns {
        for (site, of_site) in weights.iter().enumerate() {
            weight += of_site;
            let until = ((rest as f64 * weight / all).round() as usize).min(rest);
            hosts.push(host(sites, site, turn, until - before));
            before = until;
        }
    }
    hosts.retain(|host| host.pages > 0);
    hosts
}

fn host(sites: &[Site], site: usize, turn: usize, pages: usize) -> Host {
    Host {
        name: format!("s{turn:04}.{}.example", sites[site].name),
        site,
        turn,
        pages,
    }
}

/// Writes all pages in an order without order, as crawls are; gives the number of their bytes.
fn write(sites: &[Site], hosts: &[Host], archive: &Path) -> Done<u64> {
    let mut order: Vec<(usize, usize)> = hosts
        .iter()
        .enumerate()
        .flat_map(|(number, host)| (0..host.pages).map(move |page| (number, page)))
        .collect();
    Rng::with_seed(SEED).shuffle(&mut order);
    let mut writer = ArchiveWriter::new(BufWriter::new(File::create(archive)?), Compression::Gzip);
    let mut bytes = 0;
    for (number, (host, page)) in order.into_iter().enumerate() {
        let capture = capture(sites, &hosts[host], host, page, number)?;
        bytes += capture.body.len() as u64;
        writer.write_capture(&capture)?;
    }
    writer.finish()?.flush()?;
    Ok(bytes)
}

fn capture(sites: &[Site], host: &Host, host_number: usize, page: usize, number: usize) -> Done<Capture> {
    let site = &sites[host.site];
    // Few pages are spread over the site; of many, all come, and then come again.
    let place = match host.pages < site.pages.len() {
        true => (page * site.pages.len() / host.pages + host.turn) % site.pages.len(),
        false => page % site.pages.len(),
    };
    let (pattern, copy) = (&site.pages[place], page / site.pages.len());
    let seed = host_number as u64 * 1_000_003 + page as u64;
    let mut url = site.base.join(&renamed(&pattern.path, copy))?;
    url.set_host(Some(&host.name))?;
    Ok(Capture {
        url,
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html; charset=utf-8".to_owned())],
        body: varied(pattern, &host.name, copy, seed).into_bytes(),
        is_whole: true,
        date: SystemTime::UNIX_EPOCH + Duration::from_secs(number as u64),
        ip: None,
        is_rendered: false,
    })
}

fn varied(pattern: &Pattern, host: &str, copy: usize, seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut out = String::with_capacity(pattern.text.len() + pattern.text.len() / 8);
    let mut at = 0;
    for Place { range, kind } in &pattern.places {
        out.push_str(&pattern.text[at..range.start]);
        at = range.end;
        match kind {
            Kind::Word => {
                out.push_str(&pattern.text[pattern.words[random.usize(..pattern.words.len())].clone()])
            }
            Kind::Link => out.push_str(&renamed(&pattern.text[range.clone()], copy)),
            Kind::Host => out.push_str(host),
        }
    }
    out.push_str(&pattern.text[at..]);
    out
}

/// Another address for each copy of a page: `a/b.html` is `a/b-2.html` in the second one after the first.
fn renamed(path: &str, copy: usize) -> String {
    if copy == 0 || path.ends_with('.') {
        return path.to_owned();
    }
    let end = path.find(['?', '#']).unwrap_or(path.len());
    let (path, rest) = path.split_at(end);
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    let at = path[name..].rfind('.').map_or(path.len(), |dot| name + dot);
    format!("{}-{copy}{}{rest}", &path[..at], &path[at..])
}
