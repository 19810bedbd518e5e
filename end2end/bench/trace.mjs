// Chromium's trace of a page: what its main thread did, and for how long.

/** Records until it is stopped, and then tells what the main thread of the page did in between. */
export async function record(browser, page) {
  const session = await browser.newBrowserCDPSession();
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "blink.user_timing"], excludedCategories: ["*"] },
  });
  return async () => {
    const mark = `end-${Math.random()}`;
    await page.evaluate((mark) => performance.mark(mark), mark);
    const done = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await done;
    await session.detach();
    const main = events.find((event) => event.name === mark);
    const own = events.filter((event) => event.pid === main?.pid && event.tid === main?.tid);
    const tasks = own.filter((event) => event.ph === "X" && event.name === "ThreadControllerImpl::RunTask").map(({ ts, dur, tdur }) => ({ at: ts / 1000, ms: dur / 1000, cpu: (tdur ?? dur) / 1000 }));
    return new Trace(tasks);
  };
}

class Trace {
  constructor(tasks) {
    this.tasks = tasks;
  }
  /** How long the main thread worked, by its own clock. */
  get cpu() {
    return this.tasks.reduce((sum, task) => sum + task.cpu, 0);
  }
  get longestCpu() {
    return Math.max(0, ...this.tasks.map((task) => task.cpu));
  }
  get longest() {
    return Math.max(0, ...this.tasks.map((task) => task.ms));
  }
}
