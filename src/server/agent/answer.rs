//! The embedded agent's way from a question to an answer: search with the question's words, then say what was found.

use std::time::Instant;

use serde_json::json;

use super::Agent;
use crate::{
    model::{
        Bill, CallId, ConversationId, Event, Message, MessageId, Role, RunId, RunStatus, Timestamp,
        event::{AgentStatus, AgentStepCompleted, Delta, ToolResult, ToolsCallUpdate},
        run::{Continuation, Usage},
    },
    server::{
        Error, clock,
        tools::{
            Reporter, Tool,
            execution::{announcement, execute},
            search_bills::SearchBills,
        },
    },
};

const TOOL: &str = SearchBills::NAME;

/// How many bills the answer itself names; the card has them all.
const NAMED: usize = 5;

pub async fn answer(agent: &Agent, conversation: ConversationId, run: &RunId, question: &str) -> Result<(), Error> {
    let started = Instant::now();
    let (step, call) = (MessageId::mint(), CallId::mint());
    let args = json!({ "query": question });
    let named = ToolsCallUpdate {
        message_id: step,
        index: 0,
        tool_call_id: call.clone(),
        function_name: Some(TOOL.into()),
        function_args: Some(args.to_string()),
    };
    let running = AgentStatus { run_id: run.clone(), status: RunStatus::Running, error_message: None };
    let title = agent.tools.title(TOOL);
    let reporter = Reporter::new(agent.log.clone(), conversation, run.clone(), call, title, agent.pace);
    let announced = announcement(&reporter, TOOL);
    let events = [Event::AgentStatus(running), announced, Event::ToolsCallUpdate(named)];
    agent.log.append(conversation, &events).await?;

    let result = execute(&agent.tools, reporter, TOOL, args).await?;

    let message_id = MessageId::mint();
    let content = text(question, &result);
    for line in content.split_inclusive('\n') {
        let delta = Delta { message_id: message_id.clone(), delta: line.into() };
        agent.log.append_text(conversation, delta).await?;
        tokio::time::sleep(agent.pace).await;
    }
    let stop = Continuation {
        run_id: run.clone(),
        should_continue: false,
        stop_reason: "completed".into(),
        resolved_by: "NoMoreCalls".into(),
        evaluations: Vec::new(),
    };
    let step = AgentStepCompleted {
        run_id: run.clone(),
        step: 1,
        duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        usage: Usage::default(),
    };
    let message = assistant(message_id, content, clock::now());
    let events = [Event::Message(message), Event::AgentStepCompleted(step), Event::AgentContinuation(stop)];
    agent.log.append(conversation, &events).await?;
    Ok(())
}

const fn assistant(id: MessageId, content: String, timestamp: Timestamp) -> Message {
    Message { id, role: Role::Assistant, content, timestamp, metadata: None, reasoning: String::new() }
}

/// Says what was found, and nothing else.
fn text(question: &str, result: &ToolResult) -> String {
    let about = crate::model::summary::shorten(question.trim(), 80);
    if result.is_error {
        return format!("I could not search for “{about}”. {}", result.result.as_str().unwrap_or_default());
    }
    let bills: Vec<Bill> = serde_json::from_value(result.result["bills"].clone()).unwrap_or_default();
    let total = result.result["total_results"].as_u64().unwrap_or(0);
    if bills.is_empty() {
        return format!(
            "I found no bill for “{about}” in the built-in sample. Try other words: a topic, a part of a title, or a \
             sponsor's name."
        );
    }
    let mut text = match total {
        1 => format!("I found one bill for “{about}”:\n"),
        n => format!("I found {n} bills for “{about}”. The best matches:\n"),
    };
    for bill in bills.iter().take(NAMED) {
        text.push_str(&format!("\n• {}: {} ({})", bill.citation(), bill.title, bill.status));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn result(result: Value, is_error: bool) -> ToolResult {
        ToolResult { tool_call_id: CallId::mint(), result, is_error, duration_ms: 1, cached: false }
    }

    #[test]
    fn says_what_was_found_and_what_was_not() {
        let bill = json!({"congress": 119, "type": "hr", "number": 27, "title": "HALT Fentanyl Act", "sponsor": "x",
            "introduced": "2025-01-03", "status": "Passed House", "law": "", "policy_area": "y"});
        let one = text("fentanyl", &result(json!({"total_results": 1, "bills": [bill]}), false));
        assert_eq!(one, "I found one bill for “fentanyl”:\n\n• H.R. 27: HALT Fentanyl Act (Passed House)");
        assert!(text("zebra", &result(json!({"total_results": 0, "bills": []}), false)).contains("no bill"));
        assert!(text("?", &result("There is no word.".into(), true)).ends_with("There is no word."));
    }
}
