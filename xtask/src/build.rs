//! Compile the server and the program for the browser.

use std::path::{Path, PathBuf};

use crate::{
    command::{cargo, command, output, run},
    site,
};

const WASM: &str = "wasm32-unknown-unknown";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Quick to build.
    Dev,
    /// A server that checks itself and goes wrong when it is told to, with the very site that a release has. For tests.
    Test,
    /// What people get.
    Release,
    /// The same, to be measured.
    Bench,
}

pub struct Built {
    pub server: PathBuf,
    pub site: PathBuf,
}

impl Profile {
    pub const fn of(release: bool) -> Self {
        if release { Self::Release } else { Self::Dev }
    }

    const fn server(self) -> (&'static str, &'static str) {
        match self {
            Self::Dev | Self::Test => ("dev", "debug"),
            Self::Release | Self::Bench => ("release", "release"),
        }
    }

    const fn features(self) -> &'static str {
        match self {
            Self::Dev | Self::Release => "ssr",
            Self::Test => "faults",
            Self::Bench => "bench",
        }
    }

    const fn program(self) -> (&'static str, &'static str) {
        match self {
            Self::Dev => ("dev", "debug"),
            Self::Test | Self::Release | Self::Bench => ("wasm-release", "wasm-release"),
        }
    }
}

pub fn build(profile: Profile) -> Result<Built, String> {
    ensure_wasm_target()?;
    let target = target_folder();
    let (server, server_folder) = profile.server();
    let (program, program_folder) = profile.program();
    run(cargo().args(["build", "--bin", "vitrine", "--features", profile.features(), "--profile", server]))?;
    run(cargo().args(["build", "--lib", "--features", "hydrate", "--target", WASM, "--profile", program]))?;
    let wasm = target.join(WASM).join(program_folder).join("vitrine.wasm");
    let (name, packing) = match profile {
        Profile::Dev => ("dev", site::Packing::Plain),
        Profile::Test | Profile::Release | Profile::Bench => ("release", site::Packing::HashedAndCompressed),
    };
    let site = site::make(&wasm, &target.join("site").join(name), packing)?;
    let server = target.join(server_folder).join(format!("vitrine{}", std::env::consts::EXE_SUFFIX));
    Ok(Built { server, site })
}

/// `rust-toolchain.toml` brings the target where rustup may install by itself; elsewhere we ask it to.
pub fn ensure_wasm_target() -> Result<(), String> {
    let sysroot = output(command("rustc").args(["--print", "sysroot"])).ok_or("cannot run rustc")?;
    if Path::new(&sysroot).join("lib/rustlib").join(WASM).exists() {
        return Ok(());
    }
    run(command("rustup").args(["target", "add", WASM])).map_err(|problem| {
        format!("{problem}\nThe browser's part needs Rust's target {WASM}. With rustup: `rustup target add {WASM}`.")
    })
}

fn target_folder() -> PathBuf {
    let told = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let folder = told.unwrap_or_else(|| PathBuf::from("target"));
    std::path::absolute(&folder).unwrap_or(folder)
}
