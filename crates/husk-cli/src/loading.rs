//! From flags and husk.toml to how pages are loaded from the web; flags win.

use std::mem::take;
use std::path::{Path, PathBuf};
use std::time::Duration;

use husk::Url;
use husk_sources::{HttpOptions, Private, ProxyChoice, Reach, RenderOptions, SitemapChoice};
use serde::Deserialize;

use crate::args::{Flatten, LoadingArgs, Proxy, parse_proxy, parse_user_agent};

/// The table `[loading]` of a configuration file.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct LoadingConfig {
    delay: Option<f64>,
    timeout: Option<f64>,
    ignore_robots: bool,
    allow_private: bool,
    user_agent: Option<String>,
    cache: Option<PathBuf>,
    no_cache: bool,
    max_age: Option<u32>,
    proxy: Option<String>,
    ca_files: Vec<PathBuf>,
    browser: Option<PathBuf>,
    flatten: Vec<Flatten>,
}

impl LoadingConfig {
    /// Fails if something in it makes no sense.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        for (name, time) in [("delay", self.delay), ("timeout", self.timeout)] {
            let is_right = time.is_none_or(|time| (0.0..=86_400.0).contains(&time));
            anyhow::ensure!(is_right, "loading.{name} must be between 0 and 86400 seconds");
        }
        anyhow::ensure!(
            self.timeout != Some(0.0),
            "loading.timeout must be more than 0 seconds"
        );
        if let Some(proxy) = &self.proxy {
            parse_proxy(proxy).map_err(|cause| anyhow::anyhow!("loading.proxy: {cause}"))?;
        }
        if let Some(user_agent) = &self.user_agent {
            parse_user_agent(user_agent).map_err(|cause| anyhow::anyhow!("loading.user-agent: {cause}"))?;
        }
        Ok(())
    }

    /// Makes paths of the file relative to where it lies.
    pub(crate) fn relative_to(&mut self, folder: &Path) {
        // A browser may be named without its folder, to be found on the search path.
        let has_folder = |path: &&mut PathBuf| path.components().count() > 1;
        let browser = self.browser.iter_mut().filter(has_folder);
        for path in self.cache.iter_mut().chain(&mut self.ca_files).chain(browser) {
            *path = folder.join(&*path);
        }
    }

    /// Drops what the file of a stranger must not set: it could start programs, listen in, or have poisoned pages read. Returns the
    /// names of what was dropped.
    pub(crate) fn drop_untrusted(&mut self) -> Vec<&'static str> {
        let Self {
            ignore_robots,
            allow_private,
            cache,
            proxy,
            ca_files,
            browser,
            ..
        } = self;
        let dropped = [
            ("loading.ignore-robots", take(ignore_robots)),
            ("loading.allow-private", take(allow_private)),
            ("loading.cache", cache.take().is_some()),
            ("loading.proxy", proxy.take().is_some()),
            ("loading.ca-files", !take(ca_files).is_empty()),
            ("loading.browser", browser.take().is_some()),
        ];
        names_of(&dropped)
    }
}

/// The names of the settings that were there.
pub(crate) fn names_of(settings: &[(&'static str, bool)]) -> Vec<&'static str> {
    let set = settings.iter().filter(|(_, is_set)| *is_set);
    set.map(|(name, _)| *name).collect()
}

/// How pages are loaded, all things considered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loading<'a> {
    pub(crate) flags: &'a LoadingArgs,
    pub(crate) config: &'a LoadingConfig,
}

impl<'a> Loading<'a> {
    /// How the web is asked. The hosts that the user typed may be anywhere.
    pub(crate) fn http(self, typed: &[&Url]) -> HttpOptions {
        let Self { flags, config } = self;
        let defaults = HttpOptions::default();
        let seconds =
            |flag: Option<Duration>, config: Option<f64>| flag.or(config.map(Duration::from_secs_f64));
        HttpOptions {
            user_agent: flags
                .user_agent
                .clone()
                .or_else(|| config.user_agent.clone())
                .unwrap_or(defaults.user_agent),
            headers: self.headers(),
            delay: seconds(flags.delay, config.delay).unwrap_or(defaults.delay),
            timeout: seconds(flags.timeout, config.timeout).unwrap_or(defaults.timeout),
            obey_robots: !(flags.ignore_robots || config.ignore_robots),
            cache: self.cache(),
            max_age: seconds(flags.max_age, config.max_age.map(f64::from)).unwrap_or(defaults.max_age),
            reach: self.reach(typed),
            proxy: self.proxy(),
            extra_roots: [&flags.ca_file[..], &config.ca_files[..]].concat(),
            use_sitemap: self.sitemap(),
            ..defaults
        }
    }

    /// How a browser is used.
    pub(crate) fn render(self, typed: &[&Url]) -> RenderOptions {
        let Self { flags, config } = self;
        let http = self.http(typed);
        let flattens = |what| flags.flatten.contains(&what) || config.flatten.contains(&what);
        RenderOptions {
            browser: flags.browser.clone().or_else(|| config.browser.clone()),
            timeout: http.timeout,
            flatten_shadow: flattens(Flatten::Shadow),
            flatten_frames: flattens(Flatten::Frames),
            http,
            ..RenderOptions::default()
        }
    }

    /// The file that lists the site's pages, if one was named.
    pub(crate) fn sitemap_file(self) -> Option<&'a Path> {
        let named = self.flags.sitemap.as_ref()?.as_deref()?;
        sitemap_address(named).is_none().then_some(Path::new(named))
    }

    fn sitemap(self) -> Option<SitemapChoice> {
        match self.flags.sitemap.as_ref()? {
            None => Some(SitemapChoice::FromRobots),
            Some(named) => sitemap_address(named).map(SitemapChoice::At),
        }
    }

    fn headers(self) -> Vec<(String, String)> {
        let mut headers = self.flags.header.clone();
        if !self.flags.cookie.is_empty() {
            headers.push(("Cookie".to_owned(), self.flags.cookie.join("; ")));
        }
        headers
    }

    fn cache(self) -> Option<PathBuf> {
        let Self { flags, config } = self;
        if flags.cache.is_some() {
            return flags.cache.clone();
        }
        // What a server answers to such requests is not for others.
        if flags.no_cache || config.no_cache || !self.headers().is_empty() {
            return None;
        }
        config.cache.clone().or_else(HttpOptions::default_cache)
    }

    fn reach(self, typed: &[&Url]) -> Reach {
        let private = if self.flags.allow_private || self.config.allow_private {
            Private::Everywhere
        } else {
            Private::TypedHosts
        };
        let listed = match self.sitemap() {
            Some(SitemapChoice::At(url)) => url.host_str().map(str::to_owned),
            _ => None,
        };
        let typed_hosts = typed.iter().filter_map(|url| url.host_str().map(str::to_owned));
        Reach {
            private,
            typed_hosts: typed_hosts.chain(listed).collect(),
        }
    }

    fn proxy(self) -> ProxyChoice {
        let named = self
            .config
            .proxy
            .as_deref()
            .and_then(|proxy| parse_proxy(proxy).ok());
        match self.flags.proxy.clone().or(named) {
            None => ProxyChoice::System,
            Some(Proxy::None) => ProxyChoice::None,
            Some(Proxy::At(url)) => ProxyChoice::Url(url),
        }
    }
}

/// What was named, if it is an address of the web.
fn sitemap_address(named: &str) -> Option<Url> {
    Url::parse(named)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
}
