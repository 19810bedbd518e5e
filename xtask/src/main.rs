//! Everything one does with this repository: serve it, test it, make a folder to take away. `cargo xtask --help`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Compile the server and the program for the browser.
mod build;
/// Run other programs.
mod command;
/// A folder that runs anywhere.
mod dist;
/// From compiled files to a site: names, sizes, places.
mod site;
/// Join the style sheets.
mod style;
/// Every test there is.
mod test;

use build::Profile;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    about = "Builds, runs and tests Vitrine. Needs nothing but Rust (and Node for `test`)."
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build and run, on http://127.0.0.1:3000
    Serve {
        /// Optimised, compressed, with hashed file names
        #[arg(long)]
        release: bool,
        /// Passed on to vitrine, for example `--addr 127.0.0.1:4000 --data DIR`. See `cargo xtask serve -- --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "VITRINE'S OWN FLAGS")]
        flags: Vec<String>,
    },
    /// Build only
    Build {
        #[arg(long)]
        release: bool,
    },
    /// Run every test: format, lints for both targets, Rust, browsers. Installs what it needs
    Test {
        /// Only these suites: fmt, clippy, clippy-wasm, rust, end2end
        suites: Vec<String>,
    },
    /// Make `dist/`: the program and its site, to be copied anywhere
    Dist,
}

fn main() -> ExitCode {
    // Wherever it is called from, it works on the repository that it is of.
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(std::env::set_current_dir);
    let done = match (root, Cli::parse().task) {
        (None | Some(Err(_)), _) => Err("the repository is not where it was when xtask was built".into()),
        (Some(Ok(())), Task::Serve { release, flags }) => serve(Profile::of(release), flags),
        (Some(Ok(())), Task::Build { release }) => build::build(Profile::of(release)).map(drop),
        (Some(Ok(())), Task::Test { suites }) => test::test(&suites),
        (Some(Ok(())), Task::Dist) => dist::dist(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn serve(profile: Profile, flags: Vec<String>) -> Result<(), String> {
    let built = build::build(profile)?;
    command::run(command::command(&built.server).arg("--site").arg(&built.site).args(flags))
}
