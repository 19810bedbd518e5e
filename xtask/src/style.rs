//! Join the style sheets: `style/index.css` says which, in which order and in which layer.

use std::{fs, path::Path};

use crate::site::told;

pub fn join(folder: &Path) -> Result<String, String> {
    let index = folder.join("index.css");
    let mut joined = String::new();
    for line in without_comments(&fs::read_to_string(&index).map_err(told(&index))?).lines() {
        match import(line) {
            Some((file, layer)) => {
                let file = folder.join(file);
                let sheet = fs::read_to_string(&file).map_err(told(&file))?;
                joined.push_str(&format!("@layer {layer} {{\n{}}}\n", tight(&sheet)));
            }
            None if line.trim_start().starts_with("@import") => {
                return Err(format!("{}: cannot read {line}", index.display()));
            }
            None => joined.push_str(&tight(line)),
        }
    }
    Ok(joined)
}

/// `@import url("/style/base.css") layer(base);` is `("base.css", "base")`.
fn import(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim().strip_prefix("@import url(\"/style/")?;
    let (file, rest) = rest.split_once("\")")?;
    let layer = rest.trim().strip_prefix("layer(")?.strip_suffix(");")?;
    Some((file, layer))
}

fn tight(sheet: &str) -> String {
    let lines = without_comments(sheet);
    lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

fn without_comments(sheet: &str) -> String {
    let mut rest = sheet;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_an_import() {
        assert_eq!(
            import("@import url(\"/style/tool-card.css\") layer(components);"),
            Some(("tool-card.css", "components"))
        );
        assert_eq!(import("@layer tokens, base;"), None);
    }

    #[test]
    fn comments_and_air_go() {
        assert_eq!(tight("/* a\n b */\n.x {\n  color: red; /* c */\n}\n\n"), ".x {\ncolor: red;\n}\n");
    }

    #[test]
    fn all_of_ours_join() {
        let style = Path::new(env!("CARGO_MANIFEST_DIR")).join("../style");
        let joined = join(&style).unwrap();
        let sheets = fs::read_dir(&style).unwrap().count();
        assert_eq!(joined.matches("\n@layer ").count(), sheets - 1, "index.css imports every other sheet");
    }
}
