//! Flags and environment. Every flag can be given as an environment variable too; `vitrine --help` tells all.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{Parser, Subcommand};

use super::models::{Model, settings};

/// A self-hosted AI chat that shows its work: every tool call is a live card.
///
/// Open the address it prints in a browser. Conversations are kept in the data folder. Nothing leaves this machine,
/// unless a model is connected: VITRINE_MODEL_URL, VITRINE_MODEL and VITRINE_MODEL_KEY, or the file that --config names.
#[derive(Clone, Debug, Parser)]
#[command(version, max_term_width = 100)]
pub struct Config {
    /// Where to listen. With port 0, the system picks a free one
    #[arg(long, env = "VITRINE_ADDR", default_value = "127.0.0.1:3000", value_name = "ADDRESS:PORT")]
    pub addr: SocketAddr,

    /// Folder for the databases; created if it is not there
    #[arg(long, global = true, env = "VITRINE_DATA", default_value = "data", value_name = "FOLDER")]
    pub data: PathBuf,

    /// Folder of the built site: scripts and styles [default: `site` beside this program]
    #[arg(long, env = "VITRINE_SITE", value_name = "FOLDER")]
    pub site: Option<PathBuf>,

    /// Pause after every step of a tool, to watch what goes on
    #[arg(long, env = "VITRINE_PACE_MS", default_value_t = 0, value_name = "MILLISECONDS")]
    pub pace_ms: u64,

    /// File that says which models there are, and which tools ask first [default: `vitrine.toml` here, if there is one]
    #[arg(long, env = "VITRINE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Folder of prompt presets, Markdown files with a title in front [default: `prompts` here, if there is one]
    #[arg(long, env = "VITRINE_PROMPTS", value_name = "FOLDER")]
    pub prompts: Option<PathBuf>,

    /// What to log, for example `debug` or `vitrine=debug,sqlx=warn`
    #[arg(long, global = true, env = "VITRINE_LOG", default_value = "info,sqlx=warn", value_name = "FILTER")]
    pub log: String,

    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Add official data to what can be searched
    ///
    /// Takes files, folders and zip archives. A running server goes on with the new data by itself. What has been
    /// imported before is skipped, and an import that was broken off is taken up again. A file that cannot be used is
    /// reported and skipped; the exit code is then 3.
    #[command(subcommand)]
    Import(Import),

    /// Writes the text of a PDF from its input to its output: how the server reads attached files
    #[command(hide = true)]
    ReadPdf,
}

#[derive(Clone, Debug, Subcommand)]
pub enum Import {
    /// BILLSTATUS files from govinfo.gov, as XML or in zip archives
    Bills {
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Presidential documents from federalregister.gov, as JSON of its API or as exported CSV
    ExecutiveActions {
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
}

impl Config {
    pub const fn pace(&self) -> Duration {
        Duration::from_millis(self.pace_ms)
    }

    /// The models that the file and the environment name.
    pub fn models(&self) -> Result<(Vec<Model>, String), String> {
        settings::read(self.file().as_deref(), &|name| std::env::var(name).ok())
    }

    /// Which tools ask a person first, by the file.
    pub fn tools(&self) -> Result<settings::Tools, String> {
        settings::tools(self.file().as_deref())
    }

    fn file(&self) -> Option<PathBuf> {
        let here = PathBuf::from("vitrine.toml");
        self.config.clone().or_else(|| here.exists().then_some(here))
    }

    /// Prompt presets of one's own.
    pub fn prompts(&self) -> Option<PathBuf> {
        let here = PathBuf::from("prompts");
        self.prompts.clone().or_else(|| here.is_dir().then_some(here))
    }

    pub fn corpus(&self) -> PathBuf {
        self.data.join("corpus.db")
    }

    /// Beside the program, unless told otherwise; `cargo leptos` tells it in a variable of its own.
    pub fn site(&self) -> PathBuf {
        let told = self.site.clone().or_else(|| std::env::var_os("LEPTOS_SITE_ROOT").map(PathBuf::from));
        let beside = || std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join("site")));
        told.or_else(beside).unwrap_or_else(|| PathBuf::from("site"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_flag_is_sound_and_has_its_variable() {
        let command = Config::command();
        command.clone().debug_assert();
        for flag in command.get_arguments().filter(|flag| !matches!(flag.get_id().as_str(), "help" | "version")) {
            assert!(flag.get_env().is_some(), "{} has no environment variable", flag.get_id());
            assert!(flag.get_help().is_some(), "{} has no help", flag.get_id());
        }
    }
}
