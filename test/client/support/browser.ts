// A real browser, for what only a browser can show: its own fetch, cryptography, storage and rules.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { findBrowser } from "../../support/chromium.ts";

/** One reader's browser, without a past. */
export function newBrowser(): { open(url: string): Promise<void> } {
  const browser = findBrowser();
  return {
    async open(url) {
      const profile = mkdtempSync(join(tmpdir(), "almanac-browser-"));
      const flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
      ];
      const settings = [`--user-data-dir=${profile}`, "--remote-debugging-port=0"]; // without a port it ends with the page
      const child = spawn(browser, [...flags, ...settings, url], { stdio: "ignore", detached: true });
      const ended = once(child, "exit");
      onTestFinished(async () => {
        // It starts processes of its own, which go with it.
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
        await ended;
        rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
      });
      await once(child, "spawn");
    },
  };
}
