//! `Conversation::apply` takes one event and tells what it touched, so that the page wakes just that. It does no work
//! that grows with the conversation. Order comes from the sequence numbers alone: what was seen is skipped, what leaves
//! a gap is refused. Facts may come before what they are about (a result before its call); they wait in a call that has
//! no name yet, and so no card.

use super::{Applied, Conversation, Entry, Seq, Touch, Turn, window::About};
use crate::model::{
    CallId, Event, Message, MessageId, Role, Run, RunId, Timestamp, ToolCall,
    event::{AgentStepCompleted, Delta, ToolCallEvent, ToolResult, ToolsAggregate, ToolsCallUpdate},
    message::ToolCallInfo,
    run::{Step, Usage},
};

impl Conversation {
    /// The fold.
    pub fn apply(&mut self, seq: Seq, event: &Event) -> Applied {
        if seq <= self.last_seq {
            return Applied::Duplicate;
        }
        if seq != self.last_seq + 1 {
            return Applied::Gap { after: self.last_seq };
        }
        self.last_seq = seq;
        let mut touched = Vec::new();
        let about = self.is_about(event);
        if about != About::Held {
            self.missed = seq;
        }
        if about != About::Earlier {
            self.take(seq, event, &mut touched);
        }
        Applied::Touched(touched)
    }

    fn take(&mut self, seq: Seq, event: &Event, touched: &mut Vec<Touch>) {
        match event {
            Event::ToolCall(event) => self.take_call_event(seq, event, touched),
            Event::ToolsCallUpdate(update) => self.take_call_update(update, touched),
            Event::ToolOutput(output) => {
                self.change_call(&output.tool_call_id, touched, |call| call.take_output(output));
            }
            Event::ToolResult(result) => {
                self.change_call(&result.tool_call_id, touched, |call| call.take_result(result));
            }
            Event::ToolsAggregate(aggregate) => self.take_aggregate(aggregate, touched),
            Event::TextDelta(Delta { message_id, delta }) => {
                self.stream_into(message_id, touched, |message| message.content.push_str(delta));
            }
            Event::ReasoningDelta(Delta { message_id, delta }) => {
                self.stream_into(message_id, touched, |message| message.reasoning.push_str(delta));
            }
            Event::Message(message) => self.take_message(message, touched),
            Event::AgentStatus(event) => {
                let run = self.run_mut(&event.run_id, touched);
                if run.status.is_ended() {
                    return;
                }
                run.status = event.status;
                run.started_at = run.started_at.or(event.timestamp);
                run.ended_at = event.timestamp.filter(|_| event.status.is_ended());
                run.error_message.clone_from(&event.error_message);
                touched.push(Touch::Activity);
                if event.status.is_ended() {
                    self.end_turn(&event.run_id, touched);
                }
            }
            Event::AgentStepCompleted(event) => {
                let AgentStepCompleted { step, duration_ms, usage, model_ms, timestamp, .. } = *event;
                let step = Step { step, duration_ms, usage, model_ms, ended_at: timestamp };
                self.run_mut(&event.run_id, touched).steps.push(step);
            }
            Event::AgentContinuation(continuation) => {
                self.run_mut(&continuation.run_id, touched).continuation = Some(continuation.clone());
            }
            Event::Usage(event) => {
                let usage = Usage { input_tokens: event.input_tokens, output_tokens: event.output_tokens };
                self.run_mut(&event.run_id, touched).reported = Some(usage);
            }
            Event::ConversationUpdated(updated) => {
                self.arrangements.update(updated);
                touched.push(Touch::Arrangements);
            }
            Event::Brief(brief) => {
                self.arrangements.note(&brief.id, brief.text.as_deref());
                touched.push(Touch::Arrangements);
            }
            Event::Todos(plan) => {
                self.arrangements.todos.clone_from(&plan.todos);
                touched.push(Touch::Arrangements);
            }
            Event::Context(context) => {
                self.change_call(&context.tool_call_id, touched, |call| {
                    std::mem::replace(&mut call.is_left_out, context.is_left_out) != context.is_left_out
                });
            }
            Event::Answer(answer) => {
                self.change_call(&answer.tool_call_id, touched, |call| call.take_answer(answer));
                touched.push(Touch::Activity);
            }
            Event::Queue(queued) => self.requeue(&queued.message_id, queued.text.as_deref(), touched),
            Event::Steer(steer) => self.steer(&steer.run_id, &steer.message_id, touched),
            Event::Unknown => {}
        }
    }

    fn take_call_event(&mut self, seq: Seq, event: &ToolCallEvent, touched: &mut Vec<Touch>) {
        let was_asking = self.is_asking(&event.id);
        self.change_call(&event.id, touched, |call| call.apply(seq, event));
        if was_asking != self.is_asking(&event.id) {
            touched.push(Touch::Activity);
        }
        let names = Naming {
            tool_name: event.tool_name.as_deref().unwrap_or_default(),
            title: event.title.as_deref(),
            parent: event.parent_id.as_ref(),
        };
        self.name_call(&event.id, &names, touched);
    }

    fn is_asking(&self, call: &CallId) -> bool {
        self.call(call).is_some_and(ToolCall::waits_for_person)
    }

    fn take_call_update(&mut self, update: &ToolsCallUpdate, touched: &mut Vec<Touch>) {
        self.change_call(&update.tool_call_id, touched, |call| {
            call.message_id.get_or_insert_with(|| update.message_id.clone());
            if let Some(chunk) = &update.function_args {
                call.args_json.push_str(chunk);
            }
            true
        });
        self.name_call(&update.tool_call_id, &Naming::only(update.function_name.as_deref()), touched);
    }

    fn take_aggregate(&mut self, aggregate: &ToolsAggregate, touched: &mut Vec<Touch>) {
        for info in &aggregate.tool_calls {
            self.take_call_info(info, &aggregate.message_id, touched);
        }
        for result in &aggregate.tool_results {
            self.change_call(&result.tool_call_id, touched, |call| call.settle(result));
        }
    }

    /// A message or an aggregate lists its calls. Their arguments there are complete, so they win.
    fn take_call_info(&mut self, info: &ToolCallInfo, message_id: &MessageId, touched: &mut Vec<Touch>) {
        let Some(id) = &info.id else { return };
        self.change_call(id, touched, |call| {
            let is_placed = call.message_id.is_none();
            call.message_id.get_or_insert_with(|| message_id.clone());
            // What a person has changed stays so.
            let is_new = info.args.is_some() && call.model_args.is_none() && call.args() != info.args;
            if let Some(args) = info.args.as_ref().filter(|_| is_new) {
                call.args_json = args.to_string();
            }
            is_new || is_placed
        });
        self.name_call(id, &Naming::only(Some(&info.name)), touched);
    }

    fn take_message(&mut self, message: &Message, touched: &mut Vec<Touch>) {
        if message.role == Role::Tool {
            return self.take_tool_message(message, touched);
        }
        for info in message.tool_calls() {
            self.take_call_info(info, &message.id, touched);
        }
        if message.role == Role::User && !self.messages.contains_key(&message.id) {
            let turn = self.new_turn(touched);
            self.add_entry(turn, Entry::Message(message.id.clone()), touched);
            self.messages.insert(message.id.clone(), message.clone());
            touched.push(Touch::Message(message.id.clone()));
            return;
        }
        let is_seen = !message.content.is_empty() || !message.reasoning.is_empty();
        if message.role == Role::Assistant && !is_seen && !self.messages.contains_key(&message.id) {
            // Nothing but calls, which have their cards.
            self.messages.insert(message.id.clone(), message.clone());
            return;
        }
        self.stream_into(&message.id, touched, |known| {
            let reasoning = std::mem::take(&mut known.reasoning);
            *known = message.clone();
            // A message without a time begins anew.
            if known.reasoning.is_empty() && (is_seen || message.timestamp != Timestamp::default()) {
                known.reasoning = reasoning;
            }
        });
    }

    /// A result as a message: it belongs to its call and is not an entry of its own.
    fn take_tool_message(&mut self, message: &Message, touched: &mut Vec<Touch>) {
        let Some((metadata, id)) = message.metadata.as_ref().and_then(|m| Some((m, m.tool_call_id.as_ref()?))) else {
            return;
        };
        let result = ToolResult {
            tool_call_id: id.clone(),
            is_error: metadata.tool_error.is_some(),
            result: match (&metadata.tool_error, &metadata.tool_result) {
                (Some(error), _) => error.as_str().into(),
                (None, Some(result)) => result.clone(),
                (None, None) => message.content.as_str().into(),
            },
            duration_ms: metadata.tool_duration_ms.unwrap_or(0),
            cached: false,
            whole: None,
        };
        self.change_call(id, touched, |call| call.settle(&result));
        self.name_call(id, &Naming::only(metadata.tool_name.as_deref()), touched);
    }

    /// Status lines that told of the run while it went on go with it.
    fn end_turn(&mut self, run: &RunId, touched: &mut Vec<Touch>) {
        let Some(&turn) = self.turn_of_run.get(run) else { return };
        let (entries, messages) = (&mut self.turns[turn - self.first_turn].entries, &self.messages);
        let before = entries.len();
        entries.retain(|entry| match entry {
            Entry::Message(id) => !messages.get(id).is_some_and(Message::is_passing),
            Entry::Call(_) => true,
        });
        if entries.len() != before {
            touched.push(Touch::Turn(turn));
        }
    }

    /// Changes a call, known or only waited for.
    fn change_call(&mut self, id: &CallId, touched: &mut Vec<Touch>, change: impl FnOnce(&mut ToolCall) -> bool) {
        let call = self.calls.entry(id.clone()).or_insert_with(|| ToolCall::new(id.clone()));
        if change(call) && call.is_known() {
            touched.push(Touch::Call(id.clone()));
        }
    }

    /// Gives a call its name, and with it its card. One whose parent is not known by then stands on its own: better
    /// in the wrong place than nowhere, and no circle can ever form.
    fn name_call(&mut self, id: &CallId, names: &Naming<'_>, touched: &mut Vec<Touch>) {
        let Some(call) = self.calls.get_mut(id) else { return };
        if call.is_known() || names.tool_name.is_empty() {
            return;
        }
        call.name(names.tool_name, names.title);
        let (run, repeats) = (call.run_id.clone(), call.repeats.clone());
        touched.push(Touch::Call(id.clone()));
        if let Some(parent) = names.parent.filter(|&parent| parent != id && self.call(parent).is_some()) {
            if let Some(call) = self.calls.get_mut(id) {
                call.parent_id = Some(parent.clone());
            }
            if let Some(call) = self.calls.get_mut(parent) {
                let place = after(&call.children, repeats.as_ref(), |child, repeated| child == repeated);
                call.children.insert(place, id.clone());
            }
            touched.push(Touch::Children(parent.clone()));
            return;
        }
        let turn = match run {
            Some(run) => self.turn_of(&run, touched),
            None => self.open_turn(touched),
        };
        let entries = &mut self.turns[turn - self.first_turn].entries;
        let is_repeated = |entry: &Entry, repeated: &CallId| matches!(entry, Entry::Call(call) if call == repeated);
        let place = after(entries, repeats.as_ref(), is_repeated);
        entries.insert(place, Entry::Call(id.clone()));
        touched.push(Touch::Turn(turn));
    }

    /// The turn of a question that nobody has taken up yet.
    pub(super) fn waiting_turn(&self, message: &MessageId) -> Option<usize> {
        let is_its = |turn: &usize| {
            self.turn(*turn).is_some_and(|turn| turn.entries.first() == Some(&Entry::Message(message.clone())))
        };
        (self.oldest_waiting()..self.turn_count()).find(is_its)
    }

    fn requeue(&mut self, message: &MessageId, text: Option<&str>, touched: &mut Vec<Touch>) {
        let Some(turn) = self.waiting_turn(message) else { return };
        match (text, self.messages.get_mut(message)) {
            (Some(text), Some(message)) => message.content = text.to_owned(),
            (Some(_), None) => {}
            (None, _) => {
                self.messages.remove(message);
                let entries = &mut self.turns[turn - self.first_turn].entries;
                entries.remove(0);
                // Things that name no run may stand there, too.
                match entries.is_empty() {
                    true => self.remove_turn(turn, touched),
                    false => touched.push(Touch::Turn(turn)),
                }
            }
        }
        touched.push(Touch::Message(message.clone()));
    }

    /// A question that waited goes on in the turn of this run.
    fn steer(&mut self, run: &RunId, message: &MessageId, touched: &mut Vec<Touch>) {
        let Some(from) = self.waiting_turn(message) else { return };
        match self.turn_of_run.get(run).copied().filter(|to| *to >= self.first_turn) {
            Some(to) => {
                let entries = std::mem::take(&mut self.turns[from - self.first_turn].entries);
                self.turns[to - self.first_turn].entries.extend(entries);
                touched.push(Touch::Turn(to));
            }
            // It went to where this does not reach.
            None if self.first_turn > 0 => drop(self.messages.remove(message)),
            None => return,
        }
        self.remove_turn(from, touched);
    }

    /// Those after it move up by one.
    fn remove_turn(&mut self, turn: usize, touched: &mut Vec<Touch>) {
        touched.extend((turn..self.turn_count()).map(Touch::Turn));
        self.turns.remove(turn - self.first_turn);
        self.current_turn = match self.current_turn {
            Some(current) if current == turn => None,
            Some(current) if current > turn => Some(current - 1),
            current => current,
        };
        touched.extend([Touch::Turns, Touch::Activity]);
    }

    fn stream_into(&mut self, id: &MessageId, touched: &mut Vec<Touch>, change: impl FnOnce(&mut Message)) {
        if let Some(message) = self.messages.get_mut(id) {
            change(message);
        } else {
            let mut message = Message::streaming(id.clone());
            change(&mut message);
            let turn = self.open_turn(touched);
            self.add_entry(turn, Entry::Message(id.clone()), touched);
            self.messages.insert(id.clone(), message);
        }
        touched.push(Touch::Message(id.clone()));
    }

    fn add_entry(&mut self, turn: usize, entry: Entry, touched: &mut Vec<Touch>) {
        self.turns[turn - self.first_turn].entries.push(entry);
        touched.push(Touch::Turn(turn));
    }

    fn run_mut(&mut self, id: &RunId, touched: &mut Vec<Touch>) -> &mut Run {
        self.turn_of(id, touched);
        touched.push(Touch::Run(id.clone()));
        self.runs.entry(id.clone()).or_insert_with(|| Run::new(id.clone()))
    }

    /// The turn of a run. A new run takes up the oldest question that waits for one.
    fn turn_of(&mut self, run: &RunId, touched: &mut Vec<Touch>) -> usize {
        if let Some(&turn) = self.turn_of_run.get(run) {
            return turn;
        }
        let oldest_waiting = self.oldest_waiting();
        if oldest_waiting >= self.turn_count() {
            self.new_turn(touched);
        }
        self.turns[oldest_waiting - self.first_turn].run = Some(run.clone());
        self.turn_of_run.insert(run.clone(), oldest_waiting);
        self.runs.insert(run.clone(), Run::new(run.clone()));
        self.current_turn = Some(oldest_waiting);
        touched.extend([Touch::Turn(oldest_waiting), Touch::Run(run.clone()), Touch::Activity]);
        oldest_waiting
    }

    fn open_turn(&mut self, touched: &mut Vec<Touch>) -> usize {
        self.current_turn.or_else(|| self.turn_count().checked_sub(1)).unwrap_or_else(|| self.new_turn(touched))
    }

    fn new_turn(&mut self, touched: &mut Vec<Touch>) -> usize {
        self.turns.push(Turn::default());
        touched.extend([Touch::Turns, Touch::Activity]);
        self.turn_count() - 1
    }

    /// The turn that the next run takes up: every turn before it has its run, and none after it has.
    pub(super) fn oldest_waiting(&self) -> usize {
        self.first_turn + self.turn_of_run.len()
    }
}

/// Where a call stands among the others: right after the one that it does over, or else at the end.
fn after<T>(others: &[T], repeats: Option<&CallId>, is: impl Fn(&T, &CallId) -> bool) -> usize {
    let repeated = repeats.and_then(|repeated| others.iter().position(|other| is(other, repeated)));
    repeated.map_or(others.len(), |place| place + 1)
}

/// What an event says about which tool a call is of.
struct Naming<'a> {
    tool_name: &'a str,
    title: Option<&'a str>,
    parent: Option<&'a CallId>,
}

impl<'a> Naming<'a> {
    fn only(tool_name: Option<&'a str>) -> Self {
        Self { tool_name: tool_name.unwrap_or_default(), title: None, parent: None }
    }
}
