// What a browser has to fetch: little, once, and only from here.

import { alive, expect, test } from "../vitrine";

test("script, program and style are hashed, compressed and kept for ever", async ({ page, vitrine, request }) => {
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  await page.goto(vitrine.url);
  await alive(page);
  const built = fetched.filter((url) => url.includes("/pkg/"));
  expect(built.length).toBeGreaterThanOrEqual(3);
  expect(fetched.filter((url) => !url.startsWith(vitrine.url)), "nothing from elsewhere").toEqual([]);
  for (const url of new Set(built)) {
    expect(url).toMatch(/\/vitrine\.[0-9a-f]{16}\.(js|wasm|css)$/);
    for (const encoding of ["br", "gzip"]) {
      const response = await request.get(url, { headers: { "accept-encoding": encoding } });
      expect(response.headers()["content-encoding"], url).toBe(encoding);
      expect(response.headers()["cache-control"]).toBe("public, max-age=31536000, immutable");
    }
  }
});

test("what is not there is not kept", async ({ vitrine, request }) => {
  const response = await request.get(`${vitrine.url}/pkg/vitrine.0000000000000000.js`);
  expect(response.status()).toBe(404);
  expect(response.headers()["cache-control"] ?? "").not.toContain("immutable");
});
