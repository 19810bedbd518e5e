// Which tools the agent may use is chosen beside the composer, and holds until it is chosen otherwise.

import { alive, expect, test } from "../vitrine";

test("a tool that is switched off is not used", async ({ page, vitrine, javaScriptEnabled }) => {
  await page.goto(vitrine.url);
  if (javaScriptEnabled !== false) await alive(page);
  await page.getByRole("button", { name: "Tools" }).click();
  await page.getByRole("checkbox", { name: "Bill details" }).uncheck();
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Message" }).fill("What is H.R. 4405?");
  await page.getByRole("button", { name: "Send" }).click();
  const card = page.locator(".card").first();
  await expect(card).toHaveAttribute("data-status", "failed", { timeout: 15_000 });
  await expect(card.locator(".fail")).toContainText("There is no tool");
  await page.getByRole("button", { name: "Tools" }).click();
  await expect(page.getByRole("checkbox", { name: "Bill details" })).not.toBeChecked();
  await page.getByRole("checkbox", { name: "Bill details" }).check();
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Message" }).fill("What is H.R. 4405?");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.locator(".card").last()).toHaveAttribute("data-status", "completed", { timeout: 15_000 });
});
