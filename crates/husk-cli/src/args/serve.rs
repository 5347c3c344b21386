//! `husk serve`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

use super::LoadingArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  husk serve                                         then open http://localhost:8090/
  husk serve --port 0                                use any free port and print it
  husk serve --address 0.0.0.0 --name husk.example.org --token-file /etc/husk/token
  curl -H 'Content-Type: application/json' -d '{\"url\": \"https://example.org/\"}' http://localhost:8090/v1/content")]
pub(crate) struct ServeArgs {
    /// IP address to listen on [default: 127.0.0.1]
    #[arg(long, env = "HUSK_SERVE_ADDRESS", value_name = "IP")]
    pub(crate) address: Option<IpAddr>,

    /// Port to listen on; 0 picks a free one [default: 8090]
    #[arg(long, short, env = "HUSK_SERVE_PORT", value_name = "PORT")]
    pub(crate) port: Option<u16>,

    /// Accepted Host name, besides localhost; repeatable [default: localhost only]
    #[arg(long, env = "HUSK_SERVE_NAMES", value_name = "HOST", value_delimiter = ',')]
    pub(crate) name: Vec<String>,

    /// Bearer token that API clients must send
    #[arg(
        long,
        env = "HUSK_SERVE_TOKEN",
        value_name = "TEXT",
        hide_env_values = true,
        conflicts_with = "token_file"
    )]
    pub(crate) token: Option<String>,

    /// Read the token from a file
    #[arg(long, env = "HUSK_SERVE_TOKEN_FILE", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) token_file: Option<PathBuf>,

    /// Origin that may use the API from a browser (CORS); repeatable [default: none]
    #[arg(long, env = "HUSK_SERVE_CORS", value_name = "ORIGIN", value_delimiter = ',')]
    pub(crate) cors: Vec<String>,

    /// File for learned templates and results [default: husk/serve.redb in your data folder]
    #[arg(long, env = "HUSK_SERVE_STORE", value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "no_store")]
    pub(crate) store: Option<PathBuf>,

    /// Keep learned templates and results in memory only
    #[arg(long)]
    pub(crate) no_store: bool,

    /// Maximum size of a request body [default: 16777216]
    #[arg(
        long,
        env = "HUSK_SERVE_MAX_BODY",
        value_name = "BYTES",
        hide_short_help = true
    )]
    pub(crate) max_body: Option<usize>,

    /// Maximum number of pages that a request may send or load [default: 50]
    #[arg(long, env = "HUSK_SERVE_MAX_PAGES", value_name = "N", hide_short_help = true)]
    pub(crate) max_pages: Option<usize>,

    /// Memory for all requests together [default: a quarter of what the system allows]
    #[arg(
        long,
        env = "HUSK_SERVE_MAX_MEMORY",
        value_name = "BYTES",
        hide_short_help = true
    )]
    pub(crate) max_memory: Option<usize>,

    /// Number of open connections [default: 1024]
    #[arg(
        long,
        env = "HUSK_SERVE_MAX_CONNECTIONS",
        value_name = "N",
        hide_short_help = true
    )]
    pub(crate) max_connections: Option<usize>,

    /// Number of open connections of one client; raise it behind a reverse proxy [default: 256]
    #[arg(
        long,
        env = "HUSK_SERVE_MAX_CONNECTIONS_PER_CLIENT",
        value_name = "N",
        hide_short_help = true
    )]
    pub(crate) max_connections_per_client: Option<usize>,

    /// Time limit of a request, with its time in the queue [default: 60]
    #[arg(
        long,
        env = "HUSK_SERVE_MAX_TIME",
        value_name = "SECONDS",
        hide_short_help = true
    )]
    pub(crate) max_time: Option<u32>,

    /// Number of extractions that run at the same time [default: 4 per core]
    #[arg(
        long,
        env = "HUSK_SERVE_CONCURRENCY",
        value_name = "N",
        hide_short_help = true
    )]
    pub(crate) concurrency: Option<usize>,

    /// Number of requests that may wait; further requests get 429 [default: 64]
    #[arg(long, env = "HUSK_SERVE_QUEUE", value_name = "N", hide_short_help = true)]
    pub(crate) queue: Option<usize>,

    /// Time to finish running requests after SIGTERM or Ctrl+C [default: 60]
    #[arg(
        long,
        env = "HUSK_SERVE_SHUTDOWN_TIMEOUT",
        value_name = "SECONDS",
        hide_short_help = true
    )]
    pub(crate) shutdown_timeout: Option<u32>,

    /// Number of results to keep [default: 1000]
    #[arg(long, env = "HUSK_SERVE_RESULTS", value_name = "N", hide_short_help = true)]
    pub(crate) results: Option<usize>,

    /// Time to keep a result [default: 604800, a week]
    #[arg(
        long,
        env = "HUSK_SERVE_RESULT_AGE",
        value_name = "SECONDS",
        hide_short_help = true
    )]
    pub(crate) result_age: Option<u32>,

    /// Time to use a learned template [default: 86400, a day]
    #[arg(
        long,
        env = "HUSK_SERVE_SITE_AGE",
        value_name = "SECONDS",
        hide_short_help = true
    )]
    pub(crate) site_age: Option<u32>,

    /// Format of the log on standard error [default: text on a terminal, else json]
    #[arg(long, env = "HUSK_SERVE_LOG", value_enum, value_name = "FORMAT")]
    pub(crate) log: Option<LogFormat>,

    /// Read this configuration file instead of husk.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) loading: LoadingArgs,
}

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LogFormat {
    /// One line of text per event
    Text,
    /// One JSON object per event
    Json,
    /// No log
    None,
}
