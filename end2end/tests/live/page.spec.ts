// What only a live page does: keys, drafts, copying, what it remembers. And what only a page without a script does.

import { alive, expect, test } from "../vitrine";

test("keys: search, cards, the list of keys, stop", async ({ page, slow }) => {
  await page.goto(await slow.answered("veterans"));
  await alive(page);
  await page.locator("h1").click();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.locator("h1").click();
  await page.keyboard.press("j");
  await expect(page.locator(".card > summary").first()).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("region", { name: "Keyboard shortcuts" }).or(page.locator("#shortcuts"))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator("#shortcuts")).toBeHidden();
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Research fentanyl");
  await page.keyboard.press("Enter");
  await expect(page.getByPlaceholder("It goes in before the next step")).toBeVisible();
  await page.locator(".turn").last().locator(".card").first().waitFor();
  await page.keyboard.press("Escape");
  await expect(page.locator(".meta summary").last()).toContainText("Stopped");
});

test("what was asked comes back with the arrow, what was typed after a reload", async ({ page, vitrine }) => {
  await page.goto(await vitrine.answered("hello"));
  await alive(page);
  const field = page.getByRole("textbox", { name: "Message" });
  await field.press("ArrowUp");
  await expect(field).toHaveValue("hello");
  await field.fill("half a quest");
  await page.reload();
  await alive(page);
  await expect(field).toHaveValue("half a quest");
  await field.fill("thanks");
  await field.press("Enter");
  await expect(page.locator(".msg-user").last()).toHaveText("thanks");
  await page.reload();
  await alive(page);
  await expect(field).toHaveValue("");
});

test("a card stays as one left it, also after a reload", async ({ page, vitrine }) => {
  await page.goto(await vitrine.answered("veterans"));
  await alive(page);
  const card = page.locator(".card").first();
  await card.locator("> summary").click();
  await expect(card).toHaveAttribute("open", "");
  await page.reload();
  await alive(page);
  await expect(card).toHaveAttribute("open", "");
});

test("results and arguments can be copied", async ({ page, vitrine, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(await vitrine.answered("What is H.R. 4405?"));
  await alive(page);
  await page.locator(".card > summary").click();
  await page.getByRole("button", { name: "Copy arguments" }).click();
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toMatchObject({ bill: "H.R. 4405" });
});

test("the server hears when cards are seen", async ({ page, slow }) => {
  await page.goto(slow.url);
  await alive(page);
  await page.getByRole("textbox", { name: "Message" }).fill("veterans");
  await page.keyboard.press("Enter");
  await expect(page.locator(".card")).toHaveAttribute("data-status", "completed");
  await expect(async () => {
    const { count, p50_ms } = await (await page.request.get(`${slow.url}/api/load_receipts`)).json();
    expect(count).toBe(1);
    expect(p50_ms).toBeLessThan(1000);
  }).toPass();
  await page.goto(`${slow.url}/settings`);
  await expect(page.getByText(/Your cards appear after \d+ ms/)).toBeVisible();
  expect(await (await page.request.get(`${slow.url}/metrics`)).text()).toContain("vitrine_card_visible_seconds_count 1");
});

test("a page that was asked on does not load itself again", async ({ page, slow }) => {
  await page.goto(slow.url);
  await alive(page);
  // Long after the page has come to life.
  await expect.poll(() => page.evaluate(() => performance.now())).toBeGreaterThan(1000);
  await page.getByRole("textbox", { name: "Message" }).fill("veterans");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/c\//);
  await expect(page.locator("meta[http-equiv=refresh]")).toHaveCount(0);
});

test("who reads further up is not moved, but told", async ({ page, connected, model }) => {
  const long = Array.from({ length: 60 }, (_, n) => `Paragraph ${n}.\n\n`).join("");
  let go = () => {};
  const until = new Promise<void>((resolve) => (go = resolve));
  model.plays({ text: long }, { text: "Long" });
  await page.goto(await connected.answered("At length, please"));
  await alive(page);
  model.plays({ reasoning: "Hm. ", until, text: long });
  await page.getByRole("textbox", { name: "Message" }).fill("More");
  await page.keyboard.press("Enter");
  await expect(page.locator(".thoughts").last()).toBeVisible();
  await page.evaluate(() => scrollTo(0, 0));
  const below = page.getByRole("button", { name: "New below" });
  await expect(below).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await below.click();
  await expect(below).toBeHidden();
  go();
  await expect(page.getByText("Paragraph 59.").last()).toBeInViewport();
});

test("results that nobody knows are shown as what they are", async ({ page, vitrine }) => {
  const orders = [{ says: "# Title\n\n**bold** <b>not</b>" }, { items: 3 }];
  await page.goto(await vitrine.answered(`faults ${JSON.stringify(orders)}`));
  await alive(page);
  for (const summary of await page.locator(".card > summary").all()) await summary.click();
  await expect(page.locator(".card").first().locator(".prose strong")).toHaveText("bold");
  await expect(page.locator(".card").first().locator(".prose")).toContainText("<b>not</b>");
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false, allowed: /preload/ });

  test("a page on which something goes on looks again by itself", async ({ page, slow }) => {
    await page.goto(await slow.ask("Research fentanyl"));
    await expect(page.locator("meta[http-equiv=refresh]")).toHaveCount(1);
    await expect(page.locator(".meta summary")).toContainText("Assistant", { timeout: 25_000 });
    await expect(page.locator("meta[http-equiv=refresh]")).toHaveCount(0);
  });
});

test("nothing is wider than a small phone", async ({ page, vitrine }) => {
  const pages = [vitrine.url, `${vitrine.url}/settings`, await vitrine.answered("Research fentanyl"), await vitrine.answered("H.R. 99999")];
  await page.setViewportSize({ width: 320, height: 640 });
  for (const address of pages) {
    await page.goto(address);
    await alive(page);
    await page.locator(".card > summary").evaluateAll((all) => all.forEach((summary) => (summary.parentElement as HTMLDetailsElement).open ||  (summary as HTMLElement).click()));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wide, address).toBeLessThanOrEqual(0);
  }
});
