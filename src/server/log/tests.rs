//! The log on a real database: order, durability, and races between those who write and those who come to read.

use std::path::Path;

use serde_json::json;

use super::*;
use crate::{
    model::{MessageId, event::ToolOutput},
    server::db,
    testing::user_message,
};

async fn open(folder: &Path) -> EventLog {
    let (db, writer) = db::open(&folder.join("test.db")).await.unwrap();
    EventLog::open(db, writer)
}

async fn new_conversation(log: &EventLog) -> ConversationId {
    let id = ConversationId::mint();
    log.create(id, "test".into(), &[]).await.unwrap();
    id
}

fn output(text: impl Into<String>) -> Event {
    Event::ToolOutput(ToolOutput { tool_call_id: "c".into(), chunk: text.into(), whole: None })
}

fn text(message: &str, delta: &str) -> Delta {
    Delta { message_id: message.into(), delta: delta.into() }
}

/// Reads frames until the event `last` has come, and returns ids and events.
async fn read_to(reader: &mut Reader, last: Seq) -> Vec<(Seq, Event)> {
    let mut events: Vec<(Seq, Event)> = Vec::new();
    while events.last().is_none_or(|(seq, _)| *seq < last) {
        let frames = String::from_utf8(reader.next().await.unwrap().bytes.to_vec()).unwrap();
        for frame in frames.split_terminator("\n\n") {
            let (id, data) = frame.split_once('\n').unwrap();
            events.push((
                id.strip_prefix("id: ").unwrap().parse().unwrap(),
                Event::decode(data.strip_prefix("data: ").unwrap()),
            ));
        }
    }
    events
}

fn seqs(events: &[(Seq, Event)]) -> Vec<Seq> {
    events.iter().map(|(seq, _)| *seq).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_have_no_gaps_however_many_write() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path()).await;
    let conversations = [new_conversation(&log).await, new_conversation(&log).await, new_conversation(&log).await];
    let writers = (0..30).map(|writer| {
        let log = log.clone();
        let conversation = conversations[writer % 3];
        tokio::spawn(async move {
            let mut seqs = Vec::new();
            for n in 0..20 {
                seqs.push(log.append(conversation, &[output(format!("{writer}.{n}.a")), output("b")]).await.unwrap());
            }
            assert!(seqs.is_sorted(), "a writer's own appends keep their order");
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    for conversation in conversations {
        let events = read_to(&mut log.follow(conversation, 0), 400).await;
        assert_eq!(seqs(&events), (1..=400).collect::<Vec<_>>());
        assert!(events.chunks(2).all(|pair| pair[1].1 == output("b")), "what was appended together stays together");
        assert_eq!(log.db.last_seq(conversation).await.unwrap(), Some(400));
    }
    assert!(log.commits() < 300, "{} commits for 600 concurrent appends", log.commits());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_told_is_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path()).await;
    let conversation = new_conversation(&log).await;
    let mut reader = log.follow(conversation, 0);
    let writing = tokio::spawn({
        let log = log.clone();
        async move {
            for n in 0..50 {
                log.append(conversation, &[output(n.to_string())]).await.unwrap();
            }
        }
    });
    // A connection of its own sees what is committed and nothing else.
    let (other, _writer) = db::open(&folder.path().join("test.db")).await.unwrap();
    for expected in 1..=50 {
        let told = read_to(&mut reader, expected).await.last().map_or(expected, |(seq, _)| *seq);
        assert!(other.last_seq(conversation).await.unwrap().unwrap() >= told);
        if told == 50 {
            break;
        }
    }
    writing.await.unwrap();

    // The server goes without a word; what was acknowledged is there.
    drop(log);
    let log = open(folder.path()).await;
    assert_eq!(log.fold(conversation).await.unwrap().last_seq(), 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_may_come_at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path()).await;
    let conversation = new_conversation(&log).await;
    const ALL: Seq = 300;
    let writing = tokio::spawn({
        let log = log.clone();
        async move {
            for n in 0..ALL {
                log.append(conversation, &[output(n.to_string())]).await.unwrap();
            }
        }
    });
    let mut readers = Vec::new();
    let mut watcher = log.follow(conversation, 0);
    let mut seen = 0;
    // With every frame that is told, somebody comes who is a little behind.
    while seen < ALL {
        seen = read_to(&mut watcher, seen + 1).await.last().unwrap().0;
        let (log, after) = (log.clone(), seen.saturating_sub(1 + seen % 7));
        readers.push(tokio::spawn(
            async move { (after, seqs(&read_to(&mut log.follow(conversation, after), ALL).await)) },
        ));
    }
    writing.await.unwrap();
    assert!(readers.len() > 10, "only {} readers came while it was written", readers.len());
    for reader in readers {
        let (after, got) = reader.await.unwrap();
        assert_eq!(got, (after + 1..=ALL).collect::<Vec<_>>(), "after {after}");
    }
}

#[tokio::test]
async fn a_slow_reader_gets_everything_and_costs_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path()).await;
    let conversation = new_conversation(&log).await;
    let mut slow = log.follow(conversation, 0);
    let large = "x".repeat(5_000);
    for n in 0..100 {
        log.append(conversation, &[output(format!("{n} {large}"))]).await.unwrap();
    }
    let page = log.db.events_after(conversation, 0).await.unwrap();
    assert!(page.len() < 100, "a page has a size, whatever is on it: {} events of 5 kB", page.len());
    let (followed, kept) = log.tails.size();
    assert_eq!(followed, 1);
    assert!(kept <= tail::KEPT_BYTES, "{kept} bytes kept for one slow reader");
    let events = read_to(&mut slow, 100).await;
    assert_eq!(seqs(&events), (1..=100).collect::<Vec<_>>());

    drop(slow);
    assert_eq!(log.tails.size(), (0, 0), "the last reader takes the tail with it");
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_who_leave_together_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path()).await;
    let conversation = new_conversation(&log).await;
    for round in 0..50 {
        let together = Arc::new(tokio::sync::Barrier::new(5));
        let leaving = (0..4).map(|_| {
            let (reader, together) = (log.follow(conversation, round), Arc::clone(&together));
            tokio::spawn(async move {
                together.wait().await;
                drop(reader);
            })
        });
        let leaving: Vec<_> = leaving.collect();
        together.wait().await;
        log.append(conversation, &[output("meanwhile")]).await.unwrap();
        for each in leaving {
            each.await.unwrap();
        }
        assert_eq!(log.tails.size(), (0, 0), "in round {round}");
    }
}

#[tokio::test]
async fn text_is_gathered_and_stays_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path()).await;
    let conversation = new_conversation(&log).await;
    let words: Vec<String> = (0..200).map(|n| format!("word{n} ")).collect();
    for word in &words {
        log.append_text(conversation, text("m", word)).await.unwrap();
    }
    log.append_reasoning(conversation, text("m", "hm")).await.unwrap();
    log.append(conversation, &[output("after")]).await.unwrap();
    log.append_text(conversation, text("m", "end")).await.unwrap();

    let folded = log.fold(conversation).await.unwrap();
    let before_close = folded.message(&MessageId::from("m")).unwrap().content.clone();
    assert_eq!(before_close, words.concat(), "an append brings what was said before it along");
    assert!(folded.last_seq() < 100, "{} events for 200 words", folded.last_seq());

    // Nothing follows that would bring the end along; it comes by itself.
    let events = read_to(&mut log.follow(conversation, folded.last_seq()), folded.last_seq() + 1).await;
    assert_eq!(events.last().unwrap().1, Event::TextDelta(text("m", "end")));
}

#[tokio::test]
async fn closing_loses_nothing_and_ends_everything() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path()).await;
    let conversation = new_conversation(&log).await;
    log.append_text(conversation, text("m", "last words")).await.unwrap();
    log.close().await;
    assert_eq!(log.fold(conversation).await.unwrap().message(&"m".into()).unwrap().content, "last words");
    assert!(matches!(log.append(conversation, &[output("x")]).await, Err(Error::Stopping)));
}

#[tokio::test]
async fn a_conversation_that_is_not_there_disturbs_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path()).await;
    let (there, nowhere) = (new_conversation(&log).await, ConversationId::mint());
    let (missing, fine) = ([output("a")], [output("b")]);
    let (refused, taken) = tokio::join!(log.append(nowhere, &missing), log.append(there, &fine));
    assert!(matches!(refused, Err(Error::NoConversation(id)) if id == nowhere.to_string()));
    assert_eq!(taken.unwrap(), 1);
    assert!(matches!(log.fold(nowhere).await, Err(Error::NoConversation(_))));
}

#[tokio::test]
async fn questions_are_due_until_their_run_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path()).await;
    let conversation = new_conversation(&log).await;
    let status = |status: &str| {
        Event::decode(&json!({"type": "agent.status", "data": {"run_id": "r", "status": status}}).to_string())
    };
    log.append(conversation, &[user_message("q", "?")]).await.unwrap();
    log.append(conversation, &[status("running")]).await.unwrap();
    assert_eq!(log.db.due_conversations().await.unwrap(), [conversation]);
    log.append(conversation, &[status("failed")]).await.unwrap();
    assert_eq!(log.db.due_conversations().await.unwrap(), []);
}

#[tokio::test]
async fn a_full_disk_is_a_failure_of_that_moment_only() {
    let folder = tempfile::tempdir().unwrap();
    let (db, mut writer) = db::open(&folder.path().join("test.db")).await.unwrap();
    writer.fill_disk().await;
    let log = EventLog::open(db, writer);
    let id = ConversationId::mint();
    let large = [output("x".repeat(100_000))];
    assert!(matches!(log.create(id, "test".into(), &large).await, Err(Error::Storage(_))));
    // There is room again.
    assert_eq!(log.create(id, "test".into(), &large).await.unwrap(), 1);
    assert_eq!(log.append(id, &[output("y")]).await.unwrap(), 2);
}
