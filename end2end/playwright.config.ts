import { defineConfig, devices } from "@playwright/test";
import { launchOptions } from "./harness.mjs";

const browser = { ...devices["Desktop Chrome"], launchOptions };

export default defineConfig({
  testDir: "tests",
  // A test that passes only at the second try has found a race.
  retries: 0,
  forbidOnly: true,
  fullyParallel: true,
  workers: 2,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  use: { trace: "retain-on-failure" },
  projects: [
    { name: "javascript", use: browser },
    // Whatever is about reading and sending holds without JavaScript too.
    { name: "no-javascript", use: { ...browser, javaScriptEnabled: false }, testMatch: "both/**" },
  ],
});
