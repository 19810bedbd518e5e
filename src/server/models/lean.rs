//! Servers that speak nearly the same language: some refuse a field that others need. Whoever refuses one is asked again
//! without it, and never sent it again.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use serde_json::Value;

/// Fields that can be left out, and what a complaint about them says.
const FIELDS: [(&str, &str); 5] = [
    ("stream_options", "stream_options"),
    ("include", "encrypted"),
    ("reasoning_content", "reasoning_content"),
    ("temperature", "temperature"),
    ("max_tokens", "max_completion_tokens"),
];

/// What one model does not take. Known to all who ask it.
#[derive(Clone, Debug, Default)]
pub struct Lean(Arc<AtomicU8>);

impl Lean {
    /// Learns from a refusal. True, if the same request is worth another attempt without what was refused.
    pub fn learn(&self, status: u16, complaint: &str, body: &Value) -> bool {
        if !matches!(status, 400 | 422) {
            return false;
        }
        let complaint = complaint.to_lowercase();
        let is_meant = |(field, word): &(&str, &str)| complaint.contains(word) && has(body, field);
        let Some(nth) = FIELDS.iter().position(is_meant) else { return false };
        let known = self.0.fetch_or(1 << nth, Ordering::Relaxed);
        known & (1 << nth) == 0
    }

    /// The body as this model takes it.
    pub fn apply(&self, mut body: Value) -> Value {
        let known = self.0.load(Ordering::Relaxed);
        for (nth, (field, _)) in FIELDS.iter().enumerate().filter(|(nth, _)| known & (1 << nth) != 0) {
            match (nth, &mut body) {
                (2, Value::Object(fields)) => {
                    for message in fields.get_mut("messages").and_then(Value::as_array_mut).into_iter().flatten() {
                        message.as_object_mut().and_then(|message| message.remove(*field));
                    }
                }
                (4, Value::Object(fields)) => {
                    if let Some(most) = fields.remove("max_tokens") {
                        fields.insert("max_completion_tokens".into(), most);
                    }
                }
                (_, Value::Object(fields)) => drop(fields.remove(*field)),
                _ => {}
            }
        }
        body
    }
}

fn has(body: &Value, field: &str) -> bool {
    let in_messages =
        || body["messages"].as_array().is_some_and(|all| all.iter().any(|said| said.get(field).is_some()));
    body.get(field).is_some() || in_messages()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_refused_is_left_out_from_then_on() {
        let body = json!({
            "messages": [{"role": "assistant", "content": "x", "reasoning_content": "Hm."}],
            "stream_options": {"include_usage": true}, "include": ["reasoning.encrypted_content"],
            "temperature": 0.5, "max_tokens": 10,
        });
        for (complaint, without) in [
            ("body.stream_options: Extra inputs are not permitted", "stream_options"),
            ("Encrypted content is not supported with this model.", "include"),
            ("Unsupported value: 'temperature' does not support 0.5 with this model", "temperature"),
            ("Use 'max_completion_tokens' instead.", "max_tokens"),
        ] {
            let lean = Lean::default();
            assert_eq!(lean.apply(body.clone()), body);
            assert!(lean.learn(422, complaint, &body), "{complaint}");
            assert!(!lean.learn(422, complaint, &body), "once");
            assert!(lean.apply(body.clone()).get(without).is_none(), "{complaint}");
        }
        let lean = Lean::default();
        assert!(lean.learn(422, "messages.0.reasoning_content: Extra inputs are not permitted", &body));
        assert_eq!(lean.apply(body.clone())["messages"][0], json!({"role": "assistant", "content": "x"}));
        assert!(!lean.learn(500, "stream_options", &body) && !lean.learn(400, "the prompt is too long", &body));
    }
}
