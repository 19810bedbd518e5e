// A person in the loop, live: two tabs, a server that dies, and tools that run in the page.

import { readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { alive, expect, test, type Vitrine } from "../vitrine";

async function ask(page: Page, vitrine: Vitrine, question: string) {
  await page.goto(vitrine.url);
  await alive(page);
  await page.getByRole("textbox", { name: "Message" }).fill(question);
  await page.getByRole("textbox", { name: "Message" }).press("Enter");
  await page.waitForURL(/\/c\//);
}

const ASKS = 'faults [{"tool": "fault_asks", "key": "a", "says": "done"}]';
const starts = (vitrine: Vitrine) => {
  try {
    return readFileSync(vitrine.file("ledger.txt"), "utf8").split("\n").filter((line) => line.startsWith("fault_asks")).length;
  } catch {
    return 0;
  }
};

test.describe("of two, one is told that it was too late", () => {
  // Or finds that there is nothing to click any more.
  test.use({ allowed: /422|form is not connected/ });

  test("two tabs, one approval, one execution", async ({ page, context, slow }) => {
    await ask(page, slow, ASKS);
    const approve = (page: Page) => page.getByRole("button", { name: "Approve", exact: true });
    await expect(approve(page)).toBeVisible();
    const other = await context.newPage();
    await other.goto(page.url());
    await alive(other);
    await expect(approve(other)).toBeVisible();
    // As close together as two people can be.
    await Promise.all([page, other].map((each) => approve(each).evaluate((button: HTMLButtonElement) => button.click())));
    for (const each of [page, other]) {
      await expect(each.locator(".card")).toHaveAttribute("data-status", "completed");
      await expect(each.locator(".ask")).toHaveCount(0);
    }
    expect(starts(slow)).toBe(1);
  });
});

test.describe("while the server is away", () => {
  test.use({ allowed: /ERR_CONNECTION_REFUSED|Failed to load resource|ERR_INCOMPLETE_CHUNKED|net::ERR/ });

  test("a question waits over a restart", async ({ page, slow }) => {
    await ask(page, slow, ASKS);
    await expect(page.getByRole("button", { name: "Approve", exact: true })).toBeVisible();
    await slow.kill();
    await slow.start();
    await page.reload();
    await alive(page);
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await expect(page.locator(".card")).toHaveAttribute("data-status", "completed", { timeout: 20_000 });
    expect(starts(slow)).toBe(1);
  });

  test("approved, and killed at once: it runs once, and the page tells the truth", async ({ page, slow }) => {
    await ask(page, slow, ASKS);
    await expect(page.getByRole("button", { name: "Approve", exact: true })).toBeVisible();
    const [conversation_id, call_id] = [page.url().split("/c/")[1], await page.locator(".card").getAttribute("id")];
    const fields = new URLSearchParams({ conversation_id, call_id: call_id!, decision: "approve" });
    await fetch(`${slow.url}/api/approve_call`, { method: "POST", body: fields });
    await slow.kill();
    await slow.start();
    await expect(page.locator(".card")).toHaveAttribute("data-status", /completed|failed/, { timeout: 20_000 });
    expect(starts(slow)).toBeLessThanOrEqual(1);
    const status = await page.locator(".card").getAttribute("data-status");
    if (status === "completed") expect(starts(slow)).toBe(1);
    else await expect(page.locator(".fail")).toContainText("The outcome is unknown");
  });
});

test("it is answered by keyboard, and the focus stays at the card", async ({ page, vitrine }) => {
  await ask(page, vitrine, ASKS);
  const approve = page.getByRole("button", { name: "Approve", exact: true });
  await expect(approve).toBeVisible();
  await approve.focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".card")).toHaveAttribute("data-status", "completed");
  await expect(page.locator(".card > summary")).toBeFocused();
});

test("an answer that comes too late is told so", async ({ page, vitrine }) => {
  await ask(page, vitrine, ASKS);
  await expect(page.getByRole("button", { name: "Approve", exact: true })).toBeVisible();
  const [conversation_id, call_id] = [page.url().split("/c/")[1], (await page.locator(".card").getAttribute("id"))!];
  const decide = async (decision: string) => {
    const fields = new URLSearchParams({ conversation_id, call_id, decision });
    return (await fetch(`${vitrine.url}/api/approve_call`, { method: "POST", body: fields })).text();
  };
  await decide("deny");
  await expect(page.locator(".card")).toHaveAttribute("data-status", "denied");
  expect(await decide("approve")).toContain("denied already");
});

test("stop says what was stopped", async ({ page, vitrine }) => {
  await ask(page, vitrine, 'faults [{"slow_ms": 9000}, {"slow_ms": 9000, "key": "b"}]');
  await expect(page.locator('.card[data-status="starting"]')).toHaveCount(2);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.locator(".meta > summary")).toContainText("2 calls were stopped: Fault, Fault.");
});

test("the page tells the time, and where it is", async ({ page, vitrine }) => {
  await ask(page, vitrine, "What time is it?");
  await expect(page.locator(".msg-assistant")).toContainText("where you are (");
  await expect(page.locator(".card__title")).toContainText("Get local time");
  await page.getByRole("textbox", { name: "Message" }).fill("Which page is this?");
  await page.getByRole("textbox", { name: "Message" }).press("Enter");
  await expect(page.locator(".msg-assistant").last()).toContainText(new URL(page.url()).pathname);
});

test.describe("with leave to write to the clipboard", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });

  test("an answer is copied and saved, with a click each", async ({ page, vitrine }) => {
    await page.goto(await vitrine.answered("hello"));
    await alive(page);
    const said = async (text: string) => {
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.getByRole("textbox", { name: "Message" }).press("Enter");
    };
    await said("Copy that");
    await page.locator(".ask").getByRole("button", { name: "Copy", exact: true }).click();
    await expect(page.locator(".msg-assistant").last()).toContainText("Copied");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.length).toBeGreaterThan(20);
    await said("Download the answer");
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".ask").getByRole("button", { name: "Download" }).click()]);
    expect(file.suggestedFilename()).toBe("answer.md");
    await expect(page.locator(".msg-assistant").last()).toContainText("Saved as “answer.md”");
    await said("Copy that");
    await page.locator(".ask").getByRole("button", { name: "Skip" }).click();
    await expect(page.locator(".msg-assistant").last()).toContainText("Skipped");
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.filter((each) => ["serious", "critical"].includes(each.impact ?? "")).map((each) => each.id)).toEqual([]);
  });
});

test("a file of the person's choice is read", async ({ page, vitrine }) => {
  await ask(page, vitrine, "Pick a file");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Choose a file" }).click()]);
  await chooser.setFiles({ name: "mine.txt", mimeType: "text/plain", buffer: Buffer.from("Water law <b>notes</b>") });
  await expect(page.locator(".msg-assistant")).toContainText("Read “mine.txt” (22 bytes)");
  await expect(page.locator(".msg-assistant code")).toContainText("Water law <b>notes</b>");
});

test.describe("with leave to notify", () => {
  test.use({ permissions: ["notifications"] });

  test("a notification is shown without asking again", async ({ page, vitrine }) => {
    await ask(page, vitrine, "Notify me");
    await expect(page.locator(".msg-assistant")).toContainText("Shown in your browser");
    await expect(page.locator(".ask")).toHaveCount(0);
  });
});

test("of several tabs the one that asked runs it; when it goes, the newest does", async ({ page, context, vitrine }) => {
  await page.goto(await vitrine.answered("hello"));
  await alive(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await alive(other);
  await page.bringToFront();
  await page.getByRole("textbox", { name: "Message" }).fill("Copy that");
  await page.getByRole("textbox", { name: "Message" }).press("Enter");
  await expect(page.locator(".ask").getByRole("button", { name: "Copy", exact: true })).toBeVisible();
  await expect(other.locator(".ask")).toContainText("in the tab that asked");
  await page.close();
  await expect(other.locator(".ask").getByRole("button", { name: "Skip" })).toBeVisible();
  await other.locator(".ask").getByRole("button", { name: "Skip" }).click();
  await expect(other.locator(".msg-assistant").last()).toContainText("Skipped");
});

test("a page that comes back gets its call", async ({ page, vitrine }) => {
  await page.goto(await vitrine.answered("hello"));
  await alive(page);
  await page.getByRole("textbox", { name: "Message" }).fill("Copy that");
  await page.getByRole("textbox", { name: "Message" }).press("Enter");
  await expect(page.locator(".ask").getByRole("button", { name: "Skip" })).toBeVisible();
  await page.reload();
  await alive(page);
  await page.locator(".ask").getByRole("button", { name: "Skip" }).click();
  await expect(page.locator(".msg-assistant").last()).toContainText("Skipped");
});

test("what is wrong with a form is said beside the field, before anything is sent", async ({ page, connected, model }) => {
  const topics = { type: "array", title: "Topics", minItems: 2, items: { enum: ["Water", "Air", "Land"] } };
  model.plays({ calls: [["ask_user", { question: "Which?", schema: { properties: { topics }, required: ["topics"] } }]] }, { text: "Those." });
  await ask(page, connected, "Ask me");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.getByLabel("Water", { exact: true }).check();
  await page.getByRole("button", { name: "Send answer" }).click();
  await expect(page.locator(".field__problem")).toHaveText("Choose at least 2 of “Topics”.");
  expect(sent.filter((url) => url.includes("answer_call"))).toEqual([]);
  await page.getByLabel("Land", { exact: true }).check();
  await page.getByRole("button", { name: "Send answer" }).click();
  await expect(page.locator(".msg-assistant")).toContainText("Those.");
  expect(model.asked.some((asked) => JSON.stringify(asked).includes("Land"))).toBe(true);
});
