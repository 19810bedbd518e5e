// A model that is connected: what is sent to it, and what is seen of it.

import AxeBuilder from "@axe-core/playwright";
import { alive, expect, test, transcript } from "../vitrine";

test("the model, the prompt and its title", async ({ page, connected, model }) => {
  await page.goto(connected.url);
  await alive(page);
  await expect(page.getByText("mock-1 is answering.")).toBeVisible();
  await page.getByLabel("Prompt preset").selectOption("Plain language");
  await page.getByRole("textbox", { name: "Message" }).fill("What is a bill?");
  model.plays({ reasoning: "An easy one. ", text: "A **bill** is a draft of a law." }, { text: "What a bill is" });
  await page.keyboard.press("Enter");
  await expect(page.locator(".msg-assistant")).toHaveText("A bill is a draft of a law.");
  await expect(page.locator(".thoughts summary")).toHaveText("Thought for a moment");
  await expect(page.locator(".meta summary")).toHaveText(/^Assistant · .+ · 650 tokens$/);
  await expect(page.getByRole("heading", { name: "What a bill is" })).toBeVisible();
  await expect(page.locator(".conv[aria-current]")).toHaveText("What a bill is");
  expect(model.asked[0].messages[0].content).toContain("not lawyers");
  // The choice holds for the next question, also after a reload.
  await page.reload();
  await alive(page);
  await expect(page.getByLabel("Prompt preset")).toHaveValue("plain-language");
  await page.locator(".meta summary").click();
  await expect(page.locator(".trace")).toContainText("Ended by NoMoreCalls: completed");
});

test("a plan fills up, and a delay is told while it lasts", async ({ page, connected, model }) => {
  const todos = (done: number) => ({
    todos: ["Look", "Read", "Write"].map((text, nth) => ({ text, status: nth < done ? "completed" : nth === done ? "in_progress" : "pending" })),
  });
  let go = () => {};
  const until = new Promise<void>((resolve) => (go = resolve));
  model.plays({ calls: [["update_todos", todos(1)]] }, { status: 503, retryAfter: 2 }, { until, calls: [["update_todos", todos(3)]] });
  model.plays({ text: "Done." }, { text: "A plan" });
  await page.goto(await connected.ask("Do it"));
  await alive(page);
  await expect(page.locator(".plan summary")).toContainText("1 of 3 done");
  await expect(page.getByText("Asking again in 2.0 s")).toBeVisible();
  go();
  await expect(page.locator(".plan summary")).toContainText("3 of 3 done");
  await expect(page.getByText("Asking again")).toHaveCount(0);
  await expect(page.locator(".msg-assistant")).toHaveText("Done.");
  await page.locator(".plan summary").click();
  await expect(page.locator(".plan li")).toHaveText(["Done: Look", "Done: Read", "Done: Write"]);
  await expect(page.locator(".meta")).toBeVisible();
  const live = await transcript(page);
  await page.reload();
  await alive(page);
  expect(await transcript(page)).toEqual(live);
});

test.describe("files", () => {
  test.use({ allowed: /422/ });

  test("are sent at once, and what cannot be used says so", async ({ page, vitrine }) => {
    await page.goto(vitrine.url);
    await alive(page);
    const pdf = await page.context().newPage().then(async (paper) => {
      await paper.setContent("<p>The committee voted on H.R. 27 yesterday.</p>");
      const printed = await paper.pdf();
      await paper.close();
      return printed;
    });
    await page.getByLabel("Attach files").setInputFiles([
      { name: "minutes.pdf", mimeType: "application/pdf", buffer: pdf },
      { name: "what.zip", mimeType: "application/zip", buffer: Buffer.from([80, 75, 3, 4, 0, 0]) },
    ]);
    await expect(page.getByRole("alert")).toContainText("“what.zip” is nothing that can be read here");
    await page.getByRole("button", { name: "Remove what.zip" }).click();
    await expect(page.locator(".composer .file")).toHaveText(/minutes\.pdf.*KB/);
    await page.getByRole("textbox", { name: "Message" }).fill("What is it about?");
    await page.keyboard.press("Enter");
    await expect(page.locator(".msg-assistant")).toContainText("HALT Fentanyl Act");
    await expect(page.locator(".msg-user")).toContainText("minutes.pdf");
    await expect(page.locator(".composer .file")).toHaveCount(0);
  });

  test("are taken when they are pasted or dropped", async ({ page, vitrine }) => {
    await page.goto(vitrine.url);
    await alive(page);
    for (const kind of ["paste", "drop"]) {
      await page.getByRole("textbox", { name: "Message" }).evaluate((field, kind) => {
        const data = new DataTransfer();
        data.items.add(new File(["S. 331"], `${kind}.txt`, { type: "text/plain" }));
        const options = { bubbles: true, cancelable: true };
        const event = kind === "paste" ? new ClipboardEvent(kind, { ...options, clipboardData: data }) : new DragEvent(kind, { ...options, dataTransfer: data });
        field.dispatchEvent(event);
      }, kind);
      await expect(page.locator(".composer .file", { hasText: `${kind}.txt` })).toContainText("6 bytes");
    }
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious where much is arranged (${colorScheme})`, async ({ page, connected, model }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    model.plays({ reasoning: "Hm. ", calls: [["update_todos", { todos: [{ text: "Look", status: "completed" }, { text: "Write", status: "in_progress" }] }]] });
    model.plays({ text: "Done." }, { text: "A plan" });
    await page.goto(await connected.answered("Do it"));
    await alive(page);
    await page.locator(".plan summary").click();
    await page.locator(".meta summary").click();
    await page.locator(".thoughts summary").click();
    await page.getByLabel("Attach files").setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("text") });
    await expect(page.locator(".composer .file")).toContainText("4 bytes");
    await page.getByRole("button", { name: "Notes and settings" }).click();
    await page.getByLabel("New note").fill("A note");
    await page.getByRole("button", { name: "Pin note" }).click();
    await expect(page.locator(".notes li")).toHaveText("A note");
    const { violations } = await new AxeBuilder({ page }).analyze();
    const serious = violations.filter((each) => each.impact === "serious" || each.impact === "critical");
    expect(serious.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
  });
}
