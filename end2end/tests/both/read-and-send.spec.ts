// Reading and sending: the same with JavaScript and without.

import type { Page } from "@playwright/test";
import { alive, expect, test } from "../vitrine";

/** With JavaScript, the page is first to come alive: otherwise one would test the browser's own form. */
async function visit(page: Page, url: string, javaScriptEnabled: boolean | undefined) {
  const response = await page.goto(url);
  if (javaScriptEnabled !== false) await alive(page);
  return response!;
}

/** Without JavaScript a page shows what there was when it was loaded, so one looks again. */
async function untilShown(page: Page, selector: string, javaScriptEnabled: boolean | undefined) {
  if (javaScriptEnabled !== false) return expect(page.locator(selector).first()).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.locator(selector).first()).toBeVisible({ timeout: 500 });
  }).toPass();
}

test("a question is asked, its card can be opened, and its answer read", async ({ page, vitrine, javaScriptEnabled }) => {
  await visit(page, vitrine.url, javaScriptEnabled);
  await expect(page).toHaveTitle("Vitrine");
  await page.getByRole("textbox", { name: "Message" }).fill("fentanyl zebra");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.waitForURL("**/c/**");
  await untilShown(page, ".card[data-status=completed]", javaScriptEnabled);
  await untilShown(page, ".meta", javaScriptEnabled);

  const card = page.locator(".card");
  await expect(card.locator(".card__title")).toContainText("Search bills");
  await expect(card.locator(".card__stage")).toHaveText(/^\d+ bills found · 5 iterations$/);
  await expect(card.locator(".timeline")).toBeHidden();
  await card.locator(".card__head").click();
  await expect(card.locator(".tl")).toHaveCount(17);
  await expect(card.locator(".timeline")).toBeVisible();
  await expect(card.getByRole("table")).toContainText("HALT Fentanyl Act");
  await expect(page.locator(".msg-assistant")).toContainText(/S. 331 \(119th\)HALT Fentanyl Act.*Became law/);
  await expect(page).toHaveTitle("fentanyl zebra · Vitrine");

  // And once more, in the same conversation.
  await page.getByRole("textbox", { name: "Message" }).fill("rural broadband");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await untilShown(page, ".turn:nth-of-type(2) .meta", javaScriptEnabled);
  await expect(page.locator(".msg-user")).toHaveText(["fentanyl zebra", "rural broadband"]);
});

test("an example on the start page is a question like any other", async ({ page, vitrine, javaScriptEnabled }) => {
  await visit(page, vitrine.url, javaScriptEnabled);
  await page.getByRole("button", { name: "Which bills are about veterans?" }).click();
  await page.waitForURL("**/c/**");
  await untilShown(page, ".card[data-status=completed]", javaScriptEnabled);
  await expect(page.locator(".msg-user")).toHaveText("Which bills are about veterans?");
});

test("a failed call is open, says what happened and what to do", async ({ page, vitrine, javaScriptEnabled }) => {
  await visit(page, await vitrine.answered("H.R. 99999"), javaScriptEnabled);
  const card = page.locator(".card[data-status=failed]");
  await expect(card).toHaveAttribute("open", "");
  await expect(card.locator(".fail__what")).toBeVisible();
  await expect(card.locator(".fail")).toContainText("99999");
  await expect(card.locator(".fail")).toContainText("Ask again");
});

test("what is asked before is in the list", async ({ page, vitrine, javaScriptEnabled }) => {
  const first = await vitrine.answered("a question about water");
  await visit(page, vitrine.url, javaScriptEnabled);
  await page.getByRole("link", { name: "a question about water" }).first().click();
  await expect(page).toHaveURL(first);
  await expect(page.locator(".msg-user")).toHaveText("a question about water");
});

test("nothing typed is refused with a sentence", async ({ page, vitrine, javaScriptEnabled }) => {
  await visit(page, await vitrine.answered("fentanyl"), javaScriptEnabled);
  await page.getByRole("textbox", { name: "Message" }).fill("   ");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveText("Type a question first.");
});

test("what is not there says so, and leads on", async ({ page, vitrine, javaScriptEnabled }) => {
  for (const path of ["/nowhere", "/c/nonsense", "/c/01a1e340-84bc-77e6-bd9a-4cfeae30d9b7"]) {
    const response = await visit(page, vitrine.url + path, javaScriptEnabled);
    expect(response.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
    await expect(page.getByRole("link", { name: "New chat" })).toBeVisible();
  }
});
test.use({ allowed: /Failed to load resource: the server responded with a status of (404|422)/ });

test("text stays text", async ({ page, vitrine, javaScriptEnabled }) => {
  const nasty = `</title><img src=x onerror="document.body.remove()"><script>document.body.remove()</script> fentanyl`;
  await visit(page, await vitrine.answered(nasty), javaScriptEnabled);
  await expect(page.locator(".msg-user")).toHaveText(nasty);
  await expect(page.locator(".card__args")).toContainText("<img");
  await expect(page.locator("img")).toHaveCount(0);
});

test("no page is wider than a small phone", async ({ page, vitrine, javaScriptEnabled }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const url of [vitrine.url, await vitrine.answered("veterans"), await vitrine.answered("?")]) {
    await visit(page, url, javaScriptEnabled);
    for (const summary of await page.locator(".card:not([open]) > summary").all()) await summary.click();
    const [inner, whole] = await page.locator("html").evaluate((html) => [html.clientWidth, html.scrollWidth]);
    expect(whole, url).toBeLessThanOrEqual(inner!);
  }
});
