//! Everything one does with this repository: serve it, test it, make a folder to take away. `cargo xtask --help`.

use std::{path::Path, process::ExitCode};

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
        /// What the browser tests run against
        #[arg(long, conflicts_with = "release")]
        test: bool,
    },
    /// Run every test: format, lints for both targets, Rust, browsers. Installs what it needs
    Test {
        /// Only these suites: fmt, clippy, clippy-wasm, rust, end2end, kill9
        suites: Vec<String>,
    },
    /// Kill the server again and again, start it again, and check that nothing is lost, done twice or left open
    Kill9 {
        /// How often
        #[arg(long, default_value_t = 20)]
        n: u32,
        /// Another order of things
        #[arg(long, default_value_t = 20_261_116)]
        seed: u32,
    },
    /// Measure how long an event takes from the server to the DOM, in Chromium
    Latency,
    /// Measure: what a page costs, in Chromium, or the corpus (import speed, search latency). Writes `target/bench.json`
    Bench {
        /// What to measure: latency, burst, steady, onemore, open, size, usable; or corpus. All but the last, if nothing is said
        names: Vec<String>,
        /// How often each
        #[arg(long, default_value_t = 5)]
        runs: u32,
    },
    /// Take pictures of every page, in both themes and two widths, into `target/shots`
    Shots,
    /// Make `dist/`: the program and its site, to be copied anywhere
    Dist,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let task = Cli::parse().task;
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    // Wherever it is called from, it works on the repository that it is of.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    std::env::set_current_dir(root).map_err(|error| format!("{}: {error}", root.display()))?;
    match task {
        Task::Serve { release, flags } => {
            let built = build::build(Profile::of(release))?;
            let mut vitrine = command::command(&built.server);
            // Its data belongs to where it is called from.
            command::run(vitrine.arg("--site").arg(&built.site).args(flags).current_dir(here))
        }
        Task::Build { test: true, .. } => build::build(Profile::Test).map(drop),
        Task::Build { release, .. } => build::build(Profile::of(release)).map(drop),
        Task::Test { suites } => test::test(&suites),
        Task::Kill9 { n, seed } => test::end2end::kill9(n, seed),
        Task::Latency => test::end2end::script("latency.mjs", &[], Profile::Release),
        Task::Bench { names, .. } if names == ["corpus"] => corpus(),
        Task::Bench { names, runs } => {
            test::end2end::script("bench.mjs", &[names.join(","), runs.to_string()], Profile::Bench)
        }
        Task::Shots => test::end2end::script("shots.mjs", &[], Profile::Test),
        Task::Dist => dist::dist(),
    }
}

/// This measurement is a test of the same name, with more to do.
fn corpus() -> Result<(), String> {
    let flags = ["test", "--release", "--features", "vitrine/ssr", "--lib", "-p", "vitrine", "--"];
    let mut bench = command::cargo();
    bench.args(flags).args(["--nocapture", "bench::corpus"]);
    command::run(bench.env("VITRINE_BENCH_BILLS", "20000"))
}
