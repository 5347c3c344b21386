//! `husk report`: a second look at a finished output of `husk bulk`.

use anyhow::bail;
use husk_bulk::FinishedOutput;

use super::bulk::{require_undamaged, summary_lines};
use crate::args::{ReportArgs, ReportFormat};
use crate::failure::Failure;
use crate::output;
use crate::progress::counted;

pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<()> {
    let finished = FinishedOutput::open(&args.folder)?;
    let manifest = finished.manifest();
    let problems = finished.check_files()?;
    let report = match args.format {
        ReportFormat::Text => {
            let mut lines = summary_lines(manifest, &args.folder);
            lines.push(match problems.len() {
                0 => "all files are intact".to_owned(),
                count => format!("{} missing, damaged or of no run", counted(count, "file")),
            });
            lines.join("\n") + "\n"
        }
        ReportFormat::Json => manifest.to_json()?,
        ReportFormat::Html if !finished.has_report() => {
            let message = format!(
                "{} has no data for a report: run husk bulk with --report",
                args.folder.display()
            );
            return Err(Failure::Usage(message).into());
        }
        ReportFormat::Html => {
            let mut page = Vec::new();
            finished.write_report(&mut page)?;
            String::from_utf8(page)?
        }
    };
    output::write(&report, &args.output)?;
    finished.require_no_unfinished()?;
    if let Some(first) = problems.first() {
        bail!(
            "{first}: {}{}",
            finished.remedy(first),
            match problems.len() - 1 {
                0 => String::new(),
                1 => " (1 more file is missing, damaged or of no run)".to_owned(),
                others => format!(" ({others} more files are missing, damaged or of no run)"),
            }
        );
    }
    require_undamaged(&manifest.counts)
}
