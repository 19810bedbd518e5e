// Kills the server again and again, at random times and at marked points, starts it again, and looks whether
// everything that anyone saw is still there, whether what must happen once happened once, and whether anything stays open.
//
//   node kill9.mjs ROUNDS [SEED]

import { readFileSync } from "node:fs";
import { Vitrine } from "./harness.mjs";

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
const POINTS = ["started", "effect", "ending", "ended", "kept"];
const ENDED = ["completed", "failed", "cancelled", "denied"];
/** Anything large is kept at least once, so there it dies the first time. */
const marked = (point) => `${point}:${point === "kept" ? 1 : 1 + upTo(6)}`;
/** What a restarted server may take to close what was open. */
const PATIENCE_MS = 10_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function order() {
  const once = () => ({ tool: "fault_once", slow_ms: upTo(120) });
  const plain = () => pick([{ slow_ms: upTo(200) }, { nest: 3 }, { bytes: 300_000 }, { lines: 2_000 }, { fail_times: 1 }, { children: [{ slow_ms: 30 }, {}] }]);
  return `faults ${JSON.stringify([once(), plain(), plain(), once(), { bytes: 200_000, slow_ms: upTo(50) }, once()])}`;
}

/** Reads what a conversation says until the server dies. */
async function watch(vitrine, id, seen) {
  try {
    const response = await fetch(`${vitrine.url}/api/conversations/${id}/events`);
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const frames = text.split("\n\n");
      text = frames.pop();
      for (const frame of frames.filter((frame) => frame.startsWith("id: "))) {
        const [seq, data] = frame.split("\n");
        seen.set(Number(seq.slice(4)), data.slice(6));
      }
    }
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
  for (const { type, data } of events) {
    if (type !== "tool_call") continue;
    const call = calls.get(data.id) ?? { name: data.tool_name, endings: [] };
    calls.set(data.id, call);
    if (ENDED.includes(data.status)) call.endings.push(data.status);
    if (data.error_kind === "interrupted") counts[data.status === "retrying" ? "repeated" : "interrupted"]++;
  }
  for (const [call, { name, endings }] of calls) {
    check(endings.length === 1, `${id}: ${name} ${call} has ${endings.length} endings`);
    if (name !== "fault_once") continue;
    const starts = ledger.filter((line) => line === `fault_once ${call}`).length;
    check(starts <= 1, `${id}: ${call} took effect ${starts} times`);
    check(endings[0] !== "completed" || starts === 1, `${id}: ${call} is completed and took effect ${starts} times`);
  }
  return calls.size;
}

const vitrine = new Vitrine(0);
const seen = new Map();
const counts = { killed: {}, calls: 0, events: 0, repeated: 0, interrupted: 0, slowestMs: 0 };

async function checkAll() {
  const began = Date.now();
  const list = await (await fetch(`${vitrine.url}/api/list_conversations`)).json();
  Object.assign(counts, { calls: 0, events: 0, repeated: 0, interrupted: 0 });
  for (const { id } of list) {
    const isOver = (event) => event.type === "agent.status" && ENDED.includes(event.data.status);
    const log = vitrine.events(`/c/${id}`, isOver);
    const events = await Promise.race([log, sleep(PATIENCE_MS)]);
    check(events, `${id}: still open after ${PATIENCE_MS} ms`);
    if (!events) continue;
    const ledger = readFileSync(vitrine.file("ledger.txt"), "utf8").split("\n");
    counts.calls += checkLog(id, events, seen.get(id) ?? new Map(), ledger);
    counts.events += events.length;
  }
  counts.slowestMs = Math.max(counts.slowestMs, Date.now() - began);
}

for (let round = 1; round <= rounds; round++) {
  // Every other time at a marked point; and now and then once more while it takes up what it had left.
  const point = round % 2 ? null : marked(POINTS[(round / 2) % POINTS.length]);
  const again = upTo(4) === 0;
  await vitrine.start(point ? { VITRINE_CRASH_AT: point } : {});
  const began = Date.now();
  try {
    for (let n = 0; n < 2; n++) {
      const id = (await vitrine.ask(n ? "research fentanyl" : order())).split("/c/")[1];
      seen.set(id, new Map());
      watch(vitrine, id, seen.get(id));
    }
  } catch {
    // It died while it was asked.
  }
  const died = await Promise.race([vitrine.gone().then(() => true), sleep(point ? 2_000 : upTo(500))]);
  await vitrine.kill();
  const how = died ? `at ${point}` : `after ${Date.now() - began} ms`;
  if (again) {
    await vitrine.start();
    await sleep(upTo(150));
    await vitrine.kill();
  }
  const before = problems.length;
  await vitrine.start();
  await checkAll();
  await vitrine.kill();
  const kind = died ? point.split(":")[0] : "random";
  counts.killed[kind] = (counts.killed[kind] ?? 0) + 1 + Number(again);
  console.log(`${String(round).padStart(3)}  ${how}${again ? ", and again" : ""}: ${problems.slice(before).join("; ") || "fine"}`);
}

await vitrine.dispose();
console.log(`kill9: ${JSON.stringify(counts)}, ${problems.length} problems`);
process.exit(problems.length ? 1 : 0);
