//! Playwright against a real server. Brings its own packages and, if there is none, a Chromium.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::Count;
use crate::{
    build::{Profile, build},
    command::{command, output, run},
};

const FOLDER: &str = "end2end";

/// Where systems put a Chromium, or something that is one.
const KNOWN_BROWSERS: [&str; 8] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/snap/bin/chromium",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

pub fn end2end() -> Result<Count, String> {
    let built = build(Profile::Test)?;
    let browser = prepare()?;
    let report = std::path::absolute(Path::new("target").join("end2end.json")).map_err(|error| error.to_string())?;
    let _ = fs::remove_file(&report);
    let outcome = run(npx()
        .args(["playwright", "test", "--reporter=list,json"])
        .env("PLAYWRIGHT_JSON_OUTPUT_NAME", &report)
        .env("CHROMIUM", &browser)
        .env("VITRINE_BIN", &built.server)
        .env("VITRINE_SITE", &built.site));
    // Failed tests are in the report; without one, Playwright itself did not get far.
    let Ok(report) = fs::read(&report) else {
        return outcome.map(|()| Count::default());
    };
    let report: serde_json::Value = serde_json::from_slice(&report).map_err(|error| error.to_string())?;
    let stat = |name: &str| report["stats"][name].as_u64().unwrap_or(0);
    let errors = report["errors"].as_array().map_or(0, Vec::len) as u64;
    // A test that passes only at the second try has found a race; and whatever else displeased Playwright counts too.
    let failed = stat("unexpected") + stat("flaky") + errors;
    Ok(Count { passed: stat("expected"), failed: failed.max(u64::from(outcome.is_err())) })
}

/// Kills a server as often as told, and looks what becomes of it.
pub fn kill9(rounds: u32, seed: u32) -> Result<(), String> {
    let built = build(Profile::Test)?;
    let mut node = command("node");
    node.arg(Path::new(FOLDER).join("kill9.mjs")).arg(rounds.to_string()).arg(seed.to_string());
    run(node.env("VITRINE_BIN", &built.server).env("VITRINE_SITE", &built.site))
}

/// Runs one of the scripts beside the tests.
pub fn script(name: &str, flags: &[String], profile: Profile) -> Result<(), String> {
    let built = build(profile)?;
    let browser = prepare()?;
    let mut node = command("node");
    node.arg(Path::new(FOLDER).join(name)).args(flags).env("CHROMIUM", browser);
    run(node.env("VITRINE_BIN", &built.server).env("VITRINE_SITE", &built.site))
}

/// Brings what the browser needs, and the browser.
fn prepare() -> Result<PathBuf, String> {
    install_packages()?;
    let browser = find_browser().map_or_else(install_browser, Ok)?;
    eprintln!("browser: {}", browser.display());
    Ok(browser)
}

fn npx() -> std::process::Command {
    let mut npx = command(if cfg!(windows) { "npx.cmd" } else { "npx" });
    npx.current_dir(FOLDER);
    npx
}

fn install_packages() -> Result<(), String> {
    let folder = Path::new(FOLDER);
    let modified = |file: &str| fs::metadata(folder.join(file)).and_then(|file| file.modified()).ok();
    let installed = modified("node_modules/.package-lock.json");
    if installed.is_some() && installed >= modified("package-lock.json") {
        return Ok(());
    }
    let mut npm = command(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(folder).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    run(&mut npm).map_err(|problem| format!("{problem}\nThe browser tests need Node 20 or newer, with npm."))
}

fn find_browser() -> Option<PathBuf> {
    let told = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let known = KNOWN_BROWSERS.iter().map(PathBuf::from);
    told.into_iter().chain(known).chain(playwrights_own()).find(|path| path.exists())
}

fn playwrights_own() -> Option<PathBuf> {
    let ask = "process.stdout.write(require('@playwright/test').chromium.executablePath())";
    output(command("node").args(["-e", ask]).current_dir(FOLDER)).map(PathBuf::from)
}

/// Playwright's own first, because it touches nothing outside the home folder; then, where we may, Debian's.
fn install_browser() -> Result<PathBuf, String> {
    eprintln!("there is no Chromium here; trying to get one");
    let _ = run(npx().args(["playwright", "install", "chromium"]));
    if let Some(browser) = find_browser() {
        return Ok(browser);
    }
    let is_root = output(command("id").arg("-u")).is_some_and(|id| id == "0");
    if is_root && output(command("apt-get").arg("--version")).is_some() {
        let apt = || {
            let mut apt = command("apt-get");
            apt.env("DEBIAN_FRONTEND", "noninteractive").stdout(std::process::Stdio::null());
            apt
        };
        run(apt().args(["update", "-q"]))?;
        run(apt().args(["install", "-y", "-q", "--no-install-recommends", "chromium"]))?;
    }
    find_browser().ok_or_else(|| {
        "the browser tests need a Chromium. Install one (Debian: `apt install chromium`), or name one in the variable \
         CHROMIUM"
            .into()
    })
}
