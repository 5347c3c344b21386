//! The engine on pages in memory: links, the search for a clique, the mapping, and all of it.
//!
//! `cargo bench -p husk --bench engine`.
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark"
)]

mod inputs;

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use husk::{Extraction, Options, Page, Session, Tree, Weighted, links, top_down};

use inputs::{Graph, example_page, example_site, flat_page, long_page};

/// The allocator of the `husk` command. The system's hands the memory of large pages back each time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// As many processed links as the largest menus of real sites have, and more.
const LINKS: usize = 500;

fn clique(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("clique search over 500 links");
    let graphs = [
        ("a random graph", Graph::random(LINKS, 0.3), 12),
        ("no clique of 4", Graph::parted(LINKS, 3), 4),
        ("no clique of 8", Graph::parted(LINKS, 7), 8),
        ("a chain", Graph::chain(LINKS), 4),
    ];
    for (name, graph, wanted) in &graphs {
        group.bench_function(*name, |bencher| bencher.iter(|| black_box(graph.search(*wanted))));
    }
    group.finish();
}

fn mapping(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mapping");
    for nodes in [1_000, 10_000, 50_000] {
        let (one, other) = (long_page(nodes, "one"), long_page(nodes, "other"));
        group.throughput(Throughput::Elements(one.dom.len() as u64));
        group.sample_size(10);
        group.bench_function(format!("{nodes} nodes"), |bencher| {
            bencher.iter(|| {
                top_down(
                    Tree::whole(&one.dom),
                    Tree::whole(&other.dom),
                    &Weighted::default(),
                )
            });
        });
    }
    let (one, other) = (example_page("history/the-lens"), example_page("visit/tickets"));
    group.throughput(Throughput::Elements(one.dom.len() as u64));
    group.bench_function("two pages of the example site", |bencher| {
        bencher.iter(|| {
            top_down(
                Tree::whole(&one.dom),
                Tree::whole(&other.dom),
                &Weighted::default(),
            )
        });
    });
    group.finish();
}

/// The default method, parsing aside: a page against another, ever longer ones. Time has to grow as the pages do.
fn default_method(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a page against another");
    type MakePage = fn(usize, &str) -> Page;
    for (shape, page) in [("chapters", long_page as MakePage), ("one list", flat_page)] {
        for nodes in [10_000, 50_000, 200_000] {
            let (one, other) = (page(nodes, "one"), page(nodes, "other"));
            group.throughput(Throughput::Elements(one.dom.len() as u64));
            group.sample_size(20);
            group.bench_function(format!("{shape}, {nodes} nodes"), |bencher| {
                bencher.iter_batched(
                    || (one.clone(), other.clone()),
                    |(one, other)| compare(one, other),
                    // Each page is as fresh in memory as one that was just parsed.
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

fn compare(key_page: Page, other: Page) -> Extraction {
    let mut session = Session::new(key_page, Options::default());
    session.give(other);
    session.finish()
}

fn whole(criterion: &mut Criterion) {
    let key_page = example_page("history/the-lens");
    let site = example_site();
    criterion.bench_function("links of a page", |bencher| {
        bencher.iter(|| links(&key_page, Options::default().same_site));
    });
    criterion.bench_function("extraction from parsed pages", |bencher| {
        let start = || (Session::new(key_page.clone(), Options::default()), site.clone());
        bencher.iter_batched(
            start,
            |(mut session, mut site)| {
                while let Some(url) = session.next_wanted().cloned() {
                    let place = site
                        .iter()
                        .position(|page| page.url == url)
                        .expect("the site is whole");
                    session.give(site.swap_remove(place));
                }
                session.finish()
            },
            BatchSize::LargeInput,
        );
    });
}

criterion_group!(benches, clique, mapping, default_method, whole);
criterion_main!(benches);
