//! The number of instructions of parsing, which does not depend on the load of the machine.
#![allow(
    missing_docs,
    unused_qualifications,
    clippy::unwrap_used,
    reason = "a benchmark"
)]

mod plain_sink;

use std::fs;
use std::hint::black_box;
use std::path::Path;

use gungraun::{library_benchmark, library_benchmark_group, main};
use husk_dom::Dom;

fn page() -> String {
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/site");
    fs::read_to_string(site.join("visit/opening-hours/index.html")).unwrap()
}

#[library_benchmark]
#[bench::page(page())]
fn arena(page: String) -> Dom {
    black_box(Dom::parse(&page))
}

#[library_benchmark]
#[bench::page(page())]
fn plain(page: String) -> usize {
    black_box(plain_sink::parse(&page))
}

library_benchmark_group!(name = parse, benchmarks = [arena, plain]);
main!(library_benchmark_groups = parse);
