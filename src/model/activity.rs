//! A run as a band of coloured time: which call ran when, side by side, for how long. Plain geometry, from 0 to 1, that a
//! strip, a waterfall and a replay draw in their own sizes.

use super::{CallId, CallStatus, Conversation, Run, Timestamp, ToolCall, Turn, conversation::Entry, tool_call::Moment};

/// A run up to now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waterfall {
    pub from: Timestamp,
    /// How long it is.
    pub total_ms: u64,
    /// Model time.
    pub model: Vec<Segment>,
    pub model_ms: u64,
    pub rows: Vec<Row>,
    pub is_running: bool,
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub call: CallId,
    pub title: String,
    pub status: CallStatus,
    /// How deep below the run's own calls.
    pub depth: usize,
    pub segments: Vec<Segment>,
    pub duration_ms: u64,
    /// The same in words.
    pub summary: String,
}

/// Something that went on for a while.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Where it begins and ends, from 0 to 1.
    pub from: f64,
    pub to: f64,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// For a slot, for the next attempt.
    Waiting,
    /// For somebody.
    Asking,
    Model,
    /// At work, and what came of it.
    Work(CallStatus),
}

impl Kind {
    /// What style sheets know it by.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "wait",
            Self::Asking => "awaiting_input",
            Self::Model => "model",
            Self::Work(status) => status.as_str(),
        }
    }
}

/// What a run has cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub calls: usize,
    pub failures: usize,
    pub cache_hits: usize,
    pub wall_ms: u64,
    pub tool_ms: u64,
    pub tokens: u64,
}

impl Conversation {
    /// The calls of a turn with everything below them, each with its depth, in the order of their cards.
    pub fn calls_of<'a>(&'a self, turn: &'a Turn) -> Vec<(&'a ToolCall, usize)> {
        let top = turn.entries.iter().filter_map(|entry| match entry {
            Entry::Call(id) => self.call(id),
            Entry::Message(_) => None,
        });
        let (mut all, mut left): (Vec<_>, Vec<_>) = (Vec::new(), top.map(|call| (call, 0)).collect());
        left.reverse();
        while let Some((call, depth)) = left.pop() {
            all.push((call, depth));
            left.extend(call.children.iter().rev().filter_map(|id| Some((self.call(id)?, depth + 1))));
        }
        all
    }

    /// The run of a turn, drawn.
    pub fn waterfall(&self, turn: &Turn, now: Timestamp) -> Waterfall {
        let calls = self.calls_of(turn);
        let run = turn.run.as_ref().and_then(|id| self.run(id));
        let is_running = run.is_some_and(|run| !run.status.is_ended());
        let first = calls.iter().filter_map(|(call, _)| call.timeline.first().map(|moment| moment.at)).min();
        let last = calls.iter().filter_map(|(call, _)| call.timeline.last().map(|moment| moment.at)).max();
        let Some(from) = run.and_then(|run| run.started_at).or(first) else { return Waterfall::default() };
        let ended = run.and_then(|run| run.ended_at).or(last).filter(|_| !is_running);
        let until = ended.unwrap_or(now).max(from);
        let scale = Scale { from, total_ms: until.millis_since(from).max(1), until };
        let (model, model_ms) = run.map(|run| model_time(run, &calls, &scale)).unwrap_or_default();
        let rows = calls.iter().map(|(call, depth)| row(call, *depth, &scale)).collect();
        Waterfall { from, total_ms: scale.total_ms, model, model_ms, rows, is_running }
    }

    /// Some calls with everything below them, drawn by themselves.
    pub fn group(&self, calls: &[CallId], now: Timestamp) -> Waterfall {
        let calls: Vec<&ToolCall> = calls.iter().filter_map(|id| self.call(id)).collect();
        let moments = |call: &&&ToolCall| call.timeline.first().zip(call.timeline.last()).map(|(a, z)| (a.at, z.at));
        let times: Vec<_> = calls.iter().filter_map(|call| moments(&call)).collect();
        let is_running = calls.iter().any(|call| !call.status.is_ended());
        let Some(from) = times.iter().map(|(from, _)| *from).min() else { return Waterfall::default() };
        let last = times.iter().map(|(_, to)| *to).max().filter(|_| !is_running);
        let until = last.unwrap_or(now).max(from);
        let scale = Scale { from, total_ms: until.millis_since(from).max(1), until };
        let rows = calls.iter().map(|call| row(call, 0, &scale)).collect();
        Waterfall { from, total_ms: scale.total_ms, rows, is_running, ..Waterfall::default() }
    }

    pub fn totals(&self, turn: &Turn, now: Timestamp) -> Totals {
        let calls = self.calls_of(turn);
        let run = turn.run.as_ref().and_then(|id| self.run(id));
        let usage = run.map(Run::usage).unwrap_or_default();
        Totals {
            calls: calls.len(),
            failures: calls.iter().filter(|(call, _)| call.status == CallStatus::Failed).count(),
            cache_hits: calls.iter().filter(|(call, _)| call.is_cached()).count(),
            wall_ms: self.waterfall(turn, now).total_ms,
            tool_ms: calls.iter().filter_map(|(call, _)| call.duration_ms(now)).fold(0, u64::saturating_add),
            tokens: usage.input_tokens.saturating_add(usage.output_tokens),
        }
    }
}

struct Scale {
    from: Timestamp,
    until: Timestamp,
    total_ms: u64,
}

impl Scale {
    fn at(&self, at: Timestamp) -> f64 {
        (at.millis_since(self.from) as f64 / self.total_ms as f64).clamp(0.0, 1.0)
    }

    fn segment(&self, from: Timestamp, to: Timestamp, kind: Kind) -> Segment {
        Segment { from: self.at(from), to: self.at(to.max(from)), kind }
    }
}

/// When the model was at it: from a step's beginning until it had said all. Of the step that goes on, until its first call.
fn model_time(run: &Run, calls: &[(&ToolCall, usize)], scale: &Scale) -> (Vec<Segment>, u64) {
    let (mut segments, mut sum, mut begin) = (Vec::new(), 0, run.started_at);
    for step in &run.steps {
        let (Some(from), Some(ended)) = (begin, step.ended_at) else { continue };
        let millis = step.model_ms.unwrap_or(0).min(ended.millis_since(from));
        let to = Timestamp::from_millis(from.millis().saturating_add_unsigned(millis));
        segments.push(scale.segment(from, to, Kind::Model));
        sum += millis;
        begin = Some(ended);
    }
    if let Some(from) = begin.filter(|_| !run.status.is_ended()) {
        let later = calls.iter().filter_map(|(call, _)| call.timeline.first().map(|moment| moment.at));
        let to = later.filter(|at| *at >= from).min().unwrap_or(scale.until);
        segments.push(scale.segment(from, to, Kind::Model));
        sum += to.millis_since(from);
    }
    (segments, sum)
}

fn row(call: &ToolCall, depth: usize, scale: &Scale) -> Row {
    let line = call.stage_line();
    Row {
        call: call.id.clone(),
        title: call.title.clone(),
        status: call.status,
        depth,
        segments: segments(call, scale),
        duration_ms: call.duration_ms(scale.until).unwrap_or(0),
        summary: line,
    }
}

/// From its first event to its last, or to now.
fn segments(call: &ToolCall, scale: &Scale) -> Vec<Segment> {
    let is_at_work = |moment: &Moment| matches!(moment.status, CallStatus::Starting | CallStatus::InProgress);
    let mut segments: Vec<Segment> = Vec::new();
    for (nth, moment) in call.timeline.iter().enumerate() {
        if moment.status.is_ended() {
            break;
        }
        let next = call.timeline.get(nth + 1);
        let to = next.map_or(call.ended_at.unwrap_or(scale.until), |next| next.at);
        let kind = match moment.status {
            CallStatus::AwaitingApproval | CallStatus::AwaitingInput => Kind::Asking,
            _ if is_at_work(moment) => Kind::Work(match next.map(|next| next.status) {
                Some(CallStatus::Retrying) => CallStatus::Failed,
                _ => call.status,
            }),
            _ => Kind::Waiting,
        };
        let segment = scale.segment(moment.at, to, kind);
        match segments.last_mut() {
            // A part of an attempt that failed is red from its beginning.
            Some(last) if is_joined(last.kind, kind) && nth > 0 && is_at_work(&call.timeline[nth - 1]) => {
                (last.to, last.kind) = (segment.to, kind);
            }
            _ => segments.push(segment),
        }
    }
    segments
}

const fn is_joined(one: Kind, other: Kind) -> bool {
    matches!((one, other), (Kind::Work(_), Kind::Work(_)))
}

/// Times along an axis that are easy to read: at most so many, from zero.
pub fn ticks(total_ms: u64, most: u64) -> Vec<u64> {
    const STEPS: [u64; 3] = [1, 2, 5];
    let mut unit = 1;
    loop {
        for step in STEPS.map(|step| step * unit) {
            if total_ms / step < most {
                return (0..=total_ms / step).map(|nth| nth * step).collect();
            }
        }
        unit *= 10;
    }
}

#[cfg(test)]
mod tests;
