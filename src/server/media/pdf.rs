//! The text of a PDF. Files of strangers are read in a process of their own, with little memory and little time: what goes
//! wrong there goes wrong nowhere else.

use std::{io::Read, process::Stdio, time::Duration};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// What the program is called with to read a PDF from its input and write the text to its output.
pub const COMMAND: &str = "read-pdf";

const PATIENCE: Duration = Duration::from_secs(30);
/// What is used of the text.
const LARGEST_TEXT: usize = 2 * 1024 * 1024;
#[cfg(unix)]
const MEMORY: u64 = 1024 * 1024 * 1024;

const BROKEN: &str = "it is damaged, or protected by a password.";

/// One at a time: each may need much memory.
static READING: tokio::sync::Semaphore = tokio::sync::Semaphore::const_new(1);

pub async fn text(content: Vec<u8>) -> Result<String, String> {
    let _reading = READING.acquire().await.map_err(|_| BROKEN)?;
    if cfg!(test) {
        // There is no program to call then.
        return tokio::task::spawn_blocking(move || extract(&content)).await.map_err(|_| BROKEN)?;
    }
    match tokio::time::timeout(PATIENCE, elsewhere(&content)).await {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(error)) => {
            tracing::warn!(%error, "a PDF could not be read");
            Err(BROKEN.into())
        }
        Err(_) => Err(format!("it took longer than {} s.", PATIENCE.as_secs())),
    }
}

async fn elsewhere(content: &[u8]) -> std::io::Result<String> {
    let mut child = tokio::process::Command::new(std::env::current_exe()?)
        .arg(COMMAND)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let write = async {
        if let Some(mut stdin) = stdin {
            // Whoever has seen enough may go.
            let _ = stdin.write_all(content).await;
        }
    };
    let read = async {
        let mut text = Vec::new();
        if let Some(stdout) = stdout {
            stdout.take(LARGEST_TEXT as u64).read_to_end(&mut text).await?;
        }
        Ok::<_, std::io::Error>(text)
    };
    let ((), text) = tokio::join!(write, read);
    let text = String::from_utf8_lossy(&text?).into_owned();
    let status = child.wait().await?;
    if status.success() { Ok(text) } else { Err(std::io::Error::other(status.to_string())) }
}

/// What that process does. True, if it could.
pub fn read_from_stdin() -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let limit = Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) };
        let _ = setrlimit(Resource::As, limit);
    }
    let mut content = Vec::new();
    let text = std::io::stdin().read_to_end(&mut content).ok().and_then(|_| extract(&content).ok());
    text.is_some_and(|text| std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes()).is_ok())
}

fn extract(content: &[u8]) -> Result<String, String> {
    let mut text = pdf_extract::extract_text_from_mem(content).map_err(|_| BROKEN)?;
    if text.len() > LARGEST_TEXT {
        text.truncate(text.floor_char_boundary(LARGEST_TEXT));
    }
    // Pages are laid out with many empty lines.
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    Ok(lines.join("\n").trim().to_owned())
}
