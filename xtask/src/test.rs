//! Every test there is. One suite that fails does not keep the others from running; the last line counts.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::Instant,
};

use crate::{
    build::ensure_wasm_target,
    command::{cannot_run, cargo, run, shown},
};

/// Playwright against a real server.
pub mod end2end;

#[derive(Default)]
pub struct Count {
    passed: u64,
    failed: u64,
}

type Suite = (&'static str, fn() -> Result<Count, String>);

const SUITES: [Suite; 6] = [
    ("fmt", || checked(cargo().args(["fmt", "--all", "--check"]))),
    ("clippy", || {
        checked(cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--features",
            "vitrine/ssr",
            "--",
            "-D",
            "warnings",
        ]))
    }),
    ("clippy-wasm", || {
        ensure_wasm_target()?;
        checked(cargo().args([
            "clippy",
            "--lib",
            "--target",
            "wasm32-unknown-unknown",
            "--features",
            "hydrate",
            "--",
            "-D",
            "warnings",
        ]))
    }),
    ("rust", || rust(cargo().args(["test", "--workspace", "--features", "vitrine/faults", "--no-fail-fast"]))),
    ("end2end", end2end::end2end),
    ("kill9", || end2end::kill9(4, 20_261_116).map(|()| Count { passed: 1, failed: 0 })),
];

pub fn test(wanted: &[String]) -> Result<(), String> {
    if let Some(unknown) = wanted.iter().find(|name| SUITES.iter().all(|(suite, _)| suite != name)) {
        let names = SUITES.map(|(name, _)| name).join(", ");
        return Err(format!("there is no suite {unknown:?}; there are {names}"));
    }
    let mut total = Count::default();
    for (name, suite) in SUITES {
        if !wanted.is_empty() && !wanted.iter().any(|each| each == name) {
            continue;
        }
        eprintln!("── {name} ──");
        let began = Instant::now();
        let count = suite().unwrap_or_else(|problem| {
            eprintln!("{problem}");
            Count { passed: 0, failed: 1 }
        });
        eprintln!("── {name}: {} passed, {} failed, {:.0?} ──\n", count.passed, count.failed, began.elapsed());
        total.passed += count.passed;
        total.failed += count.failed;
    }
    // To the standard output, as the very last line.
    let line = format!("{} passed, {} failed", total.passed, total.failed);
    std::io::Write::write_all(&mut std::io::stdout(), format!("{line}\n").as_bytes())
        .map_err(|error| error.to_string())?;
    if total.failed == 0 { Ok(()) } else { std::process::exit(1) }
}

/// A check that either holds or does not.
fn checked(command: &mut Command) -> Result<Count, String> {
    run(command).map(|()| Count { passed: 1, failed: 0 })
}

/// Runs `cargo test`, shows what it prints, and adds up its results.
fn rust(command: &mut Command) -> Result<Count, String> {
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| cannot_run(command, &error))?;
    let mut count = Count::default();
    for line in child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
        eprintln!("{line}");
        if let Some((passed, failed)) = result(&line) {
            count.passed += passed;
            count.failed += failed;
        }
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    if !status.success() && count.failed == 0 {
        return Err(format!("{} ended with {status}", shown(command)));
    }
    Ok(count)
}

/// `test result: ok. 25 passed; 0 failed; …`
fn result(line: &str) -> Option<(u64, u64)> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let number = |what: &str| counts.split("; ").find_map(|part| part.strip_suffix(what)?.trim().parse().ok());
    Some((number(" passed")?, number(" failed")?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn reads_what_cargo_says() {
        let line = "test result: FAILED. 24 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.03s";
        assert_eq!(super::result(line), Some((24, 1)));
        assert_eq!(super::result("running 25 tests"), None);
    }
}
