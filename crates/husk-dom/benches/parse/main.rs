//! Parsing: our arena against plain html5ever into the simplest sink, on the same pages.
//!
//! `cargo bench -p husk-dom --bench parse`. Machines are noisy, so what counts is the ratio that it prints last: both
//! parsers take turns over the same pages, and the median of the rounds is compared.
#![allow(
    missing_docs,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a benchmark"
)]

mod pages;

mod plain_sink;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use husk_dom::Dom;

use pages::{PageSet, page_sets};

/// How often the two parsers take turns for the ratio.
const ROUNDS: usize = 21;

fn parse(criterion: &mut Criterion) {
    let sets = page_sets();
    for PageSet { name, pages } in &sets {
        let mut group = criterion.benchmark_group(format!("parse {name}"));
        group.throughput(Throughput::Bytes(
            pages.iter().map(|page| page.len() as u64).sum(),
        ));
        group.sample_size(10).measurement_time(Duration::from_secs(5));
        group.bench_function("husk-dom", |bencher| bencher.iter(|| ours(pages)));
        group.bench_function("plain html5ever", |bencher| bencher.iter(|| plain(pages)));
        group.finish();
    }
    // In test mode one look at each is enough.
    if !std::env::args().any(|argument| argument == "--test") {
        sets.iter().for_each(print_ratio);
    }
}

fn ours(pages: &[String]) -> usize {
    pages.iter().map(|page| black_box(Dom::parse(page)).len()).sum()
}

fn plain(pages: &[String]) -> usize {
    pages.iter().map(|page| black_box(plain_sink::parse(page))).sum()
}

fn print_ratio(set: &PageSet) {
    let mut ratios: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let plain = timed(|| plain(&set.pages));
            timed(|| ours(&set.pages)) / plain
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    eprintln!(
        "husk-dom takes {:.2} of the time of plain html5ever on {}",
        ratios[ROUNDS / 2],
        set.name
    );
}

fn timed(work: impl FnOnce() -> usize) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}

criterion_group!(benches, parse);
criterion_main!(benches);
