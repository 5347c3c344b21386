//! What can be set of a server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use husk::Options;
use husk_sources::{HttpOptions, Private, Reach, SitemapChoice};

/// How a server serves.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// Where it listens. Only those on this machine reach it by default.
    pub address: SocketAddr,
    /// What programs must know to use the API, if not everybody may.
    pub token: Option<String>,
    /// The origins of web pages of others that may use the API.
    pub cors_origins: Vec<String>,
    /// The names by which the server may be called. If there are none, a server that only this machine reaches has the
    /// usual names of this machine, and others have any.
    pub names: Vec<String>,
    /// The file with what was learned and found; none keeps it in memory until the server ends.
    pub store: Option<PathBuf>,
    /// How much is done for whom.
    pub limits: Limits,
    /// How pages are loaded.
    pub http: HttpOptions,
    /// How pages are compared where a request does not say.
    pub options: Options,
}

/// How much is done for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most bytes of a request.
    pub body_bytes: usize,
    /// The most pages that a request may bring along, or have loaded beside the key page.
    pub pages: usize,
    /// The time that a request may take, waiting for its turn not counted.
    pub time: Duration,
    /// How many extractions are under way at once.
    pub at_once: usize,
    /// How many more may wait for their turn.
    pub waiting: usize,
    /// The time that is left to what is under way when the server is to end.
    pub ending: Duration,
    /// How long a result is kept.
    pub result_age: Duration,
    /// How many results are kept.
    pub results: usize,
    /// How many bytes all results may take together, packed.
    pub result_bytes: u64,
    /// How long templates are used after they were learned.
    pub site_age: Duration,
    /// Of how many sites templates are kept.
    pub sites: usize,
}

/// Where a server listens if nobody says.
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
                // Who asks is not who owns the network that the server is in.
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
            pages: 50,
            time: Duration::from_secs(60),
            // Most of the time they wait for pages.
            at_once: 4 * cores,
            waiting: 64,
            ending: Duration::from_secs(60),
            result_age: Duration::from_secs(7 * 24 * 60 * 60),
            results: 1000,
            result_bytes: 1 << 30,
            site_age: Duration::from_secs(24 * 60 * 60),
            sites: 10_000,
        }
    }
}
