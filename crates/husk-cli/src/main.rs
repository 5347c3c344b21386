//! The `husk` command: flags and glue. What it does is done by the crates below it.

/// A parsed page is large and short-lived: the system's allocator hands its memory back each time, this one keeps it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod args;

mod loading;

mod serving;

mod config;

mod failure;

mod live;

mod pages;

mod output;

mod saved;

mod crawl;

mod templates_file;

mod known_templates;

mod page_files;

mod extract;

mod progress;

mod commands;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.command {
        Command::Template(template) => commands::template::run(&template),
        Command::Menu(menu) => commands::menu::run(&menu),
        Command::Content(content) => commands::content::run(&content),
        Command::Pagelets(pagelets) => commands::pagelets::run(&pagelets),
        Command::Inspect(inspect) => commands::inspect::run(&inspect),
        Command::Pack(pack) => commands::pack::run(&pack),
        Command::Learn(learn) => commands::learn::run(&learn),
        Command::Show(show) => commands::show::run(&show),
        Command::Strip(strip) => commands::strip::run(&strip),
        Command::Check(check) => commands::check::run(&check),
        Command::Diff(diff) => commands::diff::run(&diff),
        Command::Bulk(bulk) => commands::bulk::run(&bulk),
        Command::Report(report) => commands::report::run(&report),
        Command::Serve(serve) => commands::serve::run(&serve),
        Command::Completions(completions) => commands::completions::run(&completions),
        Command::Man(man) => commands::man::run(&man),
    };
    failure::exit_code(done)
}
