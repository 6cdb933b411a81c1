// Layout shifts of a page in a browser, as it loads at once or in pieces.
import type { Page } from "playwright-core";
import { z } from "zod";

const shifts = z.array(z.string());

/** Layout shifts after `fromMs`, each with its score. A frame that opens only when its picture arrives scores 0.39. */
export async function shiftsOn(page: Page, fromMs = 0): Promise<string[]> {
  const found = await page.evaluate(`new Promise((resolve) => {
    const moved = [];
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries()) {
        if (startTime < ${fromMs} || value < 0.015) continue;
        moved.push(value + " " + sources.map(({ node }) => node?.nodeName + "." + node?.className));
      }
    }).observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(moved), 50)));
  })`);
  return shifts.parse(found);
}

/** Reads the page again from these bytes, piece by piece, with a look at each. Returns the time at which it began. */
export async function readInPieces(
  page: Page,
  bytes: Uint8Array | undefined,
  pieces: number,
): Promise<number> {
  const text = Buffer.from(bytes ?? []).toString();
  const began = await page.evaluate(`(async () => {
    const fromMs = performance.now();
    const page = ${JSON.stringify(text)};
    const body = page.indexOf("<body");
    document.open();
    document.write(page.slice(0, body));
    const length = Math.ceil((page.length - body) / ${pieces});
    for (let at = body; at < page.length; at += length) {
      document.write(page.slice(at, at + length));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
    document.close();
    return fromMs;
  })()`);
  return z.number().parse(began);
}
