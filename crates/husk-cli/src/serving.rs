//! Server settings from flags and husk.toml; flags win.

use std::io::{self, IsTerminal};
use std::mem::take;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use etcetera::BaseStrategy;
use husk_server::{DEFAULT_PORT, Limits, Settings};
use husk_sources::{Private, Reach};
use serde::Deserialize;

use crate::args::{EngineArgs, LogFormat, ServeArgs};
use crate::config::Config;
use crate::loading::{Loading, names_of};

/// The table `[serve]` of a configuration file.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ServeConfig {
    address: Option<IpAddr>,
    port: Option<u16>,
    names: Vec<String>,
    token_file: Option<PathBuf>,
    cors: Vec<String>,
    store: Option<PathBuf>,
    no_store: bool,
    max_body: Option<usize>,
    max_memory: Option<usize>,
    max_connections: Option<usize>,
    max_connections_per_client: Option<usize>,
    max_pages: Option<usize>,
    max_time: Option<u32>,
    concurrency: Option<usize>,
    queue: Option<usize>,
    shutdown_timeout: Option<u32>,
    results: Option<usize>,
    result_age: Option<u32>,
    site_age: Option<u32>,
    log: Option<LogFormat>,
}

impl ServeConfig {
    /// Resolves relative paths against the folder of the configuration file.
    pub(crate) fn relative_to(&mut self, folder: &Path) {
        for path in [&mut self.token_file, &mut self.store].into_iter().flatten() {
            *path = folder.join(&*path);
        }
    }

    /// Drops the settings that an untrusted husk.toml could use to expose or overload this machine. Returns their names.
    pub(crate) fn drop_untrusted(&mut self) -> Vec<&'static str> {
        let Self {
            address,
            names,
            token_file,
            cors,
            store,
            max_body,
            max_memory,
            max_connections,
            max_connections_per_client,
            concurrency,
            ..
        } = self;
        let dropped = [
            ("serve.address", address.take().is_some()),
            ("serve.names", !take(names).is_empty()),
            ("serve.token-file", token_file.take().is_some()),
            ("serve.cors", !take(cors).is_empty()),
            ("serve.store", store.take().is_some()),
            ("serve.max-body", max_body.take().is_some()),
            ("serve.max-memory", max_memory.take().is_some()),
            ("serve.max-connections", max_connections.take().is_some()),
            (
                "serve.max-connections-per-client",
                max_connections_per_client.take().is_some(),
            ),
            ("serve.concurrency", concurrency.take().is_some()),
        ];
        names_of(&dropped)
    }
}

/// Merges flags, configuration and defaults.
pub(crate) fn settings(args: &ServeArgs, config: &Config) -> anyhow::Result<Settings> {
    let serve = &config.serve;
    let mut settings = Settings::default();
    let address = args.address.or(serve.address).unwrap_or(settings.address.ip());
    settings.address = SocketAddr::new(address, args.port.or(serve.port).unwrap_or(DEFAULT_PORT));
    settings.names = either(&args.name, &serve.names);
    settings.cors_origins = either(&args.cors, &serve.cors);
    settings.token = token(args, serve)?;
    settings.store = store(args, serve)?;
    settings.limits = limits(args, serve);
    settings.options = config.options(&EngineArgs::default());
    let loading = Loading {
        flags: &args.loading,
        config: &config.loading,
    };
    let usual = settings.http;
    settings.http = loading.http(&[]);
    settings.http.max_bytes = usual.max_bytes;
    settings.http.use_sitemap = settings.http.use_sitemap.or(usual.use_sitemap);
    // Clients must not reach the server's own network.
    settings.http.reach = match settings.http.reach.private {
        Private::Everywhere => settings.http.reach,
        _ => Reach {
            private: Private::Never,
            typed_hosts: Vec::new(),
        },
    };
    Ok(settings)
}

fn either(flags: &[String], config: &[String]) -> Vec<String> {
    if flags.is_empty() {
        config.to_vec()
    } else {
        flags.to_vec()
    }
}

fn token(args: &ServeArgs, config: &ServeConfig) -> anyhow::Result<Option<String>> {
    if args.token.is_some() {
        return check_token(args.token.clone(), "--token");
    }
    let Some(file) = args.token_file.as_ref().or(config.token_file.as_ref()) else {
        return Ok(None);
    };
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read the token in {}", file.display()))?;
    check_token(Some(text.trim().to_owned()), &file.display().to_string())
}

fn check_token(token: Option<String>, origin: &str) -> anyhow::Result<Option<String>> {
    let is_valid = |token: &String| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    anyhow::ensure!(
        token.as_ref().is_none_or(is_valid),
        "invalid token in {origin}: expected printable ASCII without spaces"
    );
    Ok(token)
}

/// Path of the store; creates its folder.
fn store(args: &ServeArgs, config: &ServeConfig) -> anyhow::Result<Option<PathBuf>> {
    let named = args.store.clone().or_else(|| config.store.clone());
    if args.no_store || (named.is_none() && config.no_store) {
        return Ok(None);
    }
    let Some(file) = named.or_else(default_store) else {
        return Ok(None);
    };
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    Ok(Some(file))
}

fn default_store() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.data_dir().join("husk").join("serve.redb"))
}

fn limits(args: &ServeArgs, config: &ServeConfig) -> Limits {
    let mut limits = Limits::default();
    let seconds = |flag: Option<u32>, config: Option<u32>, default: Duration| {
        flag.or(config)
            .map_or(default, |seconds| Duration::from_secs(seconds.into()))
    };
    limits.body_bytes = args.max_body.or(config.max_body).unwrap_or(limits.body_bytes);
    limits.connections = args
        .max_connections
        .or(config.max_connections)
        .unwrap_or(limits.connections);
    limits.connections_per_client = args
        .max_connections_per_client
        .or(config.max_connections_per_client)
        .unwrap_or(limits.connections_per_client);
    limits.memory_bytes = args
        .max_memory
        .or(config.max_memory)
        .unwrap_or(limits.memory_bytes);
    limits.pages = args.max_pages.or(config.max_pages).unwrap_or(limits.pages);
    limits.time = seconds(args.max_time, config.max_time, limits.time);
    limits.concurrency = args
        .concurrency
        .or(config.concurrency)
        .unwrap_or(limits.concurrency);
    limits.queue = args.queue.or(config.queue).unwrap_or(limits.queue);
    limits.shutdown_timeout = seconds(
        args.shutdown_timeout,
        config.shutdown_timeout,
        limits.shutdown_timeout,
    );
    limits.results = args.results.or(config.results).unwrap_or(limits.results);
    limits.result_age = seconds(args.result_age, config.result_age, limits.result_age);
    limits.site_age = seconds(args.site_age, config.site_age, limits.site_age);
    limits
}

pub(crate) fn log_format(args: &ServeArgs, config: &Config) -> LogFormat {
    let usual = if io::stderr().is_terminal() {
        LogFormat::Text
    } else {
        LogFormat::Json
    };
    args.log.or(config.serve.log).unwrap_or(usual)
}
