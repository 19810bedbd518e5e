// The research desk: every tool's result is shown as people would write it, with JavaScript and without.

import { alive, expect, test } from "../vitrine";

const QUESTIONS = [
  { question: "What is H.R. 4405?", tool: "Bill details", shows: ["Epstein Files Transparency Act", "Became law", "Rep. Ro Khanna", "Jul 15, 2025"] },
  { question: "Compare H.R. 27 with S. 331", tool: "Compare bills", shows: ["H.R. 27", "S. 331", "Common subjects"] },
  { question: "Executive orders by Biden on artificial intelligence", tool: "Search executive actions", shows: ["EO 14110", "Joe Biden"] },
  { question: "What is Executive Order 14110?", tool: "Executive action details", shows: ["Safe, Secure, and Trustworthy", "Oct 30, 2023"] },
  { question: "Which sponsors are from Alaska?", tool: "Available sponsors", shows: ["Sen. Dan Sullivan", "R-AK"] },
  { question: "Which topics are there?", tool: "Available topics", shows: ["Taxation", "Showing 40 of"] },
  { question: "List the statuses", tool: "Available statuses", shows: ["Became law", "In committee"] },
];

for (const { question, tool, shows } of QUESTIONS) {
  test(`${tool}: ${question}`, async ({ page, vitrine, javaScriptEnabled }) => {
    await page.goto(await vitrine.answered(question));
    if (javaScriptEnabled !== false) await alive(page);
    const card = page.locator(".card");
    await expect(card.locator(".card__title")).toContainText(tool);
    await card.locator(".card__head").click();
    for (const text of shows) await expect(card.locator(".sec").first()).toContainText(text);
    await expect(card.locator(".raw > pre").first()).toBeHidden();
    await card.locator(".raw > summary").last().click();
    await expect(card.locator(".raw > pre").last(), "the JSON is one click away").toContainText("{");
  });
}

test("research stands above the calls it made, each with a card of its own", async ({ page, vitrine, javaScriptEnabled }) => {
  await page.goto(await vitrine.answered("Research fentanyl"));
  if (javaScriptEnabled !== false) await alive(page);
  const titles = page.locator(".card__title > :first-child");
  await expect(titles).toHaveText(["Plan", "Research topic", "Search bills", "Search executive actions", ...Array(3).fill("Bill details"), "Plan", "Compare bills", "Plan"]);
  await expect(page.locator(".plan summary")).toContainText("2 of 2 done");
  const [parent, child] = [page.locator(".card").nth(1), page.locator(".card").nth(2)];
  const indent = (await child.boundingBox())!.x - (await parent.boundingBox())!.x;
  expect(indent).toBe(30);
  await parent.locator("> .card__head").click();
  await expect(parent.locator(".sec").first()).toContainText("HALT Fentanyl Act");
});

test("a search says what it tried, and words that it did not find as they were", async ({ page, vitrine, javaScriptEnabled }) => {
  await page.goto(await vitrine.answered("vetrans menopause"));
  if (javaScriptEnabled !== false) await alive(page);
  await page.locator(".card__head").click();
  await expect(page.locator(".card table").first()).toContainText("Servicewomen and Veterans Menopause Research Act");
  await expect(page.locator(".results__note")).not.toBeEmpty();
  await expect(page.locator(".tl", { hasText: "Refining search" }).first()).toContainText("Query:");
});

test.describe("with time to step in", () => {
  test.use({ paceMs: 2000 });

  test("a run can be stopped, and so can a single call", async ({ page, slow, javaScriptEnabled }) => {
    await page.goto(await slow.ask("Research fentanyl"));
    if (javaScriptEnabled !== false) await alive(page);
    // Without JavaScript a page shows what there was when it was loaded, so one looks again.
    const until = async (check: () => Promise<void>) =>
      expect(async () => {
        if (javaScriptEnabled === false) await page.reload();
        await check();
      }).toPass();
    const [parent, child] = [page.locator(".card", { hasText: "Research topic" }).first(), page.locator(".card", { hasText: "Search bills" }).first()];
    await until(() => expect(child).toBeVisible({ timeout: 500 }));
    await child.locator("> .card__head").click();
    await child.getByRole("button", { name: "Cancel this call" }).click();
    await until(() => expect(child).toHaveAttribute("data-status", "cancelled", { timeout: 500 }));
    await page.getByRole("button", { name: "Stop" }).click();
    await until(() => expect(page.locator(".meta")).toContainText("Stopped", { timeout: 500 }));
    await expect(parent).toHaveAttribute("data-status", "cancelled");
  });
});
