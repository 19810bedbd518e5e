//! A folder that runs anywhere: the program and its site.

use std::{fs, path::Path};

use crate::{
    build::{Profile, build},
    site::told,
};

pub fn dist() -> Result<(), String> {
    let built = build(Profile::Release)?;
    let dist = Path::new("dist");
    let _ = fs::remove_dir_all(dist);
    copy(&built.site, &dist.join("site"))?;
    let program = dist.join(built.server.file_name().unwrap_or_default());
    fs::copy(&built.server, &program).map_err(told(&program))?;
    eprintln!("dist/ is ready: copy it anywhere and run {}", program.display());
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(told(to))?;
    for entry in fs::read_dir(from).map_err(told(from))?.flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), &to).map_err(told(&to))?;
        }
    }
    Ok(())
}
