//! The loop: a run is steps until something stops it. A step is one request to the model and the calls that came of it.
//! Where the run stands is in the log, so one that was interrupted goes on from there.

use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::{
    Agent,
    continuation::{After, decide},
    history::history,
    listening::{Listening, Spoken},
    recovery::{cancel_what_is_open, close_children, has_taken_effect},
    system::system,
};
use crate::{
    model::{
        Conversation, Entry, Event, Executor, Message, MessageId, Role, RunId, RunStatus, ToolCall,
        event::{AgentStepCompleted, RunUsage},
        message::MessageMetadata,
        run::Usage,
    },
    server::{
        Error, IS_MEASURED,
        bench::Scenario,
        calls::{
            Caller,
            step::{Step, aggregate},
        },
        clock,
        models::{Failure, Finish, Model, Request, ToolSpec},
    },
};

/// How a run ends, and why if that needs saying.
pub struct Ended {
    pub status: RunStatus,
    pub error_message: Option<String>,
    /// Who has answered.
    pub model: Model,
}

impl Ended {
    /// For the reason that was decided.
    fn because(reason: &str, failure: Option<&Failure>, model: &Model) -> Self {
        let (status, error_message) = match reason {
            "cancelled" => (RunStatus::Cancelled, None),
            "waiting" => (RunStatus::Waiting, None),
            "completed" | "steps_limit" | "token_budget" | "with_next_message" | "discarded" => {
                (RunStatus::Completed, None)
            }
            other => (RunStatus::Failed, Some(sentence(other, failure))),
        };
        Self { status, error_message, model: model.clone() }
    }
}

/// Where a run stands, by the log.
struct Standing<'a> {
    /// The turn that it answers.
    turn: usize,
    steps_done: u32,
    used: Usage,
    /// A step that was begun and not completed: its message, and its calls.
    open: Option<(MessageId, Vec<&'a ToolCall>)>,
}

/// Runs to the end, from wherever it stands.
pub async fn run(
    agent: &Agent,
    id: crate::model::ConversationId,
    run: &RunId,
    cancelled: &CancellationToken,
) -> Result<Ended, Error> {
    let mut known = agent.log.fold(id).await?;
    if let Some(scenario) = scenario(&known, run) {
        scenario.play(&agent.log, &agent.marks, id, run).await?;
        return Ok(Ended::because("completed", None, &model_of(agent, &known, run)));
    }
    loop {
        let standing = stands(&known, run);
        let is_over = over(&known, run, &model_of(agent, &known, run)).is_some();
        if !is_over && standing.steps_done > 0 && standing.open.is_none() && known.waiting().next().is_some() {
            agent.steer(id, run).await?;
            known = agent.log.fold(id).await?;
        }
        let standing = stands(&known, run);
        let model = model_of(agent, &known, run);
        if let Some(ended) = over(&known, run, &model) {
            if ended.status == RunStatus::Cancelled {
                cancel_what_is_open(&known, &agent.caller(&known, run, cancelled)).await?;
            }
            return Ok(ended);
        }
        let ended = step(agent, &model, &known, run, standing, cancelled).await?;
        if let Some(ended) = ended {
            return Ok(ended);
        }
        known = agent.log.fold(id).await?;
    }
}

/// A run that had decided to stop, and only had not said so yet.
fn over(known: &Conversation, run: &RunId, model: &Model) -> Option<Ended> {
    let continuation = known.run(run)?.continuation.as_ref().filter(|continuation| !continuation.should_continue)?;
    Some(Ended::because(&continuation.stop_reason, None, model))
}

/// What the question of a run carries beside its text.
fn carried<'a>(known: &'a Conversation, run: &RunId) -> Option<&'a MessageMetadata> {
    known.question(known.turn_of_run(run)?)?.metadata.as_ref()
}

/// What a question asks to be played, where things are measured.
fn scenario(known: &Conversation, run: &RunId) -> Option<Scenario> {
    IS_MEASURED.then(|| Scenario::of(&known.question(known.turn_of_run(run)?)?.content)).flatten()
}

fn model_of(agent: &Agent, known: &Conversation, run: &RunId) -> Model {
    agent.models.get(carried(known, run).and_then(|carried| carried.model.as_deref())).clone()
}

fn stands<'a>(known: &'a Conversation, run: &RunId) -> Standing<'a> {
    let waiting = known.turns().iter().position(|turn| turn.run.is_none());
    let own = known.turns().iter().position(|turn| turn.run.as_ref() == Some(run));
    let turn = own.or(waiting).unwrap_or_else(|| known.turns().len().saturating_sub(1));
    let done = known.run(run);
    let (steps_done, used) = done.map_or((0, Usage::default()), |run| (run.steps.len() as u32, run.usage()));
    let mut begun: Vec<(MessageId, Vec<&ToolCall>)> = Vec::new();
    for entry in own.and_then(|turn| known.turns().get(turn)).into_iter().flat_map(|turn| &turn.entries) {
        let (id, call) = match entry {
            Entry::Message(id) => match known.message(id) {
                Some(message) if message.role == Role::Assistant => (id, None),
                _ => continue,
            },
            Entry::Call(id) => match known.call(id) {
                Some(call) if call.repeats.is_none() => match &call.message_id {
                    Some(id) => (id, Some(call)),
                    None => continue,
                },
                _ => continue,
            },
        };
        let at = begun.iter().position(|(known, _)| known == id).unwrap_or_else(|| {
            begun.push((id.clone(), Vec::new()));
            begun.len() - 1
        });
        begun[at].1.extend(call);
    }
    let open = (begun.len() > steps_done as usize).then(|| begun.pop()).flatten();
    Standing { turn, steps_done, used, open }
}

/// One step, from the request to the decision what comes next. Nothing, if there is another one to come.
async fn step(
    agent: &Agent,
    model: &Model,
    known: &Conversation,
    run: &RunId,
    standing: Standing<'_>,
    cancelled: &CancellationToken,
) -> Result<Option<Ended>, Error> {
    let started = Instant::now();
    let caller = agent.caller(known, run, cancelled);
    let number = standing.steps_done + 1;
    let is_taken_up = standing.open.as_ref().is_some_and(|(_, calls)| !calls.is_empty());
    let (spoken, calls) = match standing.open {
        Some((message_id, calls)) if !calls.is_empty() => take_up(agent, known, &caller, message_id, &calls).await?,
        open => {
            // What was half said is said anew, in the same place, as soon as there is something to say.
            let reset = open.as_ref().map(|(message_id, _)| Event::Message(Message::streaming(message_id.clone())));
            let message_id = open.map_or_else(MessageId::mint, |(message_id, _)| message_id);
            let anew = reset.is_some().then_some(&message_id);
            let request = request(agent, model, known, (run, standing.turn, anew), &caller).await?;
            Listening::new(caller.clone(), message_id, reset).hear(agent.models.ask(model, request)).await?
        }
    };
    let model_ms = (!is_taken_up).then(|| u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX));
    let Spoken { message_id, message, finish, used } = spoken;
    let called = calls.finish().await?;
    let mut events: Vec<Event> = message.map(Event::Message).into_iter().collect();
    if !called.is_empty() {
        events.push(aggregate(message_id, &called));
    }
    let step = AgentStepCompleted {
        run_id: run.clone(),
        step: number,
        duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        usage: used,
        model_ms,
        timestamp: Some(clock::now()),
    };
    events.push(Event::AgentStepCompleted(step));
    let input_tokens = standing.used.input_tokens.saturating_add(used.input_tokens);
    let output_tokens = standing.used.output_tokens.saturating_add(used.output_tokens);
    if input_tokens + output_tokens > 0 {
        events.push(Event::Usage(RunUsage { run_id: run.clone(), input_tokens, output_tokens }));
    }
    let after = After {
        model,
        finish: &finish,
        steps: number,
        tokens: input_tokens.saturating_add(output_tokens),
        calls: called.len(),
        is_cancelled: cancelled.is_cancelled(),
        follow_up: known.arrangements().follow_up,
    };
    let decided = decide(run, &after);
    let (goes_on, reason) = (decided.should_continue, decided.stop_reason.clone());
    events.push(Event::AgentContinuation(decided));
    agent.log.append(known.id, &events).await?;
    let failure = match &finish {
        Finish::Failed(failure) => Some(failure),
        _ => None,
    };
    Ok((!goes_on).then(|| Ended::because(&reason, failure, model)))
}

/// Why there is no answer, and what to do.
fn sentence(reason: &str, failure: Option<&Failure>) -> String {
    match (reason, failure) {
        (_, Some(failure)) => failure.message.clone(),
        ("cut", _) => "The model's answer broke off before its end. What there is is kept; ask again to go on.".into(),
        ("length", _) => "The answer reached the model's limit. What there is is kept; ask it to go on.".into(),
        ("refusal", _) => "The model declined to answer this. Ask in other words, or another model.".into(),
        ("content_filter", _) => "The provider held this answer back. Ask in other words, or another model.".into(),
        _ => "The model could not answer. What there is is kept; ask again.".into(),
    }
}

/// Takes up the calls of a step that was interrupted. What the model had said beside them stands as it is.
async fn take_up(
    agent: &Agent,
    known: &Conversation,
    caller: &Caller,
    message_id: MessageId,
    calls: &[&ToolCall],
) -> Result<(Spoken, Step), Error> {
    close_children(agent, known, caller).await?;
    let mut step = Step::new(caller.clone(), message_id.clone());
    for call in calls {
        step.take_up(call, !has_taken_effect(agent, known, &call.id));
    }
    Ok((Spoken { message_id, message: None, finish: Finish::Calls, used: Usage::default() }, step))
}

async fn request(
    agent: &Agent,
    model: &Model,
    known: &Conversation,
    (run, turn, anew): (&RunId, usize, Option<&MessageId>),
    caller: &Caller,
) -> Result<Request, Error> {
    let preset = agent.presets.chosen(carried(known, run).and_then(|carried| carried.prompt_path.as_deref()));
    let is_meant = |name: &str| preset.tools.as_ref().is_none_or(|tools| tools.iter().any(|tool| tool == name));
    let spec = |about: &crate::server::tools::About| ToolSpec {
        name: about.name.clone(),
        description: about.description.clone(),
        input_schema: about.input_schema.clone(),
    };
    let (messages, turn_at) = history(known, turn, &agent.files(known, turn, model).await?, anew);
    let tools = caller.calls.tools.iter();
    let tools = tools.filter(|found| found.about.executor == Executor::Client || is_meant(&found.about.name));
    Ok(Request {
        model: model.name.clone(),
        system: system(preset, known.arrangements(), clock::now()),
        messages,
        turn_at,
        tools: tools.map(|found| spec(&found.about)).collect(),
        max_tokens: None,
        temperature: None,
    })
}
