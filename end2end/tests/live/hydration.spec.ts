// From what the server rendered to a live page, without a seam.

import { alive, expect, test, transcript } from "../vitrine";

test("hydration changes nothing that is shown", async ({ browser, page, vitrine }) => {
  for (const url of [await vitrine.answered("fentanyl zebra"), await vitrine.answered("H.R. 99999")]) {
    const still = await browser.newPage({ javaScriptEnabled: false });
    await still.goto(url);
    const rendered = await still.locator("body").innerText();
    await page.goto(url);
    await alive(page);
    const shown = await page.locator("body").innerText();
    const withoutTimes = (text: string) => text.replace(/\d\d:\d\d:\d\d( UTC)?/g, "time");
    expect(withoutTimes(shown)).toBe(withoutTimes(rendered));
    await still.close();
  }
});

test("times become local", async ({ browser, vitrine }) => {
  const url = await vitrine.answered("fentanyl");
  const context = await browser.newContext({ timezoneId: "Asia/Kolkata" });
  const page = await context.newPage();
  await page.goto(url);
  await alive(page);
  await page.locator(".card > summary").click();
  const time = page.locator(".tl time").first();
  const expected = await time.evaluate((element: HTMLTimeElement) =>
    new Date(element.dateTime).toLocaleTimeString("en-GB", { timeZone: "Asia/Kolkata" }),
  );
  await expect(time).toHaveText(expected);
  await context.close();
});

test("what was typed before the page came alive is not lost", async ({ page, vitrine }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/*.wasm", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(await vitrine.answered("fentanyl"));
  await page.getByRole("textbox").fill("half a thought");
  release();
  await alive(page);
  await expect(page.getByRole("textbox")).toHaveValue("half a thought");
  await page.keyboard.press("Enter");
  await expect(page.locator(".msg-user")).toHaveText(["fentanyl", "half a thought"]);
  await expect(page.getByRole("textbox"), "it has been taken, so it goes").toHaveValue("");
});

test("from page to page and back, each is alive", async ({ page, vitrine }) => {
  const url = await vitrine.answered("a question to come back to");
  await page.goto(vitrine.url);
  await alive(page);
  await page.getByRole("link", { name: "a question to come back to" }).first().click();
  await expect(page).toHaveURL(url);
  await expect(page.locator(".card")).toHaveAttribute("data-status", "completed");
  await page.getByRole("link", { name: "New chat" }).click();
  await expect(page.getByRole("heading", { name: /Ask about US legislation/ })).toBeVisible();
  await page.goBack();
  await expect(page.locator(".msg-user")).toHaveText("a question to come back to");
  await alive(page);
  await page.getByRole("textbox").fill("rural broadband");
  await page.keyboard.press("Enter");
  await expect(page.locator(".turn:nth-of-type(2) .card")).toHaveAttribute("data-status", "completed");
  expect(await transcript(page)).toContain("rural broadband");
});

test("one question is sent once, and what is typed meanwhile stays", async ({ page, vitrine }) => {
  await page.goto(await vitrine.answered("fentanyl"));
  await alive(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/send_message", async (route) => {
    await held;
    await route.continue();
  });
  const box = page.getByRole("textbox");
  await box.fill("sent once");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(box, "it stays until it has been taken").toHaveValue("sent once");
  await box.fill("the next question");
  release();
  await expect(page.locator(".msg-user")).toHaveText(["fentanyl", "sent once"]);
  await expect(page.getByRole("button", { name: "Send", exact: true })).toHaveAttribute("aria-busy", "false");
  await expect(box).toHaveValue("the next question");
  await page.keyboard.press("Enter");
  await expect(page.locator(".msg-user")).toHaveText(["fentanyl", "sent once", "the next question"]);
  await expect(box).toHaveValue("");
});

test("a text that is too long is refused whole, and is still there", async ({ page, vitrine }) => {
  await page.goto(await vitrine.answered("fentanyl"));
  await alive(page);
  const long = "x".repeat(32_001);
  await page.getByRole("textbox").fill(long);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("32001 characters");
  await expect(page.getByRole("textbox")).toHaveValue(long);
});
test.use({ allowed: /Failed to load resource: the server responded with a status of 422/ });
