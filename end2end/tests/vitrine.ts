// A real server for a test, and a page whose console must stay clean.

import { test as base, expect, type Page } from "@playwright/test";
import { alive, Vitrine } from "../harness.mjs";
import { Model } from "../model.mjs";

export { alive, expect, Model, Vitrine };

interface Fixtures {
  /** What the console may say in this test without failing it. */
  allowed: RegExp;
  cleanConsole: void;
  /** How long `slow` rests after each step. */
  paceMs: number;
  /** A server for this test alone, slow enough to watch. */
  slow: Vitrine;
  /** A model that says what it is told to. */
  model: Model;
  /** A server for this test alone, which asks that model. */
  connected: Vitrine;
}

export const test = base.extend<Fixtures, { vitrine: Vitrine }>({
  // Nothing, unless a test says so.
  allowed: [/(?!)/, { option: true }],
  paceMs: [250, { option: true }],

  /** A quick server that all tests of a worker share. */
  vitrine: [
    async ({}, use) => {
      const vitrine = new Vitrine(0);
      await vitrine.start();
      await use(vitrine);
      await vitrine.dispose();
    },
    { scope: "worker" },
  ],

  slow: async ({ page, paceMs }, use) => {
    const vitrine = new Vitrine(paceMs);
    await vitrine.start();
    await use(vitrine);
    // The page first: it would complain about the server that goes.
    await page.close();
    await vitrine.dispose();
  },

  model: async ({}, use) => {
    const model = new Model();
    await model.start();
    await use(model);
    model.dispose();
  },

  connected: async ({ page, model }, use) => {
    const vitrine = new Vitrine(0);
    await vitrine.start(model.env);
    await use(vitrine);
    await page.close();
    await vitrine.dispose();
  },

  cleanConsole: [
    async ({ page, allowed }, use) => {
      const said: string[] = [];
      const note = (text: string) => {
        if (!allowed.test(text)) said.push(text);
      };
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) note(`${message.type()}: ${message.text()}`);
      });
      page.on("pageerror", (error) => note(`uncaught: ${error.message}`));
      await use();
      expect(said, "the console is clean").toEqual([]);
    },
    { auto: true },
  ],
});

/** What is far away may not be there; on paper all of it is. */
export async function everything(page: Page) {
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
}

/** The transcript as it is shown, a line per element, without what may differ between two looks at the same thing:
 * the time of day in words, what a person has opened or looks at, which places are held, and the order in which attributes were set. */
export async function transcript(page: Page): Promise<string> {
  await everything(page);
  // What nobody has opened may not be there, either.
  await page.locator(".card:not([open])").evaluateAll((all) => all.forEach((card) => ((card as HTMLDetailsElement).open = true)));
  await expect(page.locator(".card:not(:has(> .card__body))")).toHaveCount(0);
  return page.locator("#transcript").evaluate((element) => {
    const lines: string[] = [];
    const write = (node: Node, indent: string) => {
      if (node instanceof Text && node.data) lines.push(indent + node.data);
      if (!(node instanceof Element)) return;
      const attributes = [...node.attributes].filter((each) => !["open", "data-asked", "style"].includes(each.name)).map((each) => `${each.name}=${each.value}`);
      lines.push(`${indent}${node.tagName.toLowerCase()} ${attributes.sort().join(" ")}`);
      if (node.tagName !== "TIME") for (const child of node.childNodes) write(child, `${indent} `);
    };
    // Comments stand between texts that were rendered on the server; nobody sees them.
    const shown = element.cloneNode(true);
    const comments = document.createNodeIterator(shown, NodeFilter.SHOW_COMMENT);
    for (let comment; (comment = comments.nextNode() as Comment | null); ) comment.remove();
    shown.normalize();
    write(shown, "");
    return lines.join("\n");
  });
}
