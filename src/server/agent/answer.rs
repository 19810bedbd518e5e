//! The embedded agent's way from a question to an answer: pick the tool that fits, run it, say what it found.

use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::{
    Agent,
    plan::{Plan, plan},
    report::report,
};
use crate::{
    model::{
        CallId, ConversationId, Event, Message, MessageId, Role, RunId, RunStatus, Timestamp,
        event::{AgentStatus, AgentStepCompleted, Delta, ToolsCallUpdate},
        run::{Continuation, Usage},
    },
    server::{
        Error, clock,
        tools::{
            Identity, Reporter,
            execution::{announcement, execute},
        },
    },
};

/// Answers, and tells how the run ends: completed, or cancelled where somebody said so.
pub async fn answer(
    agent: &Agent,
    conversation: ConversationId,
    run: &RunId,
    question: &str,
    cancelled: &CancellationToken,
) -> Result<RunStatus, Error> {
    let started = Instant::now();
    let (step, call) = (MessageId::mint(), CallId::mint());
    let Plan { tool, args } = plan(question);
    let named = ToolsCallUpdate {
        message_id: step,
        index: 0,
        tool_call_id: call.clone(),
        function_name: Some(tool.into()),
        function_args: Some(args.to_string()),
    };
    let running = AgentStatus { run_id: run.clone(), status: RunStatus::Running, error_message: None };
    let of = Identity { conversation, run: run.clone(), call, tool };
    let reporter = Reporter::new(agent.log.clone(), of, &agent.calls, cancelled, agent.pace);
    let announced = announcement(&reporter, tool);
    let events = [Event::AgentStatus(running), announced, Event::ToolsCallUpdate(named)];
    agent.log.append(conversation, &events).await?;

    let result = execute(reporter, tool, args).await?;
    if cancelled.is_cancelled() {
        return Ok(RunStatus::Cancelled);
    }

    let message_id = MessageId::mint();
    let content = match &result {
        Some(result) => report(tool, question, result),
        None => "This call was cancelled, so there is nothing to tell. Ask again when you want it.".into(),
    };
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
    Ok(RunStatus::Completed)
}

const fn assistant(id: MessageId, content: String, timestamp: Timestamp) -> Message {
    Message { id, role: Role::Assistant, content, timestamp, metadata: None, reasoning: String::new() }
}
