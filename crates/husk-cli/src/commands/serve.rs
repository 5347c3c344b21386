//! `husk serve`: Husk over HTTP.

use std::io::{self, Write};

use anyhow::Context;
use husk_server::{Server, Settings};
use tokio::runtime::Runtime;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

use crate::args::{LogFormat, ServeArgs};
use crate::config::Config;
use crate::output::Notes;
use crate::serving::{log_format, settings};

pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<()> {
    let notes = Notes::as_loud_as(false, false);
    let config = Config::find(args.config.as_deref(), notes)?;
    if args.loading.render {
        anyhow::bail!("`husk serve` cannot load pages through a browser yet: remove --render");
    }
    let settings = settings(args, &config)?;
    start_log(log_format(args, &config));
    let runtime = Runtime::new().context("cannot start the async runtime")?;
    runtime.block_on(serve(settings))
}

async fn serve(settings: Settings) -> anyhow::Result<()> {
    let is_open = settings.token.is_none() && !settings.address.ip().is_loopback();
    let shutdown = shutdown_signal()?;
    let server = Server::listen(settings).await?;
    let address = server.address();
    if is_open {
        tracing::warn!(
            "no token: anyone who can reach {address} can use this server; set --token or --token-file"
        );
    }
    writeln!(io::stdout(), "listening on http://{address}/")?;
    io::stdout().flush()?;
    Ok(server.run(shutdown).await?)
}

/// Resolves on SIGTERM or Ctrl+C.
#[cfg(unix)]
fn shutdown_signal() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for signals")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for signals")?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn shutdown_signal() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Logs to standard error at the level that `RUST_LOG` sets.
fn start_log(format: LogFormat) {
    let filter = std::env::var("RUST_LOG")
        .ok()
        .and_then(|levels| levels.parse().ok())
        .unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let log = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_target(false);
    let subscriber = tracing_subscriber::registry();
    match format {
        LogFormat::Text => subscriber.with(log.with_filter(filter)).init(),
        LogFormat::Json => subscriber
            .with(log.json().flatten_event(true).with_filter(filter))
            .init(),
        LogFormat::None => {}
    }
}
