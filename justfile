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

# all Rust tests
test:
    cargo test --workspace

# everything a change must pass; what continuous integration runs
ci:
    ./test

# the command on your page: just run template site/about.html --open
run *args:
    cargo run --release --quiet -- {{ args }}

# the HTTP API and the web page, at http://localhost:8090/
serve *args:
    cargo run --release --quiet -- serve {{ args }}

# husk serve under 200 clients, and ended while they ask
bench-serve *args:
    cargo build --release
    benchmarks/serve/load {{ args }}

# scores on the project's own sites, or on a corpus of yours
eval corpus="fixtures/sites" *args:
    cargo run --release --quiet -p husk-lab -- eval {{ corpus }} {{ args }}

# the same as an HTML report: report.html
report corpus="fixtures/sites" *args:
    cargo run --release --quiet -p husk-lab -- eval {{ corpus }} --report report.html {{ args }}

# raise floors.toml to the scores reached now, on the project's own sites and on the corpus; `just floors --lower` lowers too
floors *args:
    scripts/check-floors --raise {{ args }}

# a page as the engine sees it: just outline page.html
outline file:
    cargo run --release --quiet -p husk-dom --example dom -- outline {{ file }}

# wall time: parsing against plain html5ever, clique search, mapping
bench *args:
    cargo bench -p husk-dom --bench parse -- {{ args }}
    cargo bench -p husk --bench engine -- {{ args }}

# instruction counts of the same, which do not depend on what else the machine does (needs valgrind)
bench-instructions:
    scripts/bench-instructions

# what reading an archive of 1 GB costs beside unpacking and parsing it: the table of docs/archives.md
bench-warc *args:
    benchmarks/warc/run {{ args }}

# main content against other extractors, on a corpus: the table of docs/evaluation.md, and its plot
content-peers *args:
    cargo build --release
    benchmarks/content/run --plot docs/picture/content-peers.svg {{ args }}

# speed and memory against other extractors, on one core, and its plot
compare *args:
    benchmarks/compare/run {{ args }}

# what husk bulk costs against the number of pages, up to 100,000, and what a second core gives
scale *args:
    benchmarks/compare/scale {{ args }}

# the engine for JavaScript: packages/core/dist
wasm:
    scripts/build-wasm

# the wheel for Python: packages/python/dist
python:
    scripts/build-python

# its tests, each suite in a fresh environment: just python-tests package
python-tests *suites: python
    cargo build --release
    packages/python/tests/run packages/python/dist/*.whl {{ suites }}

# what Python costs beside the command, and beside resiliparse
bench-python *args:
    benchmarks/python/run {{ args }}

# what crawls on Spark cost, how that grows, and what a very large site does: the tables of docs/scale.md
bench-spark *args:
    benchmarks/spark/run {{ args }}

# the browser extension: zip files for Chromium and Firefox in extension/dist
extension:
    scripts/build-extension

# its tests in both browsers
extension-browsers: extension
    cargo build --release
    npm run --prefix extension test:browser

# the web page of `husk serve`, into the server's assets
web:
    npm run --prefix web check
    npm run --prefix web build

# its tests in both browsers
web-browsers: web
    cargo build --release
    npm run --prefix web test:browser

# the same XPaths as lexbor, the html5lib tests, archives to warcio and back
differential: setup
    .venv/bin/python tests/differential/warc.py
    .venv/bin/python tests/differential/html5lib.py
    .venv/bin/python tests/differential/lexbor.py

# the picture in the README
picture:
    cargo build --release
    python3 docs/picture/make.py
