// For everyone: assistive technology, keyboards, both themes.

import AxeBuilder from "@axe-core/playwright";
import { alive, expect, test } from "../vitrine";

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious (${colorScheme})`, async ({ page, vitrine }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const pages = [vitrine.url, `${vitrine.url}/nowhere`, await vitrine.answered("veterans"), await vitrine.answered("H.R. 99999")];
    for (const url of pages) {
      await page.goto(url);
      await alive(page);
      for (const summary of await page.locator(".card:not([open]) > summary").all()) await summary.click();
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter((each) => each.impact === "serious" || each.impact === "critical");
      expect(serious.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(" ")}`), url).toEqual([]);
    }
  });
}
test.use({ allowed: /Failed to load resource: the server responded with a status of 404/ });

test("everything works by keyboard", async ({ page, vitrine }) => {
  await page.goto(await vitrine.answered("veterans"));
  await alive(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  // From the start of the content: what can be arranged, then the card.
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Notes and settings" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("switch", { name: "Activity panel" })).toBeFocused();
  await page.keyboard.press("Tab");
  const summary = page.locator(".card > summary");
  await expect(summary).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator(".timeline")).toBeVisible();
  await page.keyboard.press(" ");
  await expect(page.locator(".timeline")).toBeHidden();
  // Past the links of the answer.
  const field = page.getByRole("textbox");
  for (let stops = 0; stops < 20 && !(await field.evaluate((element) => element === document.activeElement)); stops++) {
    await page.keyboard.press("Tab");
  }
  await expect(field).toBeFocused();
  await page.keyboard.type("line one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("line two");
  await expect(page.getByRole("textbox")).toHaveValue("line one\nline two");
  await page.keyboard.press("Enter");
  await expect(page.locator(".msg-user").last()).toHaveText("line one\nline two");
});

test("an update does not take the focus away", async ({ page, slow }) => {
  await page.goto(await slow.ask("fentanyl zebra"));
  await alive(page);
  const summary = page.locator(".card > summary");
  await summary.focus();
  await expect(page.locator(".card")).toHaveAttribute("data-status", "completed");
  await expect(summary).toBeFocused();
});

test("on a phone the list is a drawer", async ({ page, vitrine }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(vitrine.url);
  await expect(page.getByRole("link", { name: "New chat" })).toBeHidden();
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(page.getByRole("link", { name: "New chat" })).toBeVisible();
});
