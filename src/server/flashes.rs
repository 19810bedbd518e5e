//! What a form that was sent without a script is told: kept for the next page of whoever sent it, with what was filled in,
//! so that nothing of it is lost. The browser gets only a name for it, in a cookie: what is told cannot come from elsewhere.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::http::{HeaderMap, HeaderValue};

use super::{preferences::cookie, secret};
use crate::ui::sending::Told;

const NAME: &str = "vitrine_told";
/// The cookie is read.
pub const OVER: HeaderValue = HeaderValue::from_static("vitrine_told=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly");

/// Where the next page is asked for at once, this is long.
const PATIENCE: Duration = Duration::from_secs(60);
const MOST: usize = 256;

#[derive(Default)]
pub struct Flashes(Mutex<VecDeque<(String, Told, Instant)>>);

impl Flashes {
    /// Keeps it, and tells the cookie that it is known by.
    pub fn keep(&self, told: Told) -> Option<HeaderValue> {
        let token = secret::token();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while kept.len() >= MOST || kept.front().is_some_and(|(_, _, since)| since.elapsed() > PATIENCE) {
            kept.pop_front();
        }
        let cookie = format!("{NAME}={token}; Path=/; Max-Age={}; SameSite=Lax; HttpOnly", PATIENCE.as_secs());
        kept.push_back((token, told, Instant::now()));
        HeaderValue::from_str(&cookie).ok()
    }

    /// What whoever asks is to be told, once.
    pub fn take(&self, headers: &HeaderMap) -> Option<Told> {
        let token = cookie(headers, NAME)?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(each, _, since)| *each == token && since.elapsed() <= PATIENCE)?;
        kept.remove(at).map(|(_, told, _)| told)
    }
}
