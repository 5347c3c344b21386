//! The formats of each command, from the table of outputs.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use husk::output::{ContentFormat, Output, Part};

use crate::failure::Failure;

/// The outputs of a part by name, each with its line of help.
pub(super) fn formats(part: Part) -> impl TypedValueParser<Value = &'static Output> {
    let values = part
        .outputs()
        .map(|output| PossibleValue::new(output.name).help(output.help));
    PossibleValuesParser::new(values).try_map(move |name| part.output(&name))
}

/// The output of a part that is written if none is named: the first.
pub(super) fn default_format(part: Part) -> &'static str {
    part.outputs().next().map_or("", |output| output.name)
}

pub(super) fn content_formats() -> impl TypedValueParser<Value = ContentFormat> {
    PossibleValuesParser::new(ContentFormat::ALL.map(ContentFormat::name)).map(|name| {
        let format = ContentFormat::ALL
            .into_iter()
            .find(|format| format.name() == name);
        format.unwrap_or_default()
    })
}

/// Fails if an option is given that the output does not heed: the user expects something else than would be printed.
pub(crate) fn require_heeded(output: &Output, given: &[(&str, bool)]) -> Result<(), Failure> {
    let is_ignored = |(option, is_given): &&(&str, bool)| *is_given && !output.options.contains(option);
    let Some((option, _)) = given.iter().find(is_ignored) else {
        return Ok(());
    };
    let heeding = output
        .part
        .outputs()
        .filter(|other| other.options.contains(option));
    let names: Vec<&str> = heeding.map(|output| output.name).collect();
    let option = option.replace('_', "-");
    Err(Failure::Usage(format!(
        "--{option} has no effect with --format {}: use it with --format {}",
        output.name,
        names.join(" or ")
    )))
}
