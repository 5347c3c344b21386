//! dom_smoothie as a program: pages come in, texts go out, a line of JSON each. The protocol is that of ../../README.md.

use std::error::Error;
use std::io::{BufRead, Write};
use std::time::Instant;

use dom_smoothie::{Config, Readability, TextMode};
use serde::{Deserialize, Serialize};

/// The lock file knows which version was built.
const LOCK: &str = include_str!("../Cargo.lock");

#[derive(Deserialize)]
struct Page {
    html: String,
    url: String,
}

#[derive(Serialize)]
struct Answer {
    text: String,
    error: Option<String>,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut answers = std::io::stdout().lock();
    say(&mut answers, &serde_json::json!({ "version": version() }))?;
    for line in std::io::stdin().lock().lines() {
        let page: Page = serde_json::from_str(&line?)?;
        say(&mut answers, &answer(&page))?;
    }
    Ok(())
}

fn version() -> &'static str {
    let entry = LOCK.split("name = \"dom_smoothie\"\nversion = \"").nth(1);
    entry
        .and_then(|entry| entry.split('"').next())
        .unwrap_or("unknown")
}

fn say(answers: &mut impl Write, line: &impl Serialize) -> Result<(), Box<dyn Error>> {
    serde_json::to_writer(&mut *answers, line)?;
    answers.write_all(b"\n")?;
    Ok(answers.flush()?)
}

fn answer(page: &Page) -> Answer {
    let started = Instant::now();
    let (text, error) = match extract(page) {
        Ok(text) => (text, None),
        Err(cause) => (String::new(), Some(cause.to_string())),
    };
    Answer {
        text,
        error,
        seconds: started.elapsed().as_secs_f64(),
    }
}

/// Its default text mode makes one word of the texts of two blocks; the formatted one does not.
fn extract(page: &Page) -> Result<String, Box<dyn Error>> {
    let config = Config {
        text_mode: TextMode::Formatted,
        ..Config::default()
    };
    let article = Readability::new(page.html.as_str(), Some(&page.url), Some(config))?.parse()?;
    Ok(article.text_content.to_string())
}
