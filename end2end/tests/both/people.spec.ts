// A person in the loop: allowing, denying, answering, changing one's mind. With and without JavaScript.

import { expect, test, type Vitrine } from "../vitrine";
import type { Page } from "@playwright/test";

const asks = (order: object) => `faults [${JSON.stringify({ tool: "fault_asks", ...order })}]`;

async function ask(page: Page, vitrine: Vitrine, question: string) {
  await page.goto(vitrine.url);
  await page.getByRole("textbox", { name: "Message" }).fill(question);
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForURL(/\/c\//);
}

/** Looks until it is so; without a script somebody has to look again. */
async function until(page: Page, look: () => Promise<void>) {
  await expect(async () => {
    try {
      await look();
    } catch (problem) {
      await page.reload();
      throw problem;
    }
  }).toPass({ timeout: 25_000 });
}

const card = (page: Page, status: string) => page.locator(`.card[data-status="${status}"]`);

test("what changes something waits for a yes, and says what it will do", async ({ page, vitrine }) => {
  await ask(page, vitrine, asks({ key: "yes", says: "it is done" }));
  await until(page, () => expect(card(page, "awaiting_approval")).toBeVisible({ timeout: 3000 }));
  await expect(page.locator(".ask__lede")).toHaveText("Run “Fault asks”?");
  await expect(page.locator(".will")).toContainText("Says: it is done");
  await expect(page.locator(".facts")).toContainText("each time it runs");
  await expect(page.locator(".conv[aria-current] .sr-only")).toHaveText(/need|wait/i);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await until(page, () => expect(card(page, "completed")).toBeVisible({ timeout: 3000 }));
  await card(page, "completed").locator("summary").first().click();
  await expect(page.locator(".said")).toHaveText("You allowed it, once.");
  await until(page, () => expect(page.locator(".conv[aria-current] .sr-only")).toHaveCount(0, { timeout: 3000 }));
});

test("what is denied does not run, and the reason is there", async ({ page, vitrine }) => {
  await ask(page, vitrine, asks({ key: "no" }));
  await until(page, () => expect(card(page, "awaiting_approval")).toBeVisible({ timeout: 3000 }));
  await page.getByText("Deny with a reason").click();
  await page.getByLabel("Why not? The agent is told").fill("not <b>today</b>");
  await page.locator("details[open]", { hasText: "Deny with a reason" }).getByRole("button", { name: "Deny" }).last().click();
  await until(page, () => expect(card(page, "denied")).toBeVisible({ timeout: 3000 }));
  await expect(card(page, "denied").locator(".card__stage")).toHaveText("Denied by you · not <b>today</b>");
});

test.describe("a refusal is an answer", () => {
  test.use({ allowed: /422/ });

  test("arguments are changed before they are allowed; what cannot be is refused, and nothing is lost", async ({ page, vitrine }) => {
    await ask(page, vitrine, asks({ key: "edit", says: "one" }));
    await until(page, () => expect(card(page, "awaiting_approval")).toBeVisible({ timeout: 3000 }));
    const edit = async (text: string) => {
      const field = page.getByLabel("Exact arguments, as JSON");
      if (!(await field.isVisible())) await page.getByText("Edit and approve").click();
      await field.fill(text);
      await page.getByRole("button", { name: "Approve as edited" }).click();
    };
    await edit('{"mood": "good"}');
    await expect(page.locator(".ask .composer__problem")).toContainText("mood is not known here");
    await edit('{"key": "edit", "says": "two"}');
    await until(page, () => expect(card(page, "completed")).toBeVisible({ timeout: 3000 }));
    await card(page, "completed").locator("summary").first().click();
    await expect(page.locator(".said")).toHaveText("You changed the arguments and allowed it, once.");
    await expect(page.locator(".sec", { hasText: "Results" }).first()).toContainText("two");
  });
});

test("a permission is given for longer, listed, and taken back", async ({ page, slow }) => {
  await ask(page, slow, asks({ key: "always" }));
  await until(page, () => expect(card(page, "awaiting_approval")).toBeVisible({ timeout: 3000 }));
  await page.getByRole("radio", { name: "Always" }).check();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await until(page, () => expect(card(page, "completed")).toBeVisible({ timeout: 3000 }));
  await ask(page, slow, asks({ key: "again" }));
  await until(page, () => expect(card(page, "completed")).toBeVisible({ timeout: 3000 }));
  await card(page, "completed").locator("summary").first().click();
  await expect(page.locator(".said")).toContainText("You have allowed this tool always");
  await page.goto(`${slow.url}/settings`);
  await expect(page.locator(".grant")).toHaveText(/Fault asks.*fault_asks.*built in.*Always/);
  await page.getByRole("button", { name: "Revoke Fault asks" }).click();
  await expect(page.locator(".grant")).toHaveCount(0);
  await ask(page, slow, asks({ key: "once more" }));
  await until(page, () => expect(page.locator(".ask__why")).toContainText("You took back your permission", { timeout: 3000 }));
});

test("the agent asks with a form", async ({ page, vitrine }) => {
  await ask(page, vitrine, "Help me find a bill");
  await until(page, () => expect(card(page, "awaiting_input")).toBeVisible({ timeout: 3000 }));
  await expect(page.locator(".ask__lede")).toHaveText("What kind of bill are you looking for?");
  await page.getByLabel("What is it about?").fill("fentanyl");
  await page.getByRole("radio", { name: "House" }).check();
  await page.getByLabel("Congress").fill("119");
  await page.getByRole("button", { name: "Send answer" }).click();
  await until(page, () => expect(page.locator(".msg-assistant").last()).toContainText("HALT Fentanyl Act", { timeout: 3000 }));
  const [answered, searched] = [page.locator(".card").nth(0), page.locator(".card").nth(1)];
  await expect(searched.locator(".card__title")).toContainText("Search bills");
  await answered.locator("summary").first().click();
  await expect(answered.locator(".kv").first()).toContainText("fentanyl");
});

test("a question can be skipped", async ({ page, vitrine }) => {
  await ask(page, vitrine, "Help me find a bill");
  await until(page, () => expect(card(page, "awaiting_input")).toBeVisible({ timeout: 3000 }));
  await page.getByRole("button", { name: "Skip" }).click();
  await until(page, () => expect(page.locator(".msg-assistant").last()).toContainText("You skipped the question", { timeout: 3000 }));
});

test("a call is run again with other arguments, and its result left out", async ({ page, vitrine }) => {
  await page.goto(await vitrine.answered("faults [{\"says\": \"one\"}]"));
  const first = page.locator(".card").first();
  await first.locator("summary").first().click();
  await first.getByText("Edit and run again").click();
  await first.getByLabel("Arguments, as JSON").fill('{"says": "two"}');
  await first.getByRole("button", { name: "Run with these" }).click();
  await until(page, () => expect(page.locator('.card[data-status="completed"]')).toHaveCount(2, { timeout: 3000 }));
  await expect(page.locator(".card").nth(1).locator(".card__args")).toContainText("two");
  if ((await first.getAttribute("open")) === null) await first.locator("summary").first().click();
  await first.getByRole("button", { name: "Leave the result out" }).click();
  await until(page, async () => {
    if ((await first.getAttribute("open")) === null) await first.locator("summary").first().click();
    await expect(first.getByRole("button", { name: "Take the result in again" })).toBeVisible({ timeout: 3000 });
  });
});

test("a conversation branches", async ({ page, vitrine }) => {
  const address = await vitrine.answered("Which bills are about veterans?");
  await page.goto(address);
  await page.locator(".meta > summary").click();
  await page.getByRole("button", { name: "Branch from here" }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/c/") && !address.endsWith(url.pathname));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Which bills are about veterans? (branch)");
  await expect(page.locator(".msg-user")).toHaveText("Which bills are about veterans?");
  await expect(page.getByRole("link", { name: "another conversation" })).toHaveAttribute("href", new URL(address).pathname);
});

test("what waits can be changed and withdrawn", async ({ page, connected, model }) => {
  // It waits for a yes, and so does the agent's next step.
  model.plays({ calls: [["fault_asks", { key: "queue" }]] }, { text: "Both." });
  await ask(page, connected, "First");
  await until(page, () => expect(card(page, "awaiting_approval")).toBeVisible({ timeout: 3000 }));
  for (const text of ["Secnd", "Never mind"]) {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.locator(".msg-user", { hasText: text })).toBeVisible();
  }
  const turn = (text: string) => page.locator(".turn", { hasText: text });
  await turn("Never mind").getByRole("button", { name: "Withdraw" }).click();
  await expect(turn("Never mind")).toHaveCount(0);
  await turn("Secnd").getByText("Edit", { exact: true }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("Second");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator(".msg-user").nth(1)).toHaveText("Second");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await until(page, () => expect(page.locator(".msg-assistant")).toContainText("Both.", { timeout: 3000 }));
  await expect(page.locator(".turn")).toHaveCount(1);
  await expect(page.locator(".msg-user")).toHaveText(["First", "Second"]);
});
