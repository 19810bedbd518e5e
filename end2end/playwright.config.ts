import { defineConfig, devices } from "@playwright/test";

const browser = {
  ...devices["Desktop Chrome"],
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  },
};

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
