//! What operators want to know: counts and times, for Prometheus.

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// All of them.
#[derive(Clone)]
pub(crate) struct Metrics(Arc<All>);

struct All {
    registry: Registry,
    requests: Family<Request, Counter>,
    durations: Family<Route, Histogram>,
    extractions: Family<Outcome, Counter>,
    extraction_time: Histogram,
    pages_loaded: Counter,
    learned: Family<Use, Counter>,
    under_way: Gauge,
    waiting: Gauge,
    results: Gauge,
    sites: Gauge,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    route: String,
    method: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Use {
    used: &'static str,
}

/// What is only known when somebody asks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Levels {
    pub(crate) under_way: usize,
    pub(crate) waiting: usize,
    pub(crate) results: u64,
    pub(crate) sites: u64,
}

fn times() -> Histogram {
    Histogram::new(exponential_buckets(0.001, 2.0, 17))
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut all = All {
            registry: Registry::with_prefix("husk"),
            requests: Family::default(),
            durations: Family::new_with_constructor(times),
            extractions: Family::default(),
            extraction_time: times(),
            pages_loaded: Counter::default(),
            learned: Family::default(),
            under_way: Gauge::default(),
            waiting: Gauge::default(),
            results: Gauge::default(),
            sites: Gauge::default(),
        };
        all.register();
        Self(Arc::new(all))
    }

    pub(crate) fn answered(&self, route: &str, method: &str, status: u16, took: Duration) {
        let route = route.to_owned();
        let request = Request {
            route: route.clone(),
            method: method.to_owned(),
            status,
        };
        self.0.requests.get_or_create(&request).inc();
        self.0
            .durations
            .get_or_create(&Route { route })
            .observe(took.as_secs_f64());
    }

    pub(crate) fn extracted(&self, outcome: &'static str, took: Duration) {
        self.0.extractions.get_or_create(&Outcome { outcome }).inc();
        self.0.extraction_time.observe(took.as_secs_f64());
    }

    pub(crate) fn loaded(&self, pages: usize) {
        self.0.pages_loaded.inc_by(pages as u64);
    }

    /// Whether what was learned before could be used.
    pub(crate) fn learned(&self, used: bool) {
        let used = if used { "yes" } else { "no" };
        self.0.learned.get_or_create(&Use { used }).inc();
    }

    /// All of it in the text format.
    pub(crate) fn text(&self, levels: Levels) -> String {
        self.0.under_way.set(levels.under_way as i64);
        self.0.waiting.set(levels.waiting as i64);
        self.0.results.set(levels.results as i64);
        self.0.sites.set(levels.sites as i64);
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.0.registry);
        text
    }
}

impl All {
    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register(
            "http_requests",
            "Requests by route, method and status",
            self.requests.clone(),
        );
        registry.register(
            "http_request_duration_seconds",
            "Time until the answer began",
            self.durations.clone(),
        );
        registry.register(
            "extractions",
            "Extractions by what came of them",
            self.extractions.clone(),
        );
        registry.register(
            "extraction_duration_seconds",
            "Time of extractions",
            self.extraction_time.clone(),
        );
        registry.register(
            "pages_loaded",
            "Pages loaded from the web",
            self.pages_loaded.clone(),
        );
        registry.register(
            "learned_templates",
            "Pages of sites, by whether a kept template could be used",
            self.learned.clone(),
        );
        registry.register(
            "extractions_under_way",
            "Extractions under way",
            self.under_way.clone(),
        );
        registry.register(
            "extractions_waiting",
            "Extractions that wait for their turn",
            self.waiting.clone(),
        );
        registry.register("results_kept", "Results that are kept", self.results.clone());
        registry.register(
            "sites_kept",
            "Sites of which templates are kept",
            self.sites.clone(),
        );
    }
}
