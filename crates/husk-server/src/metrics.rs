//! Metrics for Prometheus, served at `/metrics`.

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// All metrics of the server.
#[derive(Clone)]
pub(crate) struct Metrics(Arc<MetricFamilies>);

struct MetricFamilies {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    request_time: Family<RouteLabel, Histogram>,
    extractions: Family<OutcomeLabel, Counter>,
    extraction_time: Histogram,
    pages_loaded: Counter,
    template_lookups: Family<LookupLabel, Counter>,
    running: Gauge,
    queued: Gauge,
    results: Gauge,
    sites: Gauge,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabel {
    route: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabel {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LookupLabel {
    result: &'static str,
}

/// Values that are read when the metrics are served.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GaugeValues {
    pub(crate) running: usize,
    pub(crate) queued: usize,
    pub(crate) results: u64,
    pub(crate) sites: u64,
}

/// From 1 ms to 65 s.
fn time_histogram() -> Histogram {
    Histogram::new(exponential_buckets(0.001, 2.0, 17))
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut families = MetricFamilies {
            registry: Registry::with_prefix("husk"),
            requests: Family::default(),
            request_time: Family::new_with_constructor(time_histogram),
            extractions: Family::default(),
            extraction_time: time_histogram(),
            pages_loaded: Counter::default(),
            template_lookups: Family::default(),
            running: Gauge::default(),
            queued: Gauge::default(),
            results: Gauge::default(),
            sites: Gauge::default(),
        };
        families.register();
        Self(Arc::new(families))
    }

    pub(crate) fn count_request(&self, route: &str, method: &str, status: u16, took: Duration) {
        let route = route.to_owned();
        let labels = RequestLabels {
            route: route.clone(),
            method: method.to_owned(),
            status,
        };
        self.0.requests.get_or_create(&labels).inc();
        self.0
            .request_time
            .get_or_create(&RouteLabel { route })
            .observe(took.as_secs_f64());
    }

    pub(crate) fn count_extraction(&self, outcome: &'static str, took: Duration) {
        self.0.extractions.get_or_create(&OutcomeLabel { outcome }).inc();
        self.0.extraction_time.observe(took.as_secs_f64());
    }

    pub(crate) fn count_loaded_pages(&self, pages: usize) {
        self.0.pages_loaded.inc_by(pages as u64);
    }

    pub(crate) fn count_template_lookup(&self, is_hit: bool) {
        let result = if is_hit { "hit" } else { "miss" };
        self.0
            .template_lookups
            .get_or_create(&LookupLabel { result })
            .inc();
    }

    /// All metrics in the OpenMetrics text format.
    pub(crate) fn text(&self, values: GaugeValues) -> String {
        self.0.running.set(values.running as i64);
        self.0.queued.set(values.queued as i64);
        self.0.results.set(values.results as i64);
        self.0.sites.set(values.sites as i64);
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.0.registry);
        text
    }
}

impl MetricFamilies {
    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register(
            "http_requests",
            "Requests by route, method and status",
            self.requests.clone(),
        );
        registry.register(
            "http_request_duration_seconds",
            "Time to the start of the response",
            self.request_time.clone(),
        );
        registry.register("extractions", "Extractions by outcome", self.extractions.clone());
        registry.register(
            "extraction_duration_seconds",
            "Time of an extraction",
            self.extraction_time.clone(),
        );
        registry.register(
            "pages_loaded",
            "Pages loaded from the web",
            self.pages_loaded.clone(),
        );
        registry.register(
            "template_lookups",
            "Lookups of learned templates by result",
            self.template_lookups.clone(),
        );
        registry.register("extractions_running", "Running extractions", self.running.clone());
        registry.register(
            "extractions_queued",
            "Requests waiting in the queue",
            self.queued.clone(),
        );
        registry.register("results_stored", "Stored results", self.results.clone());
        registry.register("sites_stored", "Sites with learned templates", self.sites.clone());
    }
}
