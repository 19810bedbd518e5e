// Pictures of every page, in both themes and two widths, to look at; a few of them are the README's.
//
//     cargo xtask shots

import { chromium } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { alive, launchOptions, Vitrine } from "./harness.mjs";

const folder = process.argv[2] ?? "target/shots";
mkdirSync(folder, { recursive: true });
const vitrine = new Vitrine(400);
await vitrine.start();
const browser = await chromium.launch(launchOptions);

try {
  const [done, failed] = await Promise.all([vitrine.answered("Which bills are about fentanyl?"), vitrine.answered("H.R. 99999")]);
  const states = vitrine.url + (await (await fetch(`${vitrine.url}/bench/states`, { method: "POST" })).text());
  for (const colorScheme of ["light", "dark"]) {
    for (const [name, viewport] of [["desktop", { width: 1440, height: 900 }], ["phone", { width: 390, height: 844 }]]) {
      const page = await browser.newPage({ viewport, colorScheme, deviceScaleFactor: name === "phone" ? 2 : 1 });
      const visit = async (url) => {
        await page.goto(url);
        await alive(page);
      };
      const shot = (what) => page.screenshot({ path: join(folder, `${what}-${colorScheme}-${name}.png`) });
      await visit(vitrine.url);
      await shot("start");
      await visit(done);
      await shot("done");
      await page.locator(".card > summary").click();
      await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== "running"));
      await shot("open");
      await visit(failed);
      await shot("failed");
      await visit(states);
      await page.screenshot({ path: join(folder, `states-${colorScheme}-${name}.png`), fullPage: true });
      await visit(`${vitrine.url}/settings`);
      await shot("settings");
      await visit(vitrine.url);
      await page.getByRole("button", { name: "Tools" }).click();
      await shot("tools");
      await visit(await vitrine.ask("Remember that I only want House bills."));
      await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
      await shot("approval");
      await page.getByRole("button", { name: "Deny", exact: true }).first().click();
      await visit(await vitrine.ask("Help me find a bill"));
      await page.getByRole("button", { name: "Send answer" }).waitFor();
      await shot("form");
      await visit(`${vitrine.url}/nowhere`);
      await shot("missing");
      await visit(await vitrine.ask("Research fentanyl"));
      await page.locator(".card").nth(3).waitFor();
      await shot("running");
      await page.close();
    }
  }
  console.log(`pictures are in ${folder}`);
} finally {
  await browser.close();
  await vitrine.dispose();
}
