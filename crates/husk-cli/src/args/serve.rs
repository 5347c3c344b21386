//! `husk serve`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

use super::LoadingArgs;

/// Answer over HTTP, and show a web page
///
/// Programs ask for templates, menus and contents as JSON, people by a page in their browser. Only those on this machine
/// reach it, unless --address says otherwise, and it loads no page from private addresses, unless --allow-private says so.
///
/// What is not given comes from the environment, then from the table [serve] of husk.toml, then from the defaults.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk serve                                         then open http://localhost:8090/
  husk serve --port 0                                any port that is free; it is printed
  husk serve --address 0.0.0.0 --name husk.example.org --token-file /etc/husk/token
  curl -H 'Content-Type: application/json' -d '{\"url\": \"https://example.org/\"}' http://localhost:8090/v1/content")]
pub(crate) struct ServeArgs {
    /// Where to listen [default: 127.0.0.1]
    #[arg(long, env = "HUSK_SERVE_ADDRESS", value_name = "IP")]
    pub(crate) address: Option<IpAddr>,

    /// The port; 0 takes any that is free [default: 8090]
    #[arg(long, short, env = "HUSK_SERVE_PORT", value_name = "PORT")]
    pub(crate) port: Option<u16>,

    /// A name by which the server may be called; may be given several times [default: those of this machine]
    #[arg(long, env = "HUSK_SERVE_NAMES", value_name = "HOST", value_delimiter = ',')]
    pub(crate) name: Vec<String>,

    /// What programs must know to use the API
    #[arg(
        long,
        env = "HUSK_SERVE_TOKEN",
        value_name = "TEXT",
        hide_env_values = true,
        conflicts_with = "token_file"
    )]
    pub(crate) token: Option<String>,

    /// The same, from a file
    #[arg(long, env = "HUSK_SERVE_TOKEN_FILE", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) token_file: Option<PathBuf>,

    /// The origin of a page of others that may use the API; may be given several times [default: none]
    #[arg(long, env = "HUSK_SERVE_CORS", value_name = "ORIGIN", value_delimiter = ',')]
    pub(crate) cors: Vec<String>,

    /// The file with learned templates and results [default: husk/serve.redb in your data folder]
    #[arg(long, env = "HUSK_SERVE_STORE", value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "no_store")]
    pub(crate) store: Option<PathBuf>,

    /// Keep learned templates and results in memory only
    #[arg(long)]
    pub(crate) no_store: bool,

    /// The most bytes of a request [default: 16777216]
    #[arg(
        long,
        env = "HUSK_SERVE_MAX_BODY",
        value_name = "BYTES",
        hide_short_help = true
    )]
    pub(crate) max_body: Option<usize>,

    /// The most pages that a request may bring along or have loaded [default: 50]
    #[arg(long, env = "HUSK_SERVE_MAX_PAGES", value_name = "N", hide_short_help = true)]
    pub(crate) max_pages: Option<usize>,

    /// How long a request may take [default: 60]
    #[arg(
        long,
        env = "HUSK_SERVE_MAX_TIME",
        value_name = "SECONDS",
        hide_short_help = true
    )]
    pub(crate) max_time: Option<u32>,

    /// How many extractions are under way at once [default: 4 for each core]
    #[arg(long, env = "HUSK_SERVE_AT_ONCE", value_name = "N", hide_short_help = true)]
    pub(crate) at_once: Option<usize>,

    /// How many more may wait; others are sent away (429) [default: 64]
    #[arg(long, env = "HUSK_SERVE_WAITING", value_name = "N", hide_short_help = true)]
    pub(crate) waiting: Option<usize>,

    /// How long the server finishes what is under way when it is to end [default: 60]
    #[arg(
        long,
        env = "HUSK_SERVE_ENDING",
        value_name = "SECONDS",
        hide_short_help = true
    )]
    pub(crate) ending: Option<u32>,

    /// How many results are kept [default: 1000]
    #[arg(long, env = "HUSK_SERVE_RESULTS", value_name = "N", hide_short_help = true)]
    pub(crate) results: Option<usize>,

    /// How long results are kept [default: 604800, a week]
    #[arg(
        long,
        env = "HUSK_SERVE_RESULT_AGE",
        value_name = "SECONDS",
        hide_short_help = true
    )]
    pub(crate) result_age: Option<u32>,

    /// How long learned templates are used [default: 86400, a day]
    #[arg(
        long,
        env = "HUSK_SERVE_SITE_AGE",
        value_name = "SECONDS",
        hide_short_help = true
    )]
    pub(crate) site_age: Option<u32>,

    /// What the log on standard error looks like [default: text on a terminal, else json]
    #[arg(long, env = "HUSK_SERVE_LOG", value_enum, value_name = "FORMAT")]
    pub(crate) log: Option<LogFormat>,

    /// Options from this file instead of husk.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) loading: LoadingArgs,
}

/// What the log looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LogFormat {
    /// A line for people
    Text,
    /// An object of JSON a line
    Json,
    /// Nothing
    None,
}
