// Every state of a card, on a desk and on a phone, in both themes.

import AxeBuilder from "@axe-core/playwright";
import { alive, everything, expect, test } from "../vitrine";

const states: [string, RegExp, string][] = [
  ["queued", /Queued|Waiting/, ""],
  ["awaiting_approval", /approval|needs you/i, "open"],
  ["awaiting_input", /input|answer|needs you/i, "open"],
  ["starting", /Starting/, ""],
  ["in_progress", /In progress|Running/, ""],
  ["retrying", /Retrying/, ""],
  ["completed", /Completed/, ""],
  ["failed", /Failed/, "open"],
  ["cancelled", /Cancelled/, ""],
  ["denied", /Denied/, ""],
];

for (const [device, viewport] of [["desk", { width: 1440, height: 900 }], ["phone", { width: 390, height: 844 }]] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`${device}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme });

      test("every state has its word, its glyph and its parts", async ({ page, vitrine }) => {
        const path = await (await fetch(`${vitrine.url}/bench/states`, { method: "POST" })).text();
        await page.goto(vitrine.url + path);
        await alive(page);
        await everything(page);
        for (const [state, word, open] of states) {
          const card = page.locator(`.card[data-status="${state}"]`);
          await expect(card, state).toHaveCount(1);
          await expect(card.locator(".card__head .badge"), state).toContainText(word);
          await expect(card.locator(".card__title"), state).toContainText("Search bills");
          expect((await card.getAttribute("open")) !== null, `${state} opens by itself`).toBe(open === "open");
        }
        const running = page.locator('.card[data-status="in_progress"]');
        await expect(running.getByRole("progressbar")).toHaveAttribute("value", "40");
        await expect(running.locator(".card__stage")).toContainText('Query: "clean water" (iteration 2/20) · Found 15 results');
        await expect(page.locator('.card[data-status="retrying"] .card__head')).toContainText("2/3");
        await expect(page.locator('.card[data-status="failed"] .fail')).toContainText("No answer within 10 s.");
        await page.locator(".card:not([open])").evaluateAll((all) => all.forEach((card) => ((card as HTMLDetailsElement).open = true)));
        await expect(running.locator(".sec", { hasText: "Output" })).toContainText("scoring 15 bills");
        await expect(page.locator('.card[data-status="completed"] table.generic tbody tr')).toHaveCount(2);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is too wide").toBe(true);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.filter((each) => ["serious", "critical"].includes(each.impact ?? "")).map((each) => `${each.id}: ${each.nodes[0].html}`)).toEqual([]);
      });
    });
  }
}
