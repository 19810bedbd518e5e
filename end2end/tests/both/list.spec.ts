// The list of conversations, settings, and what a page does by itself. With and without JavaScript.

import { alive, expect, test } from "../vitrine";

test("conversations are found by what was said, and by their title", async ({ page, vitrine, javaScriptEnabled }) => {
  const address = await vitrine.answered("What is Executive Order 14110?");
  await page.goto(vitrine.url);
  if (javaScriptEnabled !== false) await alive(page);
  const field = page.getByRole("searchbox", { name: "Search conversations" });
  await field.fill("trustworthy");
  if (javaScriptEnabled === false) await field.press("Enter");
  const found = page.locator(".convs .conv");
  await expect(found.first()).toContainText("What is Executive Order 14110?");
  await expect(found.first().locator("mark").first()).toHaveText("Trustworthy");
  await found.first().click();
  await expect(page).toHaveURL(new RegExp(new URL(address).pathname));
});

test("a conversation is renamed, deleted, and brought back", async ({ page, vitrine, javaScriptEnabled }) => {
  const address = await vitrine.answered("hello");
  await page.goto(address);
  if (javaScriptEnabled !== false) await alive(page);
  const menu = page.getByRole("button", { name: "Notes and settings" });
  await menu.click();
  await page.getByLabel("Title", { exact: true }).fill("A <i>greeting</i>");
  await page.getByRole("button", { name: "Rename" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A <i>greeting</i>");
  if (!(await page.getByRole("button", { name: "Delete this conversation" }).isVisible())) await menu.click();
  await page.getByRole("button", { name: "Delete this conversation" }).click();
  await expect(page.getByText("The conversation is deleted.")).toBeVisible();
  expect((await page.request.get(address)).status()).toBe(404);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A <i>greeting</i>");
});

test("a theme holds from the first byte on", async ({ page, vitrine, javaScriptEnabled }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(`${vitrine.url}/settings`);
  if (javaScriptEnabled !== false) await alive(page);
  await page.getByLabel("Dark").check();
  await page.getByLabel("Compact").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.goto(vitrine.url);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("html")).toHaveAttribute("data-density", "compact");
  expect(await page.locator("html").evaluate((html) => getComputedStyle(html).colorScheme)).toBe("dark");
});

test("calls of one step stand under a line that counts them, and in the activity panel", async ({ page, vitrine, javaScriptEnabled }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(await vitrine.answered("Research fentanyl"));
  if (javaScriptEnabled !== false) await alive(page);
  await expect(page.locator(".run__head").first()).toContainText(/5 calls · /);
  const panel = page.getByRole("complementary", { name: "Activity" });
  await expect(panel.getByRole("heading", { name: "This run" })).toBeVisible();
  await expect(panel.locator(".wf__label")).toContainText(["Model", "Plan", "Research topic", "Search bills"]);
  await expect(panel.locator(".totals")).toContainText("Calls10");
  // A row leads to its card.
  const row = panel.locator(".wf__row", { hasText: "Compare bills" });
  await row.click();
  await expect(page).toHaveURL(/#call_/);
  await expect(page.locator(".card:target")).toContainText("Compare bills");
  // It can be put away.
  await page.getByRole("switch", { name: "Activity panel" }).uncheck();
  await expect(panel).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Open activity" }).click();
  await expect(panel).toBeVisible();
});
