//! Calls that run elsewhere: handed over to a page, or to whoever asked, and waited for here.

use std::time::Duration;

use serde_json::Value;

use super::Reporter;
use crate::{
    model::{CallStatus, ErrorKind, Event, Metadata, event::ToolCallEvent, summary},
    server::tools::ToolError,
};

/// How long a page that has begun something may be away: loading again does not take longer.
const GRACE: Duration = Duration::from_secs(20);

impl Reporter {
    /// Hands a call over to a page that is open, and waits for what comes of it there. A page that goes before it has begun
    /// makes way for another; one that goes afterwards is waited for, for a while.
    pub async fn run_in_page(&self, wanted: &str, asks: bool) -> Result<Value, ToolError> {
        let Some(conversation) = self.voice.sink.conversation() else { return Err(ToolError::stopped()) };
        let (tabs, call) = (&self.calls.tabs, &self.voice.call);
        let mut posted = std::pin::pin!(self.posted());
        let mut given: Option<String> = None;
        loop {
            let found = async {
                match &given {
                    Some(tab) if tabs.has_begun(conversation, call) => {
                        match tokio::time::timeout(GRACE, tabs.back(conversation, tab)).await {
                            Ok(()) => tab.clone(),
                            // It has gone for good.
                            Err(_) => tabs.find(conversation, wanted).await,
                        }
                    }
                    _ => tabs.find(conversation, wanted).await,
                }
            };
            let tab = tokio::select! {
                biased;
                posted = &mut posted => return posted,
                tab = found => tab,
            };
            let status = if asks { CallStatus::AwaitingInput } else { CallStatus::InProgress };
            let message =
                Some(if asks { "Waiting for you, on your page" } else { "Running in your browser" }.to_owned());
            let metadata = Metadata { message, ..Metadata::default() };
            let handed = ToolCallEvent { tab: Some(tab.clone()), metadata, ..self.voice.event(status) };
            tabs.give(conversation, call, &tab);
            self.voice.say(&[Event::ToolCall(handed)]).await?;
            tokio::select! {
                biased;
                posted = &mut posted => return posted,
                () = tabs.left(conversation, &tab) => given = Some(tab),
            }
        }
    }

    /// Why nothing came of it there.
    pub(super) fn late_elsewhere(&self, limit: Duration) -> ToolError {
        let limit = summary::duration(super::ending::millis(limit));
        let conversation = self.voice.sink.conversation();
        let is_open = conversation.is_some_and(|conversation| self.calls.tabs.is_anybody_here(conversation));
        let told = match is_open {
            true => format!("Your page did not answer within {limit}. Nothing was done there, or nobody clicked."),
            false => {
                format!("No page of this conversation was open within {limit}, so nothing ran. Open it and ask again.")
            }
        };
        ToolError::new(ErrorKind::Timeout, told)
    }

    /// What came of this call where it really runs.
    pub async fn posted(&self) -> Result<Value, ToolError> {
        let Some(conversation) = self.voice.sink.conversation() else { return Err(ToolError::stopped()) };
        match self.calls.posts.wait(conversation, &self.voice.call).await {
            Some(Ok(value)) => Ok(value),
            Some(Err(why)) => Err(ToolError::new(ErrorKind::ToolError, why)),
            None => Err(ToolError::stopped()),
        }
    }
}
