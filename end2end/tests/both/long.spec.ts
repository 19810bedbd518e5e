// A long conversation can be read to its beginning, also page by page.

import { expect, test } from "../vitrine";

test("older turns have pages of their own", async ({ page, vitrine }) => {
  const made = await (await fetch(`${vitrine.url}/bench/history?cards=205`, { method: "POST" })).text();
  await page.goto(`${vitrine.url}${made}/before/6`);
  await expect(page.locator("h1")).toContainText("turns 3 to 6");
  await expect(page.getByText("Question 6", { exact: true })).toBeVisible();
  await page.locator(".card > summary").first().click();
  await expect(page.locator(".card").first().locator(".card__body")).toBeVisible();
  await page.getByRole("link", { name: "Earlier turns (2)" }).click();
  await expect(page.getByText("Question 1", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Earlier turns/ })).toHaveCount(0);
  await page.getByRole("link", { name: "The newest turns" }).click();
  await expect(page.getByText("Question 21", { exact: true })).toBeVisible();
});
