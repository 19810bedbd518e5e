// What the page costs, measured in Chromium against a release build with everything on.
//
//     cargo xtask bench [names] [--runs N]
//
// Times on the main thread are thread times from Chromium's own trace, so that other work on the machine hardly moves them.
// Each measurement runs several times, on a fresh page each; the table has medians, and from least to most.

import { chromium } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { launchOptions, Vitrine } from "./harness.mjs";
import { burst, latency, oneMore, open, size, steady, usable } from "./bench/page.mjs";

const all = { latency, burst, steady, onemore: oneMore, open, size, usable };
const [named, runs] = [process.argv[2]?.split(",").filter(Boolean) ?? [], Number(process.argv[3] ?? 5)];
const wanted = named.length ? named : Object.keys(all);

const vitrine = new Vitrine();
await vitrine.start();
const browser = await chromium.launch(launchOptions);
const measured = {};
try {
  for (const name of wanted) {
    for (let run = 0; run < runs; run++) {
      for (const [line, value] of Object.entries(await all[name](browser, vitrine))) (measured[line] ??= []).push(value);
    }
    for (const line of Object.keys(measured).filter((line) => !measured[line].told)) {
      const sorted = [...measured[line]].sort((a, b) => a - b);
      const shown = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1));
      console.log(`${line.padEnd(64)} ${shown(sorted[Math.floor(sorted.length / 2)]).padStart(9)}   ${shown(sorted[0])} to ${shown(sorted.at(-1))}`);
      measured[line].told = true;
    }
  }
  writeFileSync("target/bench.json", JSON.stringify(measured, null, 1));
} finally {
  await browser.close();
  await vitrine.dispose();
}
