//! The rules of this house, checked. Each one that is broken says where, and why it is a rule.

use std::{fs, path::Path};

/// Every file of ours below `folder`, with its path relative to the repository and its text.
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|is| is == ending) {
                found.push((relative(root, &path), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!found.is_empty(), "no .{ending} below {folder}");
    found
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/")
}

/// Fails for every line outside of `homes` that has one of `words` in it.
fn only_in(homes: &[&str], words: &[&str], why: &str) {
    let mut broken = Vec::new();
    for (path, text) in files("src", "rs") {
        let is_home = path == "src/tidy.rs" || homes.iter().any(|home| path.starts_with(&format!("src/{home}")));
        for (number, line) in
            (1..).zip(text.lines()).filter(|(_, line)| !is_home && !line.trim_start().starts_with("//"))
        {
            if let Some(word) = words.iter().find(|word| line.contains(*word)) {
                broken.push(format!("{path}:{number} has `{word}`"));
            }
        }
    }
    assert!(broken.is_empty(), "{why}\n{}", broken.join("\n"));
}

#[test]
fn the_model_knows_nothing_of_the_other_rooms() {
    let words = [
        "crate::api",
        "crate::ui",
        "crate::browser",
        "crate::server",
        "leptos",
        "server_fn",
        "tokio",
        "std::fs",
        "std::net",
        "std::env",
        "SystemTime",
        "web_sys",
        "sqlx",
    ];
    for (path, text) in files("src/model", "rs") {
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let word = words.iter().find(|word| line.contains(*word));
            assert!(
                word.is_none(),
                "{path}:{number} has `{}`: the model does no I/O and is shared by all rooms, so it may know none of them",
                word.unwrap()
            );
        }
    }
}

#[test]
fn only_the_browser_room_names_web_sys() {
    only_in(
        &["browser"],
        &["web_sys::", "js_sys::"],
        "What only a browser can do lives in src/browser, so that the other rooms can be read and tested without one.",
    );
}

#[test]
fn only_database_modules_name_sqlx() {
    only_in(
        &["server/db", "server/corpus"],
        &["sqlx::"],
        "SQL lives in src/server/db and src/server/corpus, so that another database is a change in one place.",
    );
}

#[test]
fn only_the_event_log_appends_events() {
    only_in(
        &["server/db/events.rs"],
        &["INSERT INTO events"],
        "One place writes events: sequence numbers without gaps depend on it.",
    );
    only_in(
        &["server/log", "server/db"],
        &["db::Writer", "Writer {"],
        "The writing connection belongs to the event log, which commits before it publishes.",
    );
}

#[test]
fn tools_speak_only_through_their_reporter() {
    for (path, text) in files("src/server/tools", "rs") {
        for word in ["EventLog", "log::", ".append(&"] {
            assert!(
                !text.contains(word),
                "{path} has `{word}`: a tool speaks only through its reporter, so that it can be tested without a server"
            );
        }
    }
}

#[test]
fn only_the_page_changes_its_conversation() {
    only_in(
        &["model", "ui/live", "server"],
        &[".apply("],
        "In the browser only `ui::live` applies events: what is shown is what it has folded.",
    );
}

#[test]
fn four_features_in_all() {
    let mut found = Vec::new();
    for (path, text) in files("src", "rs").into_iter().filter(|(path, _)| path != "src/tidy.rs") {
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| line.contains("feature = ")) {
            found.push(format!("{path}:{number}: {}", line.trim()));
        }
    }
    assert_eq!(
        found.len(),
        4,
        "`mod server`, `fn wake`, `IS_UNDER_TEST` and `IS_MEASURED` are the only places that ask for features; everything else \
         compiles for all:\n{}",
        found.join("\n")
    );
    assert!(
        found.iter().all(|line| line.starts_with("src/lib.rs:")
            || line.contains("IS_UNDER_TEST")
            || line.contains("IS_MEASURED")),
        "{}",
        found.join("\n")
    );
}

#[test]
fn one_noun_per_file() {
    for (path, text) in files("src", "rs").into_iter().chain(files("xtask/src", "rs")) {
        assert!(
            !path.ends_with("/mod.rs"),
            "{path}: a module's file stands beside its folder, so that tabs have names"
        );
        assert!(text.lines().count() <= 400, "{path} has more than 400 lines: there are two nouns in it");
        assert!(text.starts_with("//!"), "{path} does not say in its first line what it is");
    }
}

#[test]
fn markup_comes_from_us_alone() {
    only_in(
        &["browser/dom.rs"],
        &["inner_html", "insert_adjacent_html", "document_write"],
        "Only what `ui::view` has written is parsed: it escapes whatever a model, a tool or a person wrote.",
    );
}

#[test]
fn every_table_of_contents_is_complete() {
    for (path, text) in files("src", "rs") {
        for (number, pair) in text.lines().collect::<Vec<_>>().windows(2).enumerate() {
            let declares =
                |line: &str| (line.starts_with("mod ") || line.starts_with("pub mod ")) && line.ends_with(';');
            let is_test = pair[0].starts_with("#[cfg(test)]");
            if declares(pair[1]) && !is_test {
                let explained = pair[0].starts_with("///") || pair[0].starts_with("#[cfg(");
                assert!(explained, "{path}:{}: `{}` does not say what lives there", number + 2, pair[1]);
            }
        }
    }
}

#[test]
fn sheets_fetch_nothing_from_elsewhere() {
    for (path, text) in files("style", "css").into_iter() {
        let foreign = text.lines().find(|line| line.contains("data:") || line.contains("http"));
        assert!(foreign.is_none(), "{path}: the content policy allows nothing from elsewhere: {}", foreign.unwrap());
    }
}
