//! `husk man`: the manual pages.

use std::io::{self, Write};

use anyhow::Context;
use clap::CommandFactory;

use crate::args::{Args, ManArgs};

pub(crate) fn run(args: &ManArgs) -> anyhow::Result<()> {
    let command = Args::command();
    match &args.folder {
        Some(folder) => {
            let cannot = || format!("cannot write manual pages into {}", folder.display());
            std::fs::create_dir_all(folder).with_context(cannot)?;
            clap_mangen::generate_to(command, folder).with_context(cannot)
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            Ok(io::stdout().write_all(&page)?)
        }
    }
}
