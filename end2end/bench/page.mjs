// What is measured of a page.

import { alive } from "../harness.mjs";
import { record } from "./trace.mjs";

/** A page with an empty conversation, alive. */
async function fresh(browser, vitrine) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const begun = await fetch(`${vitrine.url}/api/new_conversation`, { method: "POST", body: new URLSearchParams() });
  const { conversation_id } = await begun.json();
  await page.goto(`${vitrine.url}/c/${conversation_id}`);
  await alive(page);
  return { context, page, id: conversation_id };
}

const say = (vitrine, id, text) =>
  fetch(`${vitrine.url}/api/send_message`, { method: "POST", body: new URLSearchParams({ conversation_id: id, text }) });

/** Until the answer to the nth question is over, and shown. */
const over = (page, nth = 1) => page.locator(`.turn:nth-of-type(${nth}) .meta`).waitFor({ state: "attached", timeout: 120_000 });

const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))));

/** From the server's write to the frame that shows the card, at 100 events a second. */
export async function latency(browser, vitrine) {
  const { context, page, id } = await fresh(browser, vitrine);
  await page.evaluate(() => {
    window.shown = {};
    const seen = (card) => {
      if (card.dataset.callId in window.shown) return;
      window.shown[card.dataset.callId] = 0;
      requestAnimationFrame((frame) => (window.shown[card.dataset.callId] = performance.timeOrigin + frame));
    };
    new MutationObserver((changes) => {
      for (const added of changes.flatMap((change) => [...change.addedNodes])) {
        if (!(added instanceof Element)) continue;
        if (added.matches("[data-call-id]")) seen(added);
        added.querySelectorAll("[data-call-id]").forEach(seen);
      }
    }).observe(document.getElementById("transcript"), { subtree: true, childList: true });
  });
  await say(vitrine, id, "s1 100 3 10");
  await over(page);
  await settled(page);
  const { firstWrite } = await (await fetch(`${vitrine.url}/bench/log`)).json();
  const shown = await page.evaluate(() => window.shown);
  const times = Object.entries(firstWrite).filter(([call]) => shown[call]).map(([call, at]) => shown[call] - at).sort((a, b) => a - b);
  if (times.length < 90) throw new Error(`only ${times.length} of 100 cards were seen`);
  await context.close();
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  return { "write to card, next frame, p50, ms": at(0.5), "write to card, next frame, p99, ms": at(0.99) };
}

/** 10,000 events over 200 cards at once. */
export async function burst(browser, vitrine) {
  const { context, page, id } = await fresh(browser, vitrine);
  await settled(page);
  const stop = await record(browser, page);
  await say(vitrine, id, "s2 200 10000");
  await over(page);
  await settled(page);
  const trace = await stop();
  await context.close();
  return {
    "10,000 events, 200 cards: main thread, s": trace.cpu / 1000,
    "10,000 events, 200 cards: longest task, thread time, ms": trace.longestCpu,
    "10,000 events, 200 cards: longest task, by the clock, ms": trace.longest,
  };
}

/** 1,000 events a second for 10 seconds. */
export async function steady(browser, vitrine) {
  const { context, page, id } = await fresh(browser, vitrine);
  await page.evaluate(() => {
    window.frames = [];
    const next = (now) => {
      window.frames.push(now);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await settled(page);
  const stop = await record(browser, page);
  const began = Date.now();
  await say(vitrine, id, "s6 200 10000 1000");
  await over(page);
  const took = Date.now() - began;
  const trace = await stop();
  const frames = await page.evaluate(() => window.frames);
  await context.close();
  const long = frames.slice(1).filter((frame, nth) => frame - frames[nth] > 50).length;
  return { "1,000 events/s: main thread busy, %": (trace.cpu / took) * 100, "1,000 events/s: frames over 50 ms": long };
}

async function history(vitrine, cards) {
  const made = await fetch(`${vitrine.url}/bench/history?cards=${cards}`, { method: "POST" });
  return vitrine.url + (await made.text());
}

/** One more event where there are 5,000 cards. */
export async function oneMore(browser, vitrine) {
  const found = {};
  for (const cards of [10, 5000]) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const url = await history(vitrine, cards);
    await page.goto(url);
    await alive(page);
    await settled(page);
    // The card itself is there first, so that an event is only an event.
    const events = 100;
    const turns = await page.locator(".turn").count();
    await say(vitrine, url.split("/c/")[1], `s3 ${events} 40`);
    await page.locator(".card[data-live]").first().waitFor({ state: "attached" });
    const stop = await record(browser, page);
    await page.waitForTimeout(2000);
    const trace = await stop();
    await page.locator(`.turn:nth-of-type(${turns + 1}) .meta`).waitFor({ state: "attached" });
    await context.close();
    found[`one more event with ${cards} cards: main thread, ms`] = trace.cpu / 50;
  }
  return found;
}

/** Opening a conversation with 5,000 cards, until it is alive. */
export async function open(browser, vitrine) {
  const url = await history(vitrine, 5000);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  // As somebody who has been here before: the program is kept, the page is not.
  await page.goto(vitrine.url);
  await alive(page);
  const began = Date.now();
  await page.goto(url, { waitUntil: "commit" });
  await alive(page);
  const took = Date.now() - began;
  const first = await page.evaluate(() => performance.getEntriesByType("navigation")[0].responseEnd);
  await context.close();
  return { "open 5,000 cards until alive, s": took / 1000, "open 5,000 cards until the page is here, s": first / 1000 };
}

/** What is sent to a browser that has never been here. */
export async function size(browser, vitrine) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const url = await history(vitrine, 20);
  await page.goto(url);
  await alive(page);
  const files = await page.evaluate(() => performance.getEntriesByType("resource").filter((each) => /\.(js|wasm|css)$/.test(new URL(each.name).pathname)).map((each) => [each.name, each.encodedBodySize]));
  await context.close();
  return { "script, program and style, KB": files.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000 };
}

/** Until something can be typed, on a slow machine. */
export async function usable(browser, vitrine) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const began = performance.now();
  await page.goto(vitrine.url, { waitUntil: "commit" });
  await page.locator("textarea[name=text]").fill("x");
  const typed = performance.now() - began;
  await alive(page);
  const awake = performance.now() - began;
  await context.close();
  return { "input usable, CPU slowed 4 times, s": typed / 1000, "alive, CPU slowed 4 times, s": awake / 1000 };
}
