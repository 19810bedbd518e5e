// What goes along with a question: files, notes, a prompt; and who decides when results go on. With and without JavaScript.

import { expect, test } from "../vitrine";

const CSV = { name: "bills.csv", mimeType: "text/csv", buffer: Buffer.from("bill\nH.R. 27\nS. 331\n") };

test("a file goes along with a question", async ({ page, vitrine }) => {
  await page.goto(vitrine.url);
  await page.getByLabel("Attach files").setInputFiles(CSV);
  await page.getByRole("textbox", { name: "Message" }).fill("What became of these?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForURL(/\/c\//);
  await expect(page.locator(".msg-user")).toContainText("bills.csv");
  await expect(async () => {
    if ((await page.locator(".meta").count()) === 0) await page.reload();
    await expect(page.locator(".msg-assistant")).toContainText("HALT Fentanyl Act", { timeout: 2000 });
  }).toPass();
  await expect(page.locator(".card")).toHaveCount(2);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: /bills\.csv/ }).click()]);
  expect(file.suggestedFilename()).toBe("bills.csv");
});

test("notes and the follow-up are arranged in a menu", async ({ page, vitrine }) => {
  await page.goto(await vitrine.answered("hello"));
  const menu = page.getByRole("button", { name: "Notes and settings" });
  await menu.click();
  await page.getByLabel("New note").fill("Only <b>the</b> Senate");
  await page.getByRole("button", { name: "Pin note" }).click();
  const open = async () => {
    // Without a script the page comes back with the menu closed.
    if (!(await page.getByLabel("New note").isVisible())) await menu.click();
  };
  await expect(page.locator(".notes li")).toHaveText("Only <b>the</b> Senate");
  await open();
  await page.getByLabel("With my next message").check();
  const save = page.getByRole("button", { name: "Save" });
  if (await save.isVisible()) await save.click();
  await expect(async () => {
    await page.reload();
    await expect(page.locator("input[value=with_next_message]")).toBeChecked({ timeout: 500 });
  }).toPass();
  await open();
  await page.getByRole("button", { name: "Remove note" }).click();
  await expect(page.locator(".notes li")).toHaveCount(0);
});

test("results wait until somebody has looked", async ({ page, connected, model }) => {
  model.plays({ text: "Hello.", calls: undefined }, { text: "A greeting" });
  const address = await connected.answered("hello");
  const conversation_id = address.split("/c/")[1];
  await fetch(`${connected.url}/api/set_follow_up`, { method: "POST", body: new URLSearchParams({ conversation_id, follow_up: "after_confirmation" }) });
  model.plays({ calls: [["search_bills", { query: "fentanyl" }]] });
  await page.goto(address);
  await page.getByRole("textbox", { name: "Message" }).fill("fentanyl?");
  await page.getByRole("button", { name: "Send" }).click();
  const send = page.getByRole("button", { name: "Send to the agent" });
  await expect(async () => {
    if (!(await send.isVisible())) await page.reload();
    await expect(send).toBeVisible({ timeout: 2000 });
  }).toPass();
  expect(JSON.stringify(model.asked.at(-1))).not.toContain("HALT Fentanyl Act");
  model.plays({ text: "Three bills are about it." });
  // The card whose result it is offers it, too.
  await page.locator(".card > summary").last().click();
  await page.locator(".card[open]").getByRole("button", { name: "Send to the agent" }).click();
  await expect(async () => {
    if ((await page.getByText("Three bills").count()) === 0) await page.reload();
    await expect(page.getByText("Three bills are about it.")).toBeVisible({ timeout: 2000 });
  }).toPass();
  expect(JSON.stringify(model.asked.at(-1))).toContain("HALT Fentanyl Act");
});
