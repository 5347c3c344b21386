//! Parsing time against html5ever, into a minimal sink and into the same tree, on the same pages.
//!
//! `cargo bench -p husk-dom --bench parse`. Machines are noisy: compare the ratios at the end of the output. They are medians
//! over rounds in which the two parsers alternate.
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
use husk_dom::{Dom, parse_by_html5ever};

use pages::{PageSet, page_sets};

/// Rounds per ratio.
const ROUNDS: usize = 21;

fn parse(criterion: &mut Criterion) {
    // `cargo bench` measures; `cargo test` and `cargo bench -- --test` run everything once, on few pages.
    let is_measured = std::env::args().any(|argument| argument == "--bench")
        && !std::env::args().any(|argument| argument == "--test");
    let sets = page_sets(is_measured);
    for PageSet { name, pages } in &sets {
        let mut group = criterion.benchmark_group(format!("parse {name}"));
        group.throughput(Throughput::Bytes(
            pages.iter().map(|page| page.len() as u64).sum(),
        ));
        group.sample_size(10).measurement_time(Duration::from_secs(5));
        group.bench_function("husk-dom", |bencher| bencher.iter(|| ours(pages)));
        group.bench_function("html5ever, same tree", |bencher| {
            bencher.iter(|| by_html5ever(pages));
        });
        group.bench_function("html5ever, minimal sink", |bencher| bencher.iter(|| plain(pages)));
        group.finish();
    }
    if is_measured {
        sets.iter().for_each(print_ratios);
    }
}

fn ours(pages: &[String]) -> usize {
    pages.iter().map(|page| black_box(Dom::parse(page)).len()).sum()
}

fn plain(pages: &[String]) -> usize {
    pages.iter().map(|page| black_box(plain_sink::parse(page))).sum()
}

fn by_html5ever(pages: &[String]) -> usize {
    let parsed = pages.iter().map(|page| black_box(parse_by_html5ever(page)));
    parsed.map(|dom| dom.len()).sum()
}

fn print_ratios(set: &PageSet) {
    let name = set.name;
    let to_plain = ratio(|| ours(&set.pages), || plain(&set.pages));
    eprintln!("{name}: {to_plain:.2} of the time of html5ever with a minimal sink");
    let to_theirs = ratio(|| ours(&set.pages), || by_html5ever(&set.pages));
    eprintln!("{name}: {to_theirs:.2} of the time of html5ever with the same tree");
}

/// The median ratio of two times.
fn ratio(one: impl Fn() -> usize, other: impl Fn() -> usize) -> f64 {
    let mut ratios: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let other = timed(&other);
            timed(&one) / other
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ROUNDS / 2]
}

fn timed(work: impl FnOnce() -> usize) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}

criterion_group!(benches, parse);
criterion_main!(benches);
