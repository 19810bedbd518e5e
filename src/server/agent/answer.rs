//! The embedded agent's way from a question to an answer: pick the tools that fit, run them, say what they found. Where
//! it has been before is in the log, so a run that was interrupted goes on from there.

use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::{Agent, Plan, plan, report::report};
use crate::{
    model::{
        Conversation, ConversationId, Entry, Event, Message, MessageId, Role, RunId, RunStatus, Timestamp, ToolCall,
        event::{AgentStatus, AgentStepCompleted, Delta},
        run::{Continuation, Usage},
    },
    server::{
        Error,
        calls::{
            Caller,
            execution::interrupt,
            step::{Called, Step, aggregate},
        },
        clock,
    },
};

/// Answers, and tells how the run ends: completed, or cancelled where somebody said so.
pub async fn answer(
    agent: &Agent,
    known: &Conversation,
    run: &RunId,
    question: &str,
    cancelled: &CancellationToken,
) -> Result<RunStatus, Error> {
    let before = known.run(run);
    if before.is_some_and(|run| run.continuation.is_some()) {
        return Ok(RunStatus::Completed);
    }
    let started = Instant::now();
    let caller = agent.caller(known.id, run, cancelled);
    let begun: Vec<&ToolCall> = calls_of(known, run).filter(|call| call.parent_id.is_none()).collect();
    let step = match begun.first() {
        None => begin(agent, &caller, question).await?,
        Some(first) => {
            close_children(known, &caller).await?;
            let message_id = first.message_id.clone().unwrap_or_else(MessageId::mint);
            let mut step = Step::new(caller, message_id);
            for call in begun {
                step.take_up(call, !has_taken_effect(agent, known, call));
            }
            step
        }
    };
    let message_id = step.message_id.clone();
    let called = step.finish().await?;
    if before.is_none_or(|run| run.steps.is_empty()) {
        let complete = [aggregate(message_id, &called), step_completed(run, 1, started)];
        agent.log.append(known.id, &complete).await?;
    }
    if cancelled.is_cancelled() {
        return Ok(RunStatus::Cancelled);
    }

    let started = Instant::now();
    let content = content(&called, question);
    let message_id = match half_said(known, run) {
        Some(message_id) => message_id,
        None => say(agent, known.id, &content).await?,
    };
    let stop = Continuation {
        run_id: run.clone(),
        should_continue: false,
        stop_reason: "completed".into(),
        resolved_by: "NoMoreCalls".into(),
        evaluations: Vec::new(),
    };
    let message = assistant(message_id, content, clock::now());
    let events = [Event::Message(message), step_completed(run, 2, started), Event::AgentContinuation(stop)];
    agent.log.append(known.id, &events).await?;
    Ok(RunStatus::Completed)
}

/// Begins the run and its calls.
async fn begin(agent: &Agent, caller: &Caller, question: &str) -> Result<Step, Error> {
    let mut step = Step::new(caller.clone(), MessageId::mint());
    let running = AgentStatus { run_id: caller.run.clone(), status: RunStatus::Running, error_message: None };
    let (mut events, mut ready) = (vec![Event::AgentStatus(running)], Vec::new());
    for (index, Plan { tool, args }) in (0..).zip(plan::plans(question)) {
        let (reporter, announced) = step.announce(index, tool, &args);
        events.extend(announced);
        ready.push((reporter, tool, args));
    }
    agent.log.append(caller.conversation, &events).await?;
    for (reporter, tool, args) in ready {
        step.start(reporter, tool, args);
    }
    Ok(step)
}

fn calls_of<'a>(known: &'a Conversation, run: &'a RunId) -> impl Iterator<Item = &'a ToolCall> {
    known.calls().filter(move |call| call.run_id.as_ref() == Some(run) && call.repeats.is_none())
}

/// Calls of calls are not taken up: whoever made them makes them again.
async fn close_children(known: &Conversation, caller: &Caller) -> Result<(), Error> {
    let is_open = |call: &&ToolCall| call.parent_id.is_some() && !call.status.is_ended();
    for call in calls_of(known, &caller.run).filter(is_open) {
        interrupt(&caller.taken_up(call), "Vitrine was stopped while this ran.").await?;
    }
    Ok(())
}

/// Whether a call has made another that must not be made twice.
fn has_taken_effect(agent: &Agent, known: &Conversation, call: &ToolCall) -> bool {
    let mut children: Vec<_> = call.children.iter().collect();
    while let Some(child) = children.pop().and_then(|id| known.call(id)) {
        let may_repeat =
            agent.calls.tools.get(&child.tool_name).is_ok_and(|found| found.about.policy.effect.may_repeat());
        if !may_repeat && child.started_at.is_some() {
            return true;
        }
        children.extend(&child.children);
    }
    false
}

fn content(called: &[Called], question: &str) -> String {
    let parts = called.iter().map(|called| match &called.result {
        Some(result) => report(&called.info.name, question, result),
        None => "This call was cancelled, so there is nothing to tell. Ask again when you want it.".into(),
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

/// Says it line by line, as a model would.
async fn say(agent: &Agent, conversation: ConversationId, content: &str) -> Result<MessageId, Error> {
    let message_id = MessageId::mint();
    for line in content.split_inclusive('\n') {
        let delta = Delta { message_id: message_id.clone(), delta: line.into() };
        agent.log.append_text(conversation, delta).await?;
        tokio::time::sleep(agent.pace).await;
    }
    Ok(message_id)
}

/// The message that this run was saying when it was interrupted.
fn half_said(known: &Conversation, run: &RunId) -> Option<MessageId> {
    let turn = known.turns().iter().find(|turn| turn.run.as_ref() == Some(run))?;
    turn.entries.iter().rev().find_map(|entry| match entry {
        Entry::Message(id) => known.message(id).filter(|message| message.role == Role::Assistant).map(|_| id.clone()),
        Entry::Call(_) => None,
    })
}

fn step_completed(run: &RunId, step: u32, started: Instant) -> Event {
    Event::AgentStepCompleted(AgentStepCompleted {
        run_id: run.clone(),
        step,
        duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        usage: Usage::default(),
    })
}

const fn assistant(id: MessageId, content: String, timestamp: Timestamp) -> Message {
    Message { id, role: Role::Assistant, content, timestamp, metadata: None, reasoning: String::new() }
}
