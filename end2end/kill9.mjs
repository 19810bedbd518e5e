// Kills the server again and again, at random times and at marked points, starts it again, and looks whether
// everything that anyone saw is still there, whether what must happen once happened once, and whether anything stays open.
//
//   node kill9.mjs ROUNDS [SEED]

import { existsSync, readFileSync } from "node:fs";
import { frames, Vitrine } from "./harness.mjs";

const rounds = Number(process.argv[2] ?? 20);
const seed = Number(process.argv[3] ?? 20261116);
console.log(`kill9: ${rounds} rounds with seed ${seed}`);

// mulberry32: the same numbers for the same seed.
let state = seed;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const upTo = (n) => Math.floor(random() * n);
const pick = (list) => list[upTo(list.length)];

/** Where the server can be made to die by itself. */
const POINTS = ["started", "effect", "ending", "ended", "kept", "answered"];
const ENDED = ["completed", "failed", "cancelled", "denied"];
/** Anything large is kept at least once, so there it dies the first time. */
const marked = (point) => `${point}:${["kept", "answered"].includes(point) ? 1 : 1 + upTo(6)}`;
/** What a restarted server may take to close what was open. */
const PATIENCE_MS = 10_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** How many calls of an order must happen once, by themselves. */
const ONCE = 3;

function order() {
  const once = () => ({ tool: "fault_once", slow_ms: upTo(120) });
  const plain = () =>
    pick([
      { slow_ms: upTo(200) },
      { nest: 3 },
      { bytes: 300_000 },
      { lines: 2_000 },
      { fail_times: 1 },
      { tool: "fault_cached", key: String(upTo(3)), slow_ms: 50 },
      { children: [{ slow_ms: 30 }, { tool: "fault_once", slow_ms: upTo(60) }] },
      { in_order: true, children: [{ slow_ms: 40 }, { tool: "fault_once" }, { fail: true }, { slow_ms: 10 }] },
    ]);
  const asks = { tool: "fault_asks", slow_ms: upTo(60) };
  return `faults ${JSON.stringify([once(), plain(), asks, plain(), once(), { bytes: 200_000, slow_ms: upTo(50) }, once()])}`;
}

const post = (path, fields) => fetch(`${vitrine.url}/api/${path}`, { method: "POST", body: new URLSearchParams(fields) });

const load = async (id) => (await (await fetch(`${vitrine.url}/api/load_conversation?conversation_id=${id}`)).json()).conversation;

/** Answers every call that waits for somebody: yes, mostly, and sometimes twice at once. */
async function answer(id, conversation) {
  const waiting = Object.values(conversation.calls).filter((call) => call.status === "awaiting_approval");
  for (const { id: call_id } of waiting) {
    const decide = () => post("approve_call", { conversation_id: id, call_id, decision: upTo(5) ? "approve" : "deny" });
    const answers = await Promise.all(upTo(3) ? [decide()] : [decide(), decide()]);
    counts.answered = (counts.answered ?? 0) + answers.filter((each) => each.ok).length;
    check(answers.filter((each) => each.ok).length <= 1, `${id}: ${call_id} was answered twice`);
  }
}

/** What people do meanwhile: ask on, stop, do something over. */
async function meddle(id, round) {
  const what = upTo(5);
  await sleep(upTo(150));
  // Whoever comes too late finds another server, which is being checked.
  if (round !== current) return;
  switch (what) {
    case 0:
      return post("cancel_run", { conversation_id: id });
    case 1:
      return post("send_message", { conversation_id: id, text: "fentanyl" });
    case 2: {
      const ended = Object.values((await load(id)).calls).filter((call) => ENDED.includes(call.status));
      if (ended.length) return post("run_again", { conversation_id: id, call_id: pick(ended).id });
      return;
    }
    default:
      return answer(id, await load(id));
  }
}

/** Reads what a conversation says until the server dies. */
async function watch(vitrine, id, seen) {
  try {
    const response = await fetch(`${vitrine.url}/api/conversations/${id}/events`);
    for await (const { seq, data } of frames(response)) seen.set(seq, data);
  } catch {
    // That is what we are here for.
  }
}

const problems = [];
function check(is, what) {
  if (!is && !problems.includes(what)) problems.push(what);
}

/** What the whole log of a conversation must be like. */
function checkLog(id, events, seen, ledger) {
  check(events.every((event, index) => event.seq === index + 1), `${id}: seq is not 1..n`);
  for (const [seq, data] of seen) {
    const stored = events[seq - 1];
    check(stored && JSON.stringify({ type: stored.type, data: stored.data }) === JSON.stringify(JSON.parse(data)), `${id}: event ${seq} was seen and is not stored`);
  }
  const calls = new Map();
  for (const { type, data, seq } of events) {
    if (type !== "tool_call") continue;
    const call = calls.get(data.id) ?? { name: data.tool_name, endings: [], isOwn: !data.parent_id && !data.repeats, ran: true };
    calls.set(data.id, call);
    check(call.endings.length === 0, `${id}: ${data.id} says something after its ending, in event ${seq}`);
    if (ENDED.includes(data.status)) call.endings.push(data.status);
    if (data.metadata?.error_message?.includes("so it did not run")) call.ran = false;
    if (data.error_kind === "interrupted") counts[data.status === "retrying" ? "repeated" : "interrupted"]++;
  }
  const starts = (call) => ledger.filter((line) => ["fault_once", "fault_asks"].some((tool) => line === `${tool} ${call}`)).length;
  for (const [call, { name, endings }] of calls) {
    check(endings.length === 1, `${id}: ${name} ${call} has ${endings.length} endings`);
    if (!["fault_once", "fault_asks"].includes(name)) continue;
    check(starts(call) <= 1, `${id}: ${call} took effect ${starts(call)} times`);
    check(endings[0] !== "denied" || starts(call) === 0, `${id}: ${call} is denied and took effect`);
    check(endings[0] !== "completed" || starts(call) === 1, `${id}: ${call} is completed and took effect ${starts(call)} times`);
  }
  const asked = events.find((event) => event.type === "message")?.data.content ?? "";
  const own = [...calls.values()].filter((call) => call.name === "fault_once" && call.isOwn && call.ran).length;
  const isStopped = events.some((event) => event.type === "agent.status" && event.data.status === "cancelled");
  const fits = isStopped ? own <= ONCE : own === ONCE;
  check(!asked.startsWith("faults") || fits, `${id}: ${own} calls that must happen once, and ${ONCE} were asked for`);
  return calls.size;
}

/** The round whose server is there to be meddled with. */
let current = 0;
const vitrine = new Vitrine(0);
const seen = new Map();
const counts = { killed: {}, calls: 0, events: 0, repeated: 0, interrupted: 0, slowestMs: 0 };

/** Nothing may be open any more so long after the restart; then the logs are looked through. */
async function checkAll(restarted) {
  const { conversations: list } = await (await fetch(`${vitrine.url}/api/list_conversations`)).json();
  Object.assign(counts, { calls: 0, events: 0, repeated: 0, interrupted: 0 });
  for (const { id } of list) {
    let conversation;
    const isOpen = () =>
      Object.values(conversation.calls).some((call) => !ENDED.includes(call.status)) ||
      conversation.turns.some((turn) => !turn.run || !ENDED.includes(conversation.runs[turn.run].status));
    while (((conversation = await load(id)), isOpen()) && Date.now() - restarted < PATIENCE_MS) {
      await answer(id, conversation);
      await sleep(20);
    }
    const open = Object.values(conversation.calls).filter((call) => !ENDED.includes(call.status)).map((call) => `${call.tool_name} ${call.status} ${call.args_json}`);
    check(!isOpen(), `${id}: still open ${PATIENCE_MS} ms after the restart: ${open.join(", ") || "a run"}`);
    if (isOpen()) continue;
    counts.slowestMs = Math.max(counts.slowestMs, Date.now() - restarted);
    const events = await vitrine.events(`/c/${id}`, (event) => event.seq === conversation.last_seq);
    const ledger = existsSync(vitrine.file("ledger.txt")) ? readFileSync(vitrine.file("ledger.txt"), "utf8").split("\n") : [];
    counts.calls += checkLog(id, events, seen.get(id) ?? new Map(), ledger);
    counts.events += events.length;
    check((await load(id)).last_seq === conversation.last_seq, `${id}: something was said after everything had ended`);
  }
}

for (let round = 1; round <= rounds; round++) {
  // Every other time at a marked point; and now and then once more while it takes up what it had left.
  const point = round % 2 ? null : marked(POINTS[(round / 2) % POINTS.length]);
  const again = upTo(4) === 0;
  await vitrine.start(point ? { VITRINE_CRASH_AT: point } : {});
  const began = Date.now();
  current = round;
  try {
    for (let n = 0; n < 2; n++) {
      const id = (await vitrine.ask(n ? "research fentanyl" : order())).split("/c/")[1];
      seen.set(id, new Map());
      watch(vitrine, id, seen.get(id));
      meddle(id, round).catch(() => {});
    }
  } catch {
    // It died while it was asked.
  }
  const died = await Promise.race([vitrine.gone().then(() => true), sleep(point ? 2_000 : upTo(500))]);
  current = 0;
  await vitrine.kill();
  if (point && !died) counts.missed = (counts.missed ?? 0) + 1;
  const how = died ? `at ${point}` : `after ${Date.now() - began} ms`;
  if (again) {
    await vitrine.start();
    await sleep(upTo(150));
    await vitrine.kill();
  }
  const before = problems.length;
  await vitrine.start();
  await checkAll(Date.now());
  await vitrine.kill();
  const kind = died ? point.split(":")[0] : "random";
  counts.killed[kind] = (counts.killed[kind] ?? 0) + 1 + Number(again);
  console.log(`${String(round).padStart(3)}  ${how}${again ? ", and again" : ""}: ${problems.slice(before).join("; ") || "fine"}`);
}

await vitrine.dispose();
console.log(`kill9: ${JSON.stringify(counts)}, ${problems.length} problems`);
process.exit(problems.length ? 1 : 0);
