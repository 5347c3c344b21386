//! Makes the page of a report from its `sites.jsonl`: `report SITES.JSONL REPORT.HTML`.

use std::fs::File;
use std::io::{self, BufReader};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(sites), Some(page)) = (arguments.next(), arguments.next()) else {
        return Err(io::Error::other("usage: report SITES.JSONL REPORT.HTML"));
    };
    husk_bulk::report::write_report(BufReader::new(File::open(sites)?), None, &mut File::create(page)?)
}
