# The recipes people need; `just` alone lists them.

_list:
    @just --list --unsorted

# install what the tests need
setup:
    scripts/install-tools

# formatting, lints, documentation
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps
    scripts/forbidden-words

# all Rust tests, without those that need a corpus: `just test -- --include-ignored` runs these too
test *args:
    cargo test --workspace {{ args }}

# every check that a change must pass; continuous integration runs it
ci:
    ./test

# run the command: just run template site/about.html --open
run *args:
    cargo run --release --quiet -- {{ args }}

# serve the HTTP API and the web page at http://localhost:8090/
serve *args:
    cargo run --release --quiet -- serve {{ args }}

# build the command for publishing, with link-time optimisation: target/dist/husk
dist:
    cargo build --profile dist

# load test of `husk serve` with 200 clients, with a shutdown under load
bench-serve *args:
    cargo build --release
    benchmarks/serve/load {{ args }}

# scores on the test sites, or on a corpus of yours
eval corpus="fixtures/sites" *args:
    cargo run --release --quiet -p husk-lab -- eval {{ corpus }} {{ args }}

# the same as an HTML report: report.html
report corpus="fixtures/sites" *args:
    cargo run --release --quiet -p husk-lab -- eval {{ corpus }} --report report.html {{ args }}

# raise floors.toml to the present scores on the test sites and the corpus; `just floors --lower` also lowers it
floors *args:
    scripts/check-floors --raise {{ args }}

# print a page as the engine sees it: just outline page.html
outline file:
    cargo run --release --quiet -p husk-dom --example dom -- outline {{ file }}

# time of parsing (beside plain html5ever), of clique search and of mapping
bench *args:
    cargo bench -p husk-dom --bench parse -- {{ args }}
    cargo bench -p husk --bench engine -- {{ args }}

# instruction counts of the same, which do not depend on the load of the machine (needs valgrind)
bench-instructions:
    scripts/bench-instructions

# instruction counts of ten commands against instructions.json; `just instructions --raise` writes those reached
instructions *args:
    scripts/check-instructions {{ args }}

# cost of reading a 1 GB archive beside decompressing and parsing it: the table of docs/archives.md
bench-warc *args:
    benchmarks/warc/run {{ args }}

# main content against other extractors, on a corpus and sets of pages, with the plot of docs/evaluation.md
content-peers *args:
    cargo build --release
    benchmarks/content/run --plot docs/picture/content-peers.svg {{ args }}

# speed and memory against other extractors, on one core, with a plot
compare *args:
    benchmarks/compare/run {{ args }}

# cost of husk bulk against the number of pages, up to 100,000, and the gain from a second core
scale *args:
    benchmarks/compare/scale {{ args }}

# build the engine for JavaScript: packages/core/dist
wasm:
    scripts/build-wasm

# build the Python wheel: packages/python/dist
python:
    scripts/build-python

# test the wheel, each suite in a fresh environment: just python-tests package
python-tests *suites: python
    cargo build --release
    packages/python/tests/run packages/python/dist/*.whl {{ suites }}

# cost of Python beside the command, and beside resiliparse
bench-python *args:
    benchmarks/python/run {{ args }}

# cost of crawls on Spark, how it grows, and the effect of one very large site: the tables of docs/scale.md
bench-spark *args:
    benchmarks/spark/run {{ args }}

# build the browser extension: zip files for Chromium and Firefox in extension/dist
extension:
    scripts/build-extension

# test the extension in both browsers
extension-browsers: extension
    cargo build --release
    npm run --prefix extension test:browser

# build the web page of `husk serve` into the server's assets
web:
    npm run --prefix web check
    npm run --prefix web build

# test the web page in both browsers
web-browsers: web
    cargo build --release
    npm run --prefix web test:browser

# compare with lexbor, the html5lib tests and warcio
differential: setup
    .venv/bin/python tests/differential/warc.py
    .venv/bin/python tests/differential/html5lib.py
    .venv/bin/python tests/differential/lexbor.py

# make the picture in the README
picture:
    cargo build --release
    python3 docs/picture/make.py
