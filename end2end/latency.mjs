// How long it takes from an event on the server to its place in the DOM, at about 100 events a second.
//
//     cargo xtask latency
//
// A tool's timestamp is taken just before its event is committed, and cut to whole milliseconds; the browser's clock is
// read in a MutationObserver, when the timeline has the event. Both clocks are this machine's. So what is measured is
// from before the commit to after the change, and up to a millisecond too much.

import { chromium } from "@playwright/test";
import { alive, launchOptions, Vitrine } from "./harness.mjs";

const questions = Number(process.argv[2] ?? 120);
// With what the rest takes, this makes about 100 events a second.
const vitrine = new Vitrine(8);
await vitrine.start();
const browser = await chromium.launch(launchOptions);
try {
  const begun = await fetch(`${vitrine.url}/api/new_conversation`, { method: "POST", body: new URLSearchParams() });
  const { conversation_id } = await begun.json();
  const page = await browser.newPage();
  await page.goto(`${vitrine.url}/c/${conversation_id}`);
  await alive(page);
  await page.evaluate(() => {
    window.samples = [];
    new MutationObserver((changes) => {
      const now = performance.timeOrigin + performance.now();
      for (const added of changes.flatMap((change) => [...change.addedNodes])) {
        if (!(added instanceof Element)) continue;
        const times = added.matches(".tl") ? [added.querySelector("time")] : added.querySelectorAll(".tl time");
        for (const time of times) window.samples.push([now - Date.parse(time.dateTime), Date.parse(time.dateTime)]);
      }
    }).observe(document.getElementById("transcript"), { subtree: true, childList: true });
  });
  for (let n = 1; n <= questions; n++) {
    await page.evaluate(
      ([id, text]) => fetch("/api/send_message", { method: "POST", body: new URLSearchParams({ conversation_id: id, text }) }),
      [conversation_id, "fentanyl zebra"],
    );
    await page.locator(`.turn:nth-of-type(${n}) .meta`).waitFor({ state: "attached" });
  }
  const samples = await page.evaluate(() => window.samples);
  const sorted = samples.map(([latency]) => latency).sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  const gaps = samples.slice(1).map(([, time], i) => time - samples[i][1]).filter((gap) => gap < 100);
  const rate = 1000 / (gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length);
  const cold = samples.slice(0, Math.round(samples.length / questions)).map(([latency]) => latency);
  console.log(`${sorted.length} events at ${rate.toFixed(0)}/s while a tool runs: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`);
  console.log(`of these, in the first answer of a fresh page: most ${Math.max(...cold).toFixed(1)} ms`);
} finally {
  await browser.close();
  await vitrine.dispose();
}
