//! Prompt presets: what a model is told about itself. Each is a Markdown file with a few lines in front that say what it is
//! called. Some are built in; a folder of one's own adds to them, and replaces those of the same name.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use crate::{api::PresetInfo, model::summary::shorten};

/// What is used when nobody chooses.
pub const DEFAULT: &str = "legislative-brief";

const BUILT_IN: [(&str, &str); 4] = [
    (DEFAULT, include_str!("prompts/legislative-brief.md")),
    ("plain-language", include_str!("prompts/plain-language.md")),
    ("cite-everything", include_str!("prompts/cite-everything.md")),
    ("general", include_str!("prompts/general.md")),
];

/// Files and folders deeper than this, or larger, are not prompts.
const DEEPEST: usize = 4;
const LARGEST: u64 = 64 * 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    pub title: String,
    pub description: String,
    /// The tools it is meant for. Nothing: all there are.
    pub tools: Option<Vec<String>>,
    pub text: String,
}

/// By their path: the file's place in the folder, without its ending.
#[derive(Clone, Debug)]
pub struct Presets {
    all: Arc<BTreeMap<String, Preset>>,
}

impl Presets {
    /// The built-in ones, and those of a folder.
    pub fn read(folder: Option<&Path>) -> Result<Self, String> {
        let mut all = BTreeMap::new();
        for (path, written) in BUILT_IN {
            all.insert(path.to_owned(), parse(written).map_err(|problem| format!("{path}: {problem}"))?);
        }
        if let Some(folder) = folder {
            read_folder(folder, "", 0, &mut all)?;
        }
        Ok(Self { all: Arc::new(all) })
    }

    pub fn get(&self, path: &str) -> Option<&Preset> {
        self.all.get(path)
    }

    /// The one that a question names, or the default.
    pub fn chosen(&self, path: Option<&str>) -> &Preset {
        path.and_then(|path| self.all.get(path)).unwrap_or_else(|| &self.all[DEFAULT])
    }

    /// For those who choose, the default first.
    pub fn list(&self) -> Vec<PresetInfo> {
        let info = |(path, preset): (&String, &Preset)| PresetInfo {
            path: path.clone(),
            title: preset.title.clone(),
            description: preset.description.clone(),
        };
        let mut list: Vec<PresetInfo> = self.all.iter().map(info).collect();
        list.sort_by_key(|preset| preset.path != DEFAULT);
        list
    }

    /// A sentence for whoever names one that is not there.
    pub fn missing(&self, path: &str) -> String {
        let names = self.all.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        format!("There is no prompt preset “{}”. There are: {names}.", shorten(path, 60))
    }
}

fn read_folder(folder: &Path, above: &str, depth: usize, all: &mut BTreeMap<String, Preset>) -> Result<(), String> {
    let problem = |path: &Path, what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    let entries = std::fs::read_dir(folder).map_err(|error| problem(folder, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| problem(folder, &error))?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let place = if above.is_empty() { name.clone() } else { format!("{above}/{name}") };
        if path.is_dir() {
            if depth + 1 < DEEPEST && !name.starts_with('.') {
                read_folder(&path, &place, depth + 1, all)?;
            }
        } else if path.extension().is_some_and(|ending| ending == "md") {
            let about = std::fs::metadata(&path).map_err(|error| problem(&path, &error))?;
            if about.len() > LARGEST {
                return Err(problem(
                    &path,
                    &format_args!("a prompt has at most {LARGEST} bytes, this has {}", about.len()),
                ));
            }
            let written = std::fs::read_to_string(&path).map_err(|error| problem(&path, &error))?;
            all.insert(place, parse(&written).map_err(|what| problem(&path, &what))?);
        }
    }
    Ok(())
}

/// `---`, lines of `name: value`, `---`, and then the prompt.
fn parse(written: &str) -> Result<Preset, String> {
    const HOW: &str = "a prompt begins with a line of ---, then lines such as “title: My prompt”, then --- again";
    let written = written.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let (front, text) = written
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n").or_else(|| rest.strip_prefix("---\n").map(|text| ("", text))))
        .ok_or(HOW)?;
    let (mut title, mut description, mut tools) = (None, String::new(), None);
    for (nth, line) in front.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let said = |problem: &str| format!("line {}: {problem}", nth + 2);
        let (name, value) = line.split_once(':').ok_or_else(|| said("this is no “name: value”"))?;
        let value = value.trim().trim_matches('"');
        match name.trim() {
            "title" => title = Some(value.to_owned()),
            "description" => value.clone_into(&mut description),
            "tools" => {
                let names = value.trim_start_matches('[').trim_end_matches(']').split(',').map(str::trim);
                tools = Some(names.filter(|name| !name.is_empty()).map(str::to_owned).collect());
            }
            other => return Err(said(&format!("“{other}” is not known; there are title, description and tools"))),
        }
    }
    let title = title.filter(|title| !title.is_empty()).ok_or("the prompt has no title")?;
    let text = text.trim().to_owned();
    if text.is_empty() {
        return Err("the prompt is empty".into());
    }
    Ok(Preset { title, description, tools, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_adds_and_replaces() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("team")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write(
            "team/water.md",
            "---\r\ntitle: \"Water\"\r\ntools: [search_bills, get_bill_details]\r\n---\r\nOnly water.\r\n",
        );
        write("general.md", "---\ntitle: Ours\ndescription: Replaced.\n---\n\nBe ours.\n");
        write("README.txt", "not a prompt");
        let presets = Presets::read(Some(folder.path())).unwrap();
        let water = presets.get("team/water").unwrap();
        assert_eq!((water.title.as_str(), water.text.as_str()), ("Water", "Only water."));
        assert_eq!(water.tools, Some(vec!["search_bills".into(), "get_bill_details".into()]));
        assert_eq!(presets.chosen(Some("general")).text, "Be ours.");
        assert_eq!(presets.list()[0].path, DEFAULT);
        assert_eq!(presets.list().len(), BUILT_IN.len() + 1);
        assert_eq!(presets.chosen(Some("nowhere")), presets.chosen(None));
        assert!(presets.missing("nowhere").contains("cite-everything, general"), "{}", presets.missing("nowhere"));
    }

    #[test]
    fn what_is_no_prompt_is_told_with_its_place() {
        for (written, problem) in [
            ("You are", "a prompt begins with"),
            ("---\ntitle: x\n", "a prompt begins with"),
            ("---\n---\nText", "has no title"),
            ("---\ntitle: x\n---\n  \n", "is empty"),
            ("---\ntitle: x\nfont: serif\n---\nText", "line 3: “font” is not known"),
            ("---\ntitle: x\nhello\n---\nText", "line 3: this is no"),
        ] {
            let told = parse(written).unwrap_err();
            assert!(told.contains(problem), "{told}");
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("bad.md"), "Hello").unwrap();
        assert!(Presets::read(Some(folder.path())).unwrap_err().contains("bad.md"));
        assert!(Presets::read(Some(&folder.path().join("nowhere"))).is_err());
    }
}
