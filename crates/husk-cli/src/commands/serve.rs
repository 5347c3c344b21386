//! `husk serve`: Husk over HTTP.

use std::io::{self, Write};

use anyhow::Context;
use husk_server::{Serving, Settings};
use tokio::runtime::Runtime;
use tracing_subscriber::EnvFilter;

use crate::args::{LogFormat, ServeArgs};
use crate::config::Config;
use crate::output::Notes;
use crate::serving::{log_format, settings};

pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<()> {
    let notes = Notes::as_loud_as(false, false);
    let config = Config::find(args.config.as_deref(), notes)?;
    if args.loading.render {
        anyhow::bail!("pages are not loaded through a browser here yet: leave --render out");
    }
    let settings = settings(args, &config)?;
    begin_log(log_format(args, &config));
    let runtime = Runtime::new().context("cannot begin to serve")?;
    runtime.block_on(serve(settings))
}

async fn serve(settings: Settings) -> anyhow::Result<()> {
    let is_open = settings.token.is_none() && !settings.address.ip().is_loopback();
    let end = end()?;
    let serving = Serving::listen(settings).await?;
    let address = serving.address();
    if is_open {
        tracing::warn!("everybody who reaches {address} may have pages loaded: --token keeps them out");
    }
    writeln!(io::stdout(), "husk serves at http://{address}/")?;
    io::stdout().flush()?;
    Ok(serving.run(end).await?)
}

/// Waits for Ctrl+C, or for what service managers send.
#[cfg(unix)]
fn end() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).context("cannot wait for signals")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot wait for signals")?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn end() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// The log goes to standard error; `RUST_LOG` says how much of it.
fn begin_log(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    match format {
        LogFormat::Text => log.with_target(false).init(),
        LogFormat::Json => log.json().flatten_event(true).with_target(false).init(),
        LogFormat::None => {}
    }
}
