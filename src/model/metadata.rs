//! What a tool says about itself while it runs. Everything is optional; what a later event leaves out still holds.

use serde::{Deserialize, Serialize};

use super::words::{ContentType, ContextType, known};

macro_rules! metadata {
    ($($(#[$attribute:meta])* $field:ident: $type:ty,)+) => {
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Metadata {
            $(
                $(#[$attribute])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )+
        }

        impl Metadata {
            /// Takes over what the newer event says. A further iteration has not found anything yet.
            pub fn merge(&mut self, newer: &Self) {
                if newer.iteration > self.iteration {
                    self.results_found = None;
                }
                $(if newer.$field.is_some() { self.$field.clone_from(&newer.$field); })+
            }
        }
    };
}

metadata! {
    query: String,
    iteration: u32,
    max_iterations: u32,
    filters_applied: Vec<String>,
    /// By this iteration.
    results_found: u64,
    /// By all iterations so far.
    total_results: u64,
    final_query: String,
    #[serde(deserialize_with = "known")]
    context_type: ContextType,
    options_found: u64,
    content_id: String,
    #[serde(deserialize_with = "known")]
    content_type: ContentType,
    error_message: String,
    retry_count: u32,
    max_retries: u32,
    /// From 0 to 1.
    progress: f64,
    message: String,
    cache_age_ms: u64,
    /// How long calls of this tool take: half of them no longer than this,
    p50_ms: u64,
    /// and nearly all no longer than this.
    p95_ms: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_keeps_what_was_said() {
        let mut known = Metadata { query: Some("health".into()), iteration: Some(1), ..Metadata::default() };
        known.merge(&Metadata { iteration: Some(2), results_found: Some(0), ..Metadata::default() });
        assert_eq!(known.query.as_deref(), Some("health"));
        assert_eq!((known.iteration, known.results_found), (Some(2), Some(0)));
    }

    #[test]
    fn a_further_iteration_has_found_nothing_yet() {
        let mut known = Metadata { iteration: Some(1), results_found: Some(4), ..Metadata::default() };
        known.merge(&Metadata { iteration: Some(1), ..Metadata::default() });
        assert_eq!(known.results_found, Some(4));
        known.merge(&Metadata { iteration: Some(2), total_results: Some(4), ..Metadata::default() });
        assert_eq!((known.results_found, known.total_results), (None, Some(4)));
    }

    #[test]
    fn absent_fields_stay_absent_and_foreign_ones_are_skipped() {
        let metadata: Metadata = serde_json::from_str(r#"{"query":"a","mood":"good"}"#).unwrap();
        assert_eq!(serde_json::to_string(&metadata).unwrap(), r#"{"query":"a"}"#);
    }
}
