// What becomes of calls that go wrong, take long, return too much, or were made before. With JavaScript and without.

import type { Page } from "@playwright/test";
import { createHash } from "node:crypto";
import { alive, everything, expect, test, type Vitrine } from "../vitrine";

const faults = (...orders: object[]) => `faults ${JSON.stringify(orders)}`;

async function shown(page: Page, vitrine: Vitrine, question: string, javaScriptEnabled?: boolean) {
  const url = await vitrine.answered(question);
  await page.goto(url);
  if (javaScriptEnabled !== false) await alive(page);
  return url;
}

test("every fault ends in a card that says what happened and what to do", async ({ page, vitrine, javaScriptEnabled }) => {
  test.slow();
  const question = faults({ fail: true }, { panics: true }, { tool: "fault_once", hangs: true }, { slow_ms: "soon" }, { bytes: 40_000_000 }, { fail_times: 9, key: "never" }, { key: "fine" });
  await shown(page, vitrine, question, javaScriptEnabled);
  const cards = page.locator(".card");
  const says = ["for good", "broke off in the middle", "no answer within 2.0 s", "slow_ms must be an integer", "at most 32 MB can be kept", "failure 3"];
  for (const [n, text] of says.entries()) {
    await expect(cards.nth(n)).toHaveAttribute("data-status", "failed");
    await expect(cards.nth(n).locator(".fail"), "it opens by itself").toBeVisible();
    await expect(cards.nth(n).locator(".fail")).toContainText(text);
  }
  await expect(cards.nth(6)).toHaveAttribute("data-status", "completed");
  await expect(cards.nth(5).locator('.tl[data-status="retrying"]')).toHaveCount(2);
});

test("ten megabytes: a preview, all of it part by part, and a file", async ({ page, vitrine, javaScriptEnabled }) => {
  const url = await shown(page, vitrine, faults({ bytes: 10_000_000, lines: 30_000 }), javaScriptEnabled);
  const card = page.locator(".card");
  await card.locator(".card__head").click();
  const result = card.locator(".sec", { hasText: "Results" });
  await expect(result).toContainText("The whole result has 9.5 MB.");
  expect((await page.content()).length, "the page stays small").toBeLessThan(1_000_000);
  await expect(card.locator(".sec", { has: page.getByRole("heading", { name: "Output" }) })).toContainText("The whole output has");

  const id = await card.getAttribute("data-call-id");
  const file = await fetch(`${url.replace("/c/", "/api/conversations/")}/calls/${id}/result`);
  expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="result-[0-9a-f]{12}\.txt"$/);
  const body = Buffer.from(await file.arrayBuffer());
  expect(body.length).toBe(10_000_000);
  expect(Number(file.headers.get("content-length"))).toBe(10_000_000);

  await result.getByRole("link", { name: "Read all of it" }).click();
  await expect(page.locator(".part__bar").first()).toContainText("9.5 MB in all · part 1 of 306");
  await expect(page.locator(".part__hash")).toHaveText(`SHA-256 ${createHash("sha256").update(body).digest("hex")}`);
  const first = await page.locator(".part__text").textContent();
  expect(body.toString().startsWith(first!), "as it is, to the letter").toBe(true);
  await page.getByRole("link", { name: "Next part" }).click();
  await expect(page.locator(".part__bar").first()).toContainText("part 2 of 306");
  const second = await page.locator(".part__text").textContent();
  expect(body.toString().startsWith(first! + second!)).toBe(true);
  await page.getByRole("link", { name: "Back to the conversation" }).click();
  await expect(page.locator(".card")).toBeVisible();
});

test.describe("what is not there", () => {
  test.use({ allowed: /status of 404/ });

  test("what there is not cannot be read, and says so", async ({ page, vitrine }) => {
    const url = await vitrine.answered(faults({ key: "small" }));
    await page.goto(url);
    const id = await page.locator(".card").getAttribute("data-call-id");
    for (const [path, text] of [
      [`/calls/${id}/result?part=2`, "There is no part 2"],
      [`/calls/${id}/output`, "left nothing to read"],
      ["/calls/nobody/result", "no such call here"],
    ]) {
      const response = await page.goto(url + path);
      expect(response!.status()).toBe(404);
      await expect(page.locator(".hello__title")).toContainText(text);
    }
    await page.goto(`${url}/calls/${id}/result`);
    await expect(page.locator(".part__text"), "a small one can be read there, too").toContainText('"key": "small"');
  });
});

test("the same call is answered from the cache, and again without it", async ({ page, vitrine, javaScriptEnabled }) => {
  const question = faults({ tool: "fault_cached", key: `k${javaScriptEnabled}`, items: 3 });
  await shown(page, vitrine, question, javaScriptEnabled);
  await expect(page.locator(".badge", { hasText: "Cached" })).toHaveCount(0);
  await shown(page, vitrine, question, javaScriptEnabled);
  const cards = page.locator(".card");
  await expect(cards.locator(".badge", { hasText: "Cached" })).toHaveCount(1);
  await cards.locator(".card__head").click();
  await expect(cards).toContainText("The same call was");
  await page.getByRole("button", { name: "Run again without cache" }).click();
  await expect(cards).toHaveCount(2);
  // Without JavaScript the page was rendered when the call had just begun.
  await expect(async () => {
    if (javaScriptEnabled === false) await page.reload();
    await expect(cards.nth(1)).toHaveAttribute("data-status", "completed", { timeout: 500 });
  }).toPass();
  await expect(cards.nth(1).locator(".badge", { hasText: "Cached" })).toHaveCount(0);
  const order = await page.locator(".turn").last().locator(":scope > *").evaluateAll((all) => all.map((each) => each.className.split(" ")[0]));
  await expect(page.locator(".turn").last().locator(".run__piece > .tree"), "both are there").toHaveCount(2);
  expect(order.lastIndexOf("run"), "above the answer").toBeLessThan(order.length - 2);
  await page.reload();
  await expect(cards).toHaveCount(2);
});

test.describe("on a server that has seen nothing else", () => {
  test.use({ paceMs: 0 });

  test("a call that takes its time says how long is usual", async ({ page, slow, javaScriptEnabled }) => {
    await slow.answered(faults(...Array(5).fill({ slow_ms: 1200 })));
    await page.goto(await slow.ask(faults({ slow_ms: 5000 })));
    const usual = page.locator(".card__usual");
    const until = async (text: RegExp) =>
      expect(async () => {
        if (javaScriptEnabled === false) await page.reload();
        await expect(usual).toHaveText(text, { timeout: 200 });
      }).toPass();
    await until(/usually \d\.\d s|longer than usual/);
    await until(/longer than usual \(\d\.\d s\)/);
    // Nothing is unusual about a call that has ended.
    await until(/^$/);
  });
});

test("twenty calls at once wait for their turn, and say so", async ({ page, slow, javaScriptEnabled }) => {
  await page.goto(await slow.ask(faults(...Array(20).fill({ slow_ms: 400 }))));
  await expect(async () => {
    if (javaScriptEnabled === false) await page.reload();
    await expect(page.locator(".card__stage", { hasText: /Waiting behind \d+ others/ }).first()).toBeVisible({ timeout: 200 });
  }).toPass();
  expect(await page.locator('.card[data-status="starting"], .card[data-status="in_progress"]').count()).toBeLessThanOrEqual(4);
  await expect(async () => {
    if (javaScriptEnabled === false) await page.reload();
    await everything(page);
    await expect(page.locator('.card[data-status="completed"]')).toHaveCount(20, { timeout: 1000 });
  }).toPass({ timeout: 20_000 });
});

test("what a tool wrote is shown to the letter, also when it begins with a line break", async ({ page, vitrine, javaScriptEnabled }) => {
  const texts = ["\n", "\n\n second line", "<b>not bold</b> & so on"];
  await shown(page, vitrine, faults(...texts.map((says) => ({ says }))), javaScriptEnabled);
  for (const [n, text] of texts.entries()) {
    const written = page.locator(".card").nth(n).locator(".sec > pre.code");
    expect(await written.allTextContents(), "result and output").toEqual([text, text]);
  }
});
