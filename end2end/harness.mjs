// A real server, for tests and for scripts.

import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const target = join(dirname(fileURLToPath(import.meta.url)), "..", "target");

/** How Chromium is started everywhere here: quiet, and without asking the network for anything. */
export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
};

/** One server with a data folder of its own. It can be killed and started again, on the same port. */
export class Vitrine {
  url = "";
  #process;
  #paceMs;
  #data = mkdtempSync(join(tmpdir(), "vitrine-"));

  constructor(paceMs = 0) {
    this.#paceMs = paceMs;
  }

  /** With more in its environment, if need be. */
  async start(env = {}) {
    const bin = process.env.VITRINE_BIN ?? join(target, "release", "vitrine");
    const site = process.env.VITRINE_SITE ?? join(target, "site", "release");
    const address = this.url ? new URL(this.url).host : "127.0.0.1:0";
    const flags = ["--addr", address, "--data", this.#data, "--site", site, "--pace-ms", String(this.#paceMs)];
    const child = spawn(bin, flags, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...env } });
    this.#process = child;
    this.url = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`vitrine ended with ${code} before it was ready`)));
      createInterface({ input: child.stdout }).on("line", (line) => {
        const found = /http:\S+/.exec(line);
        if (found) resolve(found[0]);
      });
    });
  }

  /** Pulls the plug: no goodbye, no flush. */
  async kill() {
    const gone = this.gone();
    this.#process.kill("SIGKILL");
    await gone;
  }

  /** When it has ended, by whatever. */
  async gone() {
    const child = this.#process;
    if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once("exit", resolve));
  }

  /** A file in its data folder. */
  file(name) {
    return join(this.#data, name);
  }

  /** Asks it to stop, and returns its exit code. */
  async stop() {
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGTERM");
    return gone;
  }

  /** Takes a copy of the data, to be put back with `restore`. Only while the server is down. */
  backup() {
    const copy = mkdtempSync(join(tmpdir(), "vitrine-backup-"));
    cpSync(this.#data, copy, { recursive: true });
    return copy;
  }

  restore(copy) {
    rmSync(this.#data, { recursive: true });
    cpSync(copy, this.#data, { recursive: true });
    rmSync(copy, { recursive: true });
  }

  /** Asks in a new conversation, as any program would, and returns the address of its page. */
  async ask(text) {
    const response = await fetch(`${this.url}/api/new_conversation`, { method: "POST", body: new URLSearchParams({ text }) });
    const { conversation_id } = await response.json();
    return `${this.url}/c/${conversation_id}`;
  }

  /** Asks, and waits until the answer is complete. */
  async answered(text) {
    const page = await this.ask(text);
    await this.events(page, (event) => event.type === "agent.status" && event.data.status !== "running");
    return page;
  }

  /** Reads the log of a conversation until an event is what it waits for. */
  async events(page, until) {
    const id = page.split("/c/")[1].split(/[?#]/)[0];
    const stop = new AbortController();
    const response = await fetch(`${this.url}/api/conversations/${id}/events`, { signal: stop.signal });
    const events = [];
    for await (const { seq, data } of frames(response)) {
      events.push({ seq, ...JSON.parse(data) });
      if (until(events.at(-1))) {
        stop.abort();
        return events;
      }
    }
    throw new Error("the stream ended early");
  }

  async dispose() {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
  }
}

/** The page is alive: WASM has taken over what the server rendered. */
export async function alive(page) {
  await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
}

/** The events of a stream as they come, each with its number and its JSON as it was sent. */
export async function* frames(response) {
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const whole = text.split("\n\n");
    text = whole.pop();
    for (const frame of whole.filter((frame) => frame.startsWith("id: "))) {
      const [id, data] = frame.split("\n");
      yield { seq: Number(id.slice(4)), data: data.slice(6) };
    }
  }
}
