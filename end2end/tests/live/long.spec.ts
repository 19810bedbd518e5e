// Long conversations: only what is near is there, and everything can be reached.

import type { Page } from "@playwright/test";
import { alive, everything, expect, test, type Vitrine } from "../vitrine";

async function long(vitrine: Vitrine, cards: number): Promise<string> {
  const made = await fetch(`${vitrine.url}/bench/history?cards=${cards}`, { method: "POST" });
  return vitrine.url + (await made.text());
}

const questions = (page: Page) => page.locator(".msg-user").allTextContents();

/** What is in the middle of the screen, and where it is. Whoever jumps somewhere waits until something is there. */
const middle = async (page: Page) => {
  const card = await page.waitForFunction(() => {
    const isSeen = (top: number) => top > 200 && top < innerHeight;
    const card = [...document.querySelectorAll(".card")].find((each) => isSeen(each.getBoundingClientRect().top));
    return card && { id: card.id, top: card.getBoundingClientRect().top };
  });
  return (await card.jsonValue())!;
};

const topOf = (page: Page, id: string) => page.evaluate((id) => document.getElementById(id)?.getBoundingClientRect().top, id);

test("a conversation with 2,000 cards opens at its end, and holds only what is near", async ({ page, vitrine }) => {
  await page.goto(await long(vitrine, 2000));
  await alive(page);
  await expect(page.getByText("Question 200", { exact: true })).toBeVisible();
  await expect(page.getByText("answer 200")).toBeInViewport();
  expect(await page.locator(".card").count()).toBeLessThan(120);
});

test("older turns come when somebody gets there, and nothing jumps", async ({ page, vitrine }) => {
  await page.goto(await long(vitrine, 400));
  await alive(page);
  await expect(page.getByText("answer 40")).toBeInViewport();
  let turns = await page.locator(".turn").count();
  while (await page.locator(".earlier").count()) {
    await page.evaluate(() => scrollTo(0, 500));
    const { id, top } = await middle(page);
    await expect.poll(() => page.locator(".turn").count()).toBeGreaterThan(turns);
    turns = await page.locator(".turn").count();
    // Until all that comes into being around it is there.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
    expect(Math.abs((await topOf(page, id))! - top), "what was read has not moved").toBeLessThan(3);
  }
  expect(turns).toBe(40);
  await page.evaluate(() => scrollTo(0, 0));
  await expect(page.getByText("Question 1", { exact: true })).toBeInViewport();
  expect(await page.locator(".card").count(), "what is far away is not there").toBeLessThan(150);
  expect((await questions(page)).length).toBeLessThan(20);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByText("answer 40")).toBeVisible();
});

test("a link to a card leads to it wherever it is", async ({ page, vitrine }) => {
  const url = await long(vitrine, 600);
  const id = url.split("/c/")[1];
  const { calls } = await (await fetch(`${vitrine.url}/api/load_before?conversation_id=${id}&turn=3`)).json();
  const [first] = Object.keys(calls);
  await page.goto(`${url}#${first}`);
  await alive(page);
  const card = page.locator(`[id="${first}"]`);
  await expect(card).toBeInViewport();
  await expect(card).toHaveAttribute("open", "");
  // And from there to another one that is not in the page any more.
  const last = await page.evaluate(async (id) => {
    const snapshot = await (await fetch(`/api/load_conversation?conversation_id=${id}`)).json();
    return Object.keys(snapshot.conversation.calls).at(-1)!;
  }, id);
  await page.evaluate((last) => (location.hash = last), last);
  await expect(page.locator(`[id="${last}"]`)).toBeInViewport();
  // Nothing is there: nothing happens.
  await page.evaluate(() => (location.hash = "call_nowhere"));
  await expect(page.locator(`[id="${last}"]`)).toBeInViewport();
});

test("a conversation goes on while older turns are read", async ({ page, slow }) => {
  const url = await long(slow, 300);
  await page.goto(url);
  await alive(page);
  await expect(page.getByText("answer 30")).toBeInViewport();
  await page.getByRole("textbox", { name: "Message" }).fill("Research fentanyl");
  await page.keyboard.press("Enter");
  await expect(page.locator('.card[data-live]').first()).toBeVisible();
  while (await page.locator(".earlier").count()) await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(() => scrollTo(0, 0));
  await expect(page.getByText("Question 1", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "New below" }).click();
  await expect(page.locator(".meta summary").last()).toContainText("Assistant", { timeout: 20_000 });
  await expect(page.getByText("Research fentanyl", { exact: true }).last()).toBeAttached();
});

test("two hundred cards in one answer: those that are seen are there", async ({ page, vitrine }) => {
  await page.goto(vitrine.url);
  await alive(page);
  await page.getByRole("textbox", { name: "Message" }).fill("s2 200 2000");
  await page.keyboard.press("Enter");
  await expect(page.locator(".meta summary")).toContainText("Assistant");
  await expect(page.locator(".run__head")).toContainText("200 calls");
  await expect.poll(() => page.locator(".card").count()).toBeLessThan(120);
  await expect(page.locator('.card:not([data-status="completed"])')).toHaveCount(0);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.locator(".card").last()).toBeInViewport();
  await page.reload();
  await alive(page);
  await page.evaluate(() => scrollTo(0, 3000));
  await expect.poll(() => page.evaluate(() => [...document.querySelectorAll(".card")].some((each) => Math.abs(each.getBoundingClientRect().top - 300) < 100))).toBe(true);
});

test("on paper there is all that the page has", async ({ page, vitrine }) => {
  await page.goto(await long(vitrine, 100));
  await alive(page);
  await expect(page.getByText("answer 10")).toBeInViewport();
  await page.evaluate(() => scrollTo(0, 0));
  await expect(page.locator(".earlier")).toHaveCount(0);
  await page.emulateMedia({ media: "print" });
  await everything(page);
  await expect(page.locator(".card")).toHaveCount(100);
  await expect(page.locator(".dock")).toBeHidden();
  await expect(page.locator(".sidebar")).toBeHidden();
});
