//! Instructions that the engine takes: the same in every run, whatever else the machine does.
#![allow(
    missing_docs,
    dead_code,
    unused_qualifications,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark"
)]

mod inputs;

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use husk::{Mapping, Page, Tree, Weighted, top_down};

use inputs::{Graph, example_page, long_page};

#[library_benchmark]
#[bench::none_of_4(Graph::parted(500, 3), 4)]
#[bench::none_of_8(Graph::parted(500, 7), 8)]
fn clique(graph: Graph, wanted: usize) -> usize {
    black_box(graph.search(wanted))
}

#[library_benchmark]
#[bench::example(example_page("history/the-lens"), example_page("visit/tickets"))]
#[bench::nodes_10000(long_page(10_000, "one"), long_page(10_000, "other"))]
fn mapping(one: Page, other: Page) -> Mapping {
    black_box(top_down(
        Tree::whole(&one.dom),
        Tree::whole(&other.dom),
        &Weighted::default(),
    ))
}

library_benchmark_group!(name = engine, benchmarks = [clique, mapping]);
main!(library_benchmark_groups = engine);
