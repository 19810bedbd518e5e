// Reloads, restarts, and a server that is killed.

import { existsSync, readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { alive, expect, test, transcript, Vitrine } from "../vitrine";

// Chromium itself reports every connection that was refused. A run must outlast the way into its middle.
test.use({ allowed: /net::ERR_|status of 404/, paceMs: 400 });

/** The numbers of the events in all timelines. */
const seqs = (page: Page) => page.locator(".tl").evaluateAll((all) => all.map((each) => Number(each.getAttribute("data-seq"))));

async function inTheMiddle(page: Page, slow: Vitrine): Promise<string> {
  const url = await slow.ask("fentanyl zebra");
  await page.goto(url);
  await alive(page);
  await page.locator(".card > summary").click();
  await expect.poll(async () => (await seqs(page)).length).toBeGreaterThan(3);
  await expect(page.locator(".card")).toHaveAttribute("data-status", "in_progress");
  return url;
}

test("a reload in the middle of a run shows the same card, which goes on", async ({ page, slow }) => {
  await inTheMiddle(page, slow);
  const id = await page.locator(".card").getAttribute("data-call-id");
  const before = await seqs(page);
  await page.reload();
  expect((await seqs(page)).slice(0, before.length), "rendered with all that was shown before").toEqual(before);
  await expect(page.locator(".card")).toHaveCount(1);
  await expect(page.locator(".card")).toHaveAttribute("data-call-id", id!);
  expect(await page.locator(".card").getAttribute("data-status"), "it is still under way").toBe("in_progress");
  await alive(page);
  await expect(page.locator(".card")).toHaveAttribute("data-status", "completed");
  await expect(page.locator(".meta")).toBeVisible();
  const after = await seqs(page);
  expect(new Set(after).size, "nothing twice").toBe(after.length);
});

test("a server that is killed and comes back: everything that was seen is there, once", async ({ page, slow }) => {
  const url = await inTheMiddle(page, slow);
  await slow.kill();
  await expect(page.getByText("Reconnecting…")).toBeVisible();
  const seen = await seqs(page);
  await slow.start();
  await expect(page.getByText("Reconnecting…")).toBeHidden();

  // The call only reads, so it runs again, as a further attempt of the same card; and the answer comes.
  await expect(page.locator(".card")).toHaveCount(1);
  await expect(page.locator(".card")).toHaveAttribute("data-status", "completed");
  await expect(page.locator('.tl[data-status="retrying"]')).toHaveCount(1);
  await expect(page.locator(".meta")).toBeVisible();
  const shown = await seqs(page);
  expect(shown.slice(0, seen.length)).toEqual(seen);
  expect(new Set(shown).size).toBe(shown.length);

  const log = await slow.events(url, (event) => event.type === "agent.status" && event.data.status === "completed");
  expect(log.map((event) => event.seq)).toEqual(log.map((_, index) => index + 1));
  expect(shown, "exactly what the log has").toEqual(log.filter((event) => event.type === "tool_call").map((event) => event.seq));

  // The page is as alive as before.
  await page.getByRole("textbox").fill("fentanyl");
  await page.keyboard.press("Enter");
  await expect(page.locator(".turn:nth-of-type(2) .meta")).toBeVisible();
  const live = await transcript(page);
  await page.reload();
  expect(await transcript(page)).toBe(live);
});

test("a server that is away for long is found again, and nothing typed is lost", async ({ page, slow }) => {
  await page.goto(await slow.answered("fentanyl"));
  await alive(page);
  await slow.kill();
  await expect(page.getByText("Reconnecting…")).toBeVisible();
  await page.getByRole("textbox").fill("are you there?");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("cannot be reached");
  await expect(page.getByRole("textbox")).toHaveValue("are you there?");
  await slow.start();
  await expect(page.getByText("Reconnecting…")).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(page.locator(".msg-user")).toHaveText(["fentanyl", "are you there?"]);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a log that turns out to be another one is read anew", async ({ page, slow }) => {
  const url = await slow.answered("fentanyl");
  await slow.kill();
  const backup = slow.backup();
  await slow.start();
  await page.goto(url);
  await alive(page);
  await page.getByRole("textbox").fill("soon forgotten");
  await page.keyboard.press("Enter");
  await expect(page.locator(".turn:nth-of-type(2) .meta")).toBeVisible();

  // The owner puts yesterday's data back: the log now ends before what the page has seen.
  await slow.kill();
  slow.restore(backup);
  await slow.start();
  await expect(page.locator(".msg-user")).toHaveText(["fentanyl"]);
  await expect(page.locator(".card")).toHaveCount(1);
  const shown = await transcript(page);
  await page.reload();
  expect(await transcript(page)).toBe(shown);
});

test("a server that is told to stop does so at once, and its pages come back", async ({ page, slow }) => {
  await page.goto(await slow.answered("fentanyl"));
  await alive(page);
  expect(await slow.stop()).toBe(0);
  await expect(page.getByText("Reconnecting…")).toBeVisible();
  await slow.start();
  await expect(page.getByText("Reconnecting…")).toBeHidden();
});

test("a conversation that is not there any more says so", async ({ page, slow }) => {
  await slow.kill();
  const empty = slow.backup();
  await slow.start();
  await page.goto(await slow.answered("fentanyl"));
  await alive(page);
  await slow.kill();
  slow.restore(empty);
  await slow.start();
  await expect(page.getByText("not on the server any more")).toBeVisible({ timeout: 20_000 });
  await expect(page.locator(".msg-user")).toHaveText("fentanyl");
});

test("what must not happen twice does not, and nobody claims to know what came of it", async ({ page, slow }) => {
  const url = await slow.ask('faults [{"tool": "fault_once", "slow_ms": 1500}, {"slow_ms": 1500}]');
  await page.goto(url);
  await alive(page);
  const ledger = () => (existsSync(slow.file("ledger.txt")) ? readFileSync(slow.file("ledger.txt"), "utf8").trim().split("\n") : []);
  await expect.poll(() => ledger().length).toBe(2);
  await slow.kill();
  await slow.start();
  const [once, safe] = [page.locator(".card").first(), page.locator(".card").nth(1)];
  await expect(once).toHaveAttribute("data-status", "failed");
  await expect(once.locator(".fail")).toContainText("The outcome is unknown");
  await expect(safe).toHaveAttribute("data-status", "completed");
  await expect(page.locator(".meta")).toBeVisible();
  expect(ledger().map((line) => line.split(" ")[0]).sort()).toEqual(["fault", "fault", "fault_once"]);
});
