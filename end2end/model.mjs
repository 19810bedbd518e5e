// A model that says what it is told to, as chat completions: for tests and for scripts.

import { once } from "node:events";
import { createServer } from "node:http";

/** Answers are played in order: `{ text, reasoning, calls: [[name, args]] }`, or `{ status }`. */
export class Model {
  url = "";
  /** What it was asked, newest last. */
  asked = [];
  #answers = [];
  #server;

  async start() {
    this.#server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      this.asked.push(JSON.parse(body));
      const answer = this.#answers.shift() ?? { status: 500 };
      if (answer.status) {
        response.writeHead(answer.status, { "retry-after": String(answer.retryAfter ?? 0) });
        response.end("{}");
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      const say = (delta, finish_reason = null) => response.write(`data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`);
      for (const word of answer.reasoning?.match(/\S+\s*/g) ?? []) say({ reasoning_content: word });
      if (answer.until) await answer.until;
      for (const word of answer.text?.match(/\S+\s*/g) ?? []) say({ content: word });
      (answer.calls ?? []).forEach(([name, args], index) => {
        say({ tool_calls: [{ index, id: `c${index}`, function: { name, arguments: JSON.stringify(args) } }] });
      });
      say({}, answer.calls ? "tool_calls" : "stop");
      response.write(`data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 600, completion_tokens: 50 } })}\n\n`);
      response.end("data: [DONE]\n\n");
    });
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${this.#server.address().port}/v1`;
  }

  plays(...answers) {
    this.#answers.push(...answers);
  }

  /** The environment of a server that asks it. */
  get env() {
    return { VITRINE_MODEL: "mock-1", VITRINE_MODEL_URL: this.url };
  }

  dispose() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
