//! ServerState settings.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use husk::Options;
use husk_sources::{HttpOptions, Private, Reach, SitemapChoice};

/// Settings of a server.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// Address to listen on. Loopback by default.
    pub address: SocketAddr,
    /// Bearer token that API clients must send, if any.
    pub token: Option<String>,
    /// Origins that may use the API from a browser (CORS).
    pub cors_origins: Vec<String>,
    /// Accepted host names, besides localhost. If empty, a server on loopback accepts localhost only, any other server
    /// accepts every name.
    pub names: Vec<String>,
    /// File for learned templates and results; in memory if `None`.
    pub store: Option<PathBuf>,
    /// Limits on requests and on what is stored.
    pub limits: Limits,
    /// How pages are loaded.
    pub http: HttpOptions,
    /// Extraction options for requests that set none.
    pub options: Options,
}

/// Limits on requests and on what is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum size of a request body.
    pub body_bytes: usize,
    /// Maximum number of pages that a request may send or load, besides the key page.
    pub pages: usize,
    /// Memory for all requests together.
    pub memory_bytes: usize,
    /// Time limit of a request, its time in the queue included.
    pub time: Duration,
    /// Number of open connections.
    pub connections: usize,
    /// Number of open connections of one client.
    pub connections_per_client: usize,
    /// Time limit for the head of a request to arrive, and for a client to read on.
    pub header_time: Duration,
    /// Time limit for the body of a request to arrive.
    pub body_time: Duration,
    /// Number of extractions that run at the same time.
    pub concurrency: usize,
    /// Number of requests that may wait; further requests get 429.
    pub queue: usize,
    /// Time to finish running requests at shutdown.
    pub shutdown_timeout: Duration,
    /// Time to keep a result.
    pub result_age: Duration,
    /// Number of results to keep.
    pub results: usize,
    /// Total size of the results to keep, compressed.
    pub result_bytes: u64,
    /// Time to use a learned template.
    pub site_age: Duration,
    /// Number of sites whose templates are kept.
    pub sites: usize,
}

/// Default port.
pub const DEFAULT_PORT: u16 = 8090;

impl Default for Settings {
    fn default() -> Self {
        Self {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), DEFAULT_PORT),
            token: None,
            cors_origins: Vec::new(),
            names: Vec::new(),
            store: None,
            limits: Limits::default(),
            http: HttpOptions {
                // Clients must not reach the server's own network.
                reach: Reach {
                    private: Private::Never,
                    typed_hosts: Vec::new(),
                },
                max_bytes: 8 << 20,
                use_sitemap: Some(SitemapChoice::FromRobots),
                ..HttpOptions::default()
            },
            options: Options::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            body_bytes: 16 << 20,
            // The allocator keeps memory that was freed, for each thread, and estimates may be too low.
            memory_bytes: available_memory() / 4,
            pages: 50,
            time: Duration::from_secs(60),
            connections: 1024,
            connections_per_client: 256,
            header_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            // Extractions mostly wait for the network.
            concurrency: 4 * cores,
            queue: 64,
            shutdown_timeout: Duration::from_secs(60),
            result_age: Duration::from_secs(7 * 24 * 60 * 60),
            results: 1000,
            result_bytes: 1 << 30,
            site_age: Duration::from_secs(24 * 60 * 60),
            sites: 10_000,
        }
    }
}

/// The memory that the system has for this process, in bytes; a limit that is set for the process or its group counts.
fn available_memory() -> usize {
    let limits = [
        system_value("/proc/meminfo", "MemTotal:").map(|kibibytes| kibibytes.saturating_mul(1024)),
        system_value("/proc/self/limits", "Max address space"),
        system_value("/proc/self/limits", "Max data size"),
        system_value("/sys/fs/cgroup/memory.max", ""),
    ];
    limits.into_iter().flatten().min().unwrap_or(ASSUMED_MEMORY)
}

/// What is assumed of systems that do not say.
const ASSUMED_MEMORY: usize = 4 << 30;

/// The number behind a name in a file of the system; none if there is no limit.
fn system_value(file: &str, name: &str) -> Option<usize> {
    let text = std::fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.split_whitespace().next()?.parse().ok()
}
