//! Run other programs.

use std::{
    ffi::OsStr,
    process::{Command, Stdio},
};

pub fn command(program: impl AsRef<OsStr>) -> Command {
    Command::new(program)
}

/// The cargo that runs us, so that its version and toolchain stay the same.
pub fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs to the end, with its output on ours.
pub fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| cannot_run(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", shown(command))) }
}

/// Runs to the end and returns what it printed; nothing if it could not be run or failed.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

pub fn cannot_run(command: &Command, error: &std::io::Error) -> String {
    format!("cannot run {}: {error}", shown(command))
}

pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
