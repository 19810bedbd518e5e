// A card while it lives.

import { alive, expect, test, transcript } from "../vitrine";

test("it is there at once, tells each stage, and keeps its title", async ({ page, slow }) => {
  await page.goto(await slow.answered("fentanyl"));
  await alive(page);
  // Everything that the next card ever says, written down as it changes.
  await page.locator("#transcript").evaluate((transcript) => {
    const said = ((window as any).said = { titles: [] as string[], stages: [] as string[], statuses: [] as string[] });
    const note = (list: string[], text: string) => list.at(-1) !== text && list.push(text);
    new MutationObserver(() => {
      const card = transcript.querySelectorAll(".card")[1];
      if (!card) return;
      note(said.titles, card.querySelector(".card__title > :first-child")!.textContent!);
      note(said.stages, card.querySelector(".card__stage")!.textContent!);
      note(said.statuses, card.getAttribute("data-status")!);
    }).observe(transcript, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  await page.getByRole("textbox").fill("fentanyl zebra");
  await page.keyboard.press("Enter");
  await expect(page.locator(".turn:nth-of-type(2) .card")).toHaveAttribute("data-status", "completed");
  const said = await page.evaluate(() => (window as any).said);
  expect(said.titles).toEqual(["Search bills"]);
  expect(said.statuses.join(" ")).toMatch(/^(queued )?(starting )?in_progress completed$/);
  expect(said.stages).toContain('Searching bills… · Query: "fentanyl zebra" (iteration 1/20)');
  expect(said.stages).toContain('Processing results… · Query: "fentanyl zebra" (iteration 1/20) · Found no results');
  expect(said.stages).toContain('Refining search… · Query: "fentanyl… (or opioid, opioids)" (iteration 5/20)');
  expect(said.stages.at(-1)).toMatch(/^\d+ bills found · 5 iterations$/);
});

test("its clock ticks while it runs, and then stands", async ({ page, slow }) => {
  await page.goto(await slow.ask("fentanyl zebra"));
  await alive(page);
  const duration = page.locator(".card__dur");
  const readings = new Set<string>();
  await expect(async () => {
    readings.add((await duration.textContent())!);
    expect(readings.size).toBeGreaterThan(4);
  }).toPass({ intervals: [50] });
  await expect(page.locator(".card")).toHaveAttribute("data-status", "completed");
  const stands = await duration.textContent();
  expect(stands).toMatch(/^\d+\.\d s$/);
  await expect(page.locator(".meta")).toBeVisible();
  expect(await duration.textContent()).toBe(stands);
});

test("what a person opened or closed stays so", async ({ page, slow }) => {
  await page.goto(await slow.ask("fentanyl zebra"));
  await alive(page);
  const card = page.locator(".card");
  await card.locator(".card__head").click();
  await expect(card.locator(".timeline")).toBeVisible();
  await expect(card).toHaveAttribute("data-status", "completed");
  await expect(card, "it was opened, and is open when it is done").toHaveAttribute("open", "");

  await page.getByRole("textbox").fill("H.R. 99999");
  await page.keyboard.press("Enter");
  const failed = page.locator(".card[data-status=failed]");
  await expect(failed, "bad news opens by itself").toHaveAttribute("open", "");
  await failed.locator(".card__head").click();
  await expect(failed).not.toHaveAttribute("open", "");
  await expect(page.locator(".turn:nth-of-type(2) .meta"), "events went on after it was closed").toBeVisible();
  await expect(failed, "it was closed, and stays closed").not.toHaveAttribute("open", "");
});

test("a page that was watched and one that is loaded later are equal", async ({ page, slow }) => {
  const url = await slow.ask("fentanyl zebra");
  await page.goto(url);
  await alive(page);
  await page.getByRole("textbox").fill("?!");
  await page.keyboard.press("Enter");
  // It goes into the answer that is going on, or has one of its own.
  await expect(page.locator(".msg-user")).toHaveCount(2);
  await expect(page.locator(".meta").last()).toBeVisible();
  await expect(page.locator(".status-line--live")).toHaveCount(0);
  const watched = await transcript(page);
  await page.reload();
  await alive(page);
  expect(await transcript(page)).toBe(watched);
});

test("two tabs show the same, live", async ({ page, context, slow }) => {
  const url = await slow.answered("fentanyl");
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(url);
    await alive(tab);
  }
  await page.getByRole("textbox").fill("rural broadband");
  await page.keyboard.press("Enter");
  await expect(other.locator(".turn:nth-of-type(2) .card")).toBeVisible();
  for (const tab of [page, other]) await expect(tab.locator(".turn:nth-of-type(2) .meta")).toBeVisible();
  expect(await transcript(other)).toBe(await transcript(page));
});

test("a tab that is hidden in the middle of a run keeps up without frames", async ({ page, slow }) => {
  await page.goto(await slow.ask("fentanyl zebra"));
  await alive(page);
  await expect(page.locator(".card")).toHaveAttribute("data-status", "in_progress");
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { get: () => true });
    window.requestAnimationFrame = () => 0;
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  // A result and the end of its call come together, so the second always waits for what stands in for a frame.
  await expect(page.locator(".card")).toHaveAttribute("data-status", "completed");
  await expect(page.locator(".meta")).toBeVisible();
});

test("a burst is shown whole, whatever is queued at its end", async ({ page, vitrine }) => {
  await page.goto(await vitrine.answered("fentanyl"));
  await alive(page);
  await page.getByRole("textbox").fill("rural zebra broadband");
  await page.keyboard.press("Enter");
  await expect(page.locator(".turn:nth-of-type(2) .meta")).toBeVisible();
  await page.locator(".turn:nth-of-type(2) .card > summary").click();
  await expect(page.locator(".turn:nth-of-type(2) .tl").last()).toHaveAttribute("data-status", "completed");
});

test("a follow-up comes to the top, with its card in view", async ({ page, slow }) => {
  await page.goto(await slow.answered("veterans"));
  await alive(page);
  await page.locator(".card .card__head").click();
  await page.getByRole("textbox").fill("rural broadband");
  await page.keyboard.press("Enter");
  const card = page.locator(".turn:nth-of-type(2) .card");
  await expect(card).toBeVisible();
  await expect(async () => {
    const [shown, dock] = await Promise.all([card.boundingBox(), page.locator(".dock").boundingBox()]);
    expect(shown!.y).toBeGreaterThan(0);
    expect(shown!.y + shown!.height, "not under the composer").toBeLessThan(dock!.y);
  }).toPass();
});

test("what is typed in one conversation does not follow into another", async ({ page, vitrine }) => {
  const [first, second] = [await vitrine.answered("coal"), await vitrine.answered("fentanyl")];
  await page.goto(first);
  await alive(page);
  await page.getByRole("textbox").fill("half a thought");
  await page.locator(`a[href="${new URL(second).pathname}"]`).click();
  await expect(page.locator(".msg-user")).toHaveText("fentanyl");
  await expect(page.getByRole("textbox")).toHaveValue("");
});

test("a stream that has gone silent is replaced when a question does not come back", async ({ page, vitrine }) => {
  await page.addInitScript(() => {
    let is_first = true;
    window.EventSource = class extends EventSource {
      #is_deaf = is_first;
      constructor(url: string) {
        super(url);
        is_first = false;
      }
      addEventListener(name: string, listener: any) {
        if (!this.#is_deaf || name === "open") super.addEventListener(name, listener);
      }
    } as any;
  });
  await page.goto(await vitrine.answered("fentanyl"));
  await alive(page);
  await page.getByRole("textbox").fill("rural broadband");
  await page.keyboard.press("Enter");
  await expect(page.locator(".turn:nth-of-type(2) .meta")).toBeVisible();
});

test.describe("with time to step in", () => {
  test.use({ paceMs: 2000 });

  test("a call can be cancelled, and a run stopped; both say so, also after a reload", async ({ page, slow }) => {
    await page.goto(await slow.ask("Research fentanyl"));
    await alive(page);
    const child = page.locator(".card").nth(1);
    await child.locator("> .card__head").click();
    await child.getByRole("button", { name: "Cancel this call" }).click();
    await expect(child).toHaveAttribute("data-status", "cancelled");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(page.locator(".card").first()).toHaveAttribute("data-status", "cancelled");
    await expect(page.locator(".meta")).toContainText("Stopped");
    await expect(page.getByRole("button", { name: "Stop" })).toHaveCount(0);
    const watched = await transcript(page);
    await page.reload();
    await alive(page);
    expect(await transcript(page)).toBe(watched);
  });
});
