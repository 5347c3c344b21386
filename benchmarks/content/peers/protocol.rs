//! How a program in Rust is a peer: pages come in, texts go out, a line of JSON each. The protocol is that of ../README.md.

use std::error::Error;
use std::fs;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// What an extractor is given.
pub(crate) struct Page<'a> {
    pub(crate) html: Html<'a>,
    pub(crate) url: &'a str,
    #[allow(dead_code, reason = "not every extractor knows sites")]
    pub(crate) site: &'a str,
}

pub(crate) enum Html<'a> {
    Text(&'a str),
    /// As they came; to be decoded by the extractor.
    Bytes(&'a [u8]),
}

pub(crate) type Extracted = Result<String, Box<dyn Error>>;

#[derive(Deserialize)]
#[serde(untagged)]
enum Request {
    Files { pages: Vec<File> },
    Text { html: String, url: String },
}

#[derive(Deserialize)]
struct File {
    file: PathBuf,
    url: String,
    #[serde(default)]
    site: String,
}

#[derive(Serialize)]
struct Answer {
    text: String,
    error: Option<String>,
    seconds: f64,
}

/// One entry for each page.
#[derive(Default, Serialize)]
struct Answers {
    processor: Vec<f64>,
    clock: Vec<f64>,
    characters: Vec<usize>,
    errors: Vec<Option<String>>,
}

/// Answers until standard input ends.
pub(crate) fn serve(
    version: &str,
    mut extract: impl FnMut(&Page) -> Extracted,
) -> Result<(), Box<dyn Error>> {
    let mut answers = std::io::stdout().lock();
    say(&mut answers, &serde_json::json!({ "version": version }))?;
    for line in std::io::stdin().lock().lines() {
        match serde_json::from_str(&line?)? {
            Request::Text { html, url } => say(&mut answers, &answer(&html, &url, &mut extract))?,
            Request::Files { pages } => say(&mut answers, &answer_files(&pages, &mut extract)?)?,
        }
    }
    Ok(())
}

fn say(answers: &mut impl Write, line: &impl Serialize) -> Result<(), Box<dyn Error>> {
    serde_json::to_writer(&mut *answers, line)?;
    answers.write_all(b"\n")?;
    Ok(answers.flush()?)
}

fn answer(html: &str, url: &str, extract: &mut impl FnMut(&Page) -> Extracted) -> Answer {
    let page = Page {
        html: Html::Text(html),
        url,
        site: "",
    };
    let started = Instant::now();
    let (text, error) = text_or_error(extract(&page));
    Answer {
        text,
        error,
        seconds: started.elapsed().as_secs_f64(),
    }
}

/// Each page as the bytes of its file; reading the file is not in its time.
fn answer_files(
    pages: &[File],
    extract: &mut impl FnMut(&Page) -> Extracted,
) -> Result<Answers, Box<dyn Error>> {
    let mut answers = Answers::default();
    for File { file, url, site } in pages {
        let bytes = fs::read(file)?;
        let page = Page {
            html: Html::Bytes(&bytes),
            url,
            site,
        };
        let (clock, processor) = (Instant::now(), processor_time());
        let (text, error) = text_or_error(extract(&page));
        answers
            .processor
            .push((processor_time() - processor).as_secs_f64());
        answers.clock.push(clock.elapsed().as_secs_f64());
        answers.characters.push(text.len());
        answers.errors.push(error);
    }
    Ok(answers)
}

fn text_or_error(extracted: Extracted) -> (String, Option<String>) {
    match extracted {
        Ok(text) => (text, None),
        Err(cause) => (String::new(), Some(cause.to_string())),
    }
}

/// How long this program has run on a processor so far, all threads together.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}
