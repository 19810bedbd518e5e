// A real server for a test, and a page whose console must stay clean.

import { test as base, expect, type Page } from "@playwright/test";
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** One server with a data folder of its own. It can be killed and started again, on the same port. */
export class Vitrine {
  url = "";
  private process?: ChildProcess;
  private readonly data = mkdtempSync(join(tmpdir(), "vitrine-"));

  constructor(private readonly paceMs: number) {}

  async start(): Promise<void> {
    const bin = process.env.VITRINE_BIN ?? "../target/debug/vitrine";
    const site = process.env.VITRINE_SITE ?? "../target/site/release";
    const address = this.url ? new URL(this.url).host : "127.0.0.1:0";
    const flags = ["--addr", address, "--data", this.data, "--site", site, "--pace-ms", String(this.paceMs)];
    const child = spawn(bin, flags, { stdio: ["ignore", "pipe", "inherit"] });
    this.process = child;
    this.url = await new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`vitrine ended with ${code} before it was ready`)));
      createInterface({ input: child.stdout! }).on("line", (line) => {
        const found = /http:\S+/.exec(line);
        if (found) resolve(found[0]);
      });
    });
  }

  /** Pulls the plug: no goodbye, no flush. */
  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.process!.once("exit", resolve));
    this.process!.kill("SIGKILL");
    await gone;
  }

  /** Takes a copy of the data, to be put back with `restore`. Only while the server is down. */
  backup(): string {
    const copy = mkdtempSync(join(tmpdir(), "vitrine-backup-"));
    cpSync(this.data, copy, { recursive: true });
    return copy;
  }

  restore(copy: string): void {
    rmSync(this.data, { recursive: true });
    cpSync(copy, this.data, { recursive: true });
    rmSync(copy, { recursive: true });
  }

  async ask(text: string): Promise<string> {
    const response = await fetch(`${this.url}/api/new_conversation`, { method: "POST", body: new URLSearchParams({ text }) });
    const { conversation_id } = (await response.json()) as { conversation_id: string };
    return `${this.url}/c/${conversation_id}`;
  }

  /** Asks, and waits until the answer is complete. */
  async answered(text: string): Promise<string> {
    const page = await this.ask(text);
    await this.events(page, (event) => event.type === "agent.status" && event.data.status !== "running");
    return page;
  }

  /** Reads the log of a conversation, as any program would, until an event is what it waits for. */
  async events(page: string, until: (event: WireEvent) => boolean): Promise<WireEvent[]> {
    const id = page.split("/c/")[1]!.split(/[?#]/)[0]!;
    const stop = new AbortController();
    const response = await fetch(`${this.url}/api/conversations/${id}/events`, { signal: stop.signal });
    const events: WireEvent[] = [];
    let text = "";
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const frames = text.split("\n\n");
      text = frames.pop()!;
      for (const frame of frames.filter((frame) => frame.startsWith("id: "))) {
        const [id, data] = frame.split("\n");
        events.push({ seq: Number(id!.slice(4)), ...JSON.parse(data!.slice(6)) });
        if (until(events.at(-1)!)) {
          stop.abort();
          return events;
        }
      }
    }
    throw new Error("the stream ended early");
  }

  async dispose(): Promise<void> {
    if (this.process?.exitCode === null && this.process.signalCode === null) await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

export interface WireEvent {
  seq: number;
  type: string;
  // biome-ignore lint: the wire is what it is
  data: any;
}

interface Fixtures {
  /** What the console may say in this test without failing it. */
  allowed: RegExp[];
  cleanConsole: void;
  /** A server for this test alone, slow enough to watch. */
  slow: Vitrine;
}

export const test = base.extend<Fixtures, { vitrine: Vitrine }>({
  allowed: [[], { option: true }],

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

  slow: async ({ page }, use) => {
    const vitrine = new Vitrine(250);
    await vitrine.start();
    await use(vitrine);
    // The page first: it would complain about the server that goes.
    await page.close();
    await vitrine.dispose();
  },

  cleanConsole: [
    async ({ page, allowed }, use) => {
      const said: string[] = [];
      const note = (text: string) => {
        if (!allowed.some((pattern) => pattern.test(text))) said.push(text);
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

export { expect };

/** The page is alive: WASM has taken over what the server rendered. */
export async function alive(page: Page): Promise<void> {
  await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
}

/** The transcript as it is shown, a line per element, without what may differ between two looks at the same thing:
 * the time of day in words, what a person has opened, and the order in which attributes were set. */
export async function transcript(page: Page): Promise<string> {
  return page.locator("#transcript").evaluate((element) => {
    const lines: string[] = [];
    const write = (node: Node, indent: string) => {
      if (node instanceof Text && node.data) lines.push(indent + node.data);
      if (!(node instanceof Element)) return;
      const attributes = [...node.attributes].filter((each) => each.name !== "open").map((each) => `${each.name}=${each.value}`);
      lines.push(`${indent}${node.tagName.toLowerCase()} ${attributes.sort().join(" ")}`);
      node.normalize();
      if (node.tagName !== "TIME") for (const child of node.childNodes) write(child, `${indent} `);
    };
    write(element, "");
    return lines.join("\n");
  });
}
