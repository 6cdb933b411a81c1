// That a large step holds few of its files, and that those it prints again are the ones it promised.
import { expect, test } from "vitest";
import { createPartReader } from "../../publish/state/parts.ts";
import { printAll } from "../../publish/press/printing.ts";
import { readState } from "../../publish/state/state.ts";
import type { PressedFile } from "../../site/press.ts";
import { openMemory } from "../../store/memory.ts";
import { newSite } from "./support/published-site.ts";
import { atPath } from "../support/at-path.ts";

const published = { site: openMemory(), manifest: undefined, reader: createPartReader(openMemory()) };

/** Counts how often each is printed. */
function filesOn(paths: readonly string[], text: (path: string, time: number) => string) {
  const times = paths.map(() => 0);
  const files = paths.map((path, file): PressedFile => {
    return {
      path,
      at: atPath(path),
      type: "text/html; charset=utf-8",
      get bytes() {
        const time = (times[file] = (times[file] ?? 0) + 1);
        return new TextEncoder().encode(text(path, time));
      },
    };
  });
  return { files, times };
}

test("a file that there is room for is printed once, the others again each time they are asked for", async () => {
  const { files, times } = filesOn(
    ["en/people/1/index.html", "en/people/2/index.html", "en/people/3/index.html", "en/people/4/index.html"],
    (path) => path.padEnd(100),
  );
  const room = { leftBytes: 250 };
  const printed = await printAll(files, published, room);
  for (const file of [...printed, ...printed]) expect(file.bytes.length).toBe(100);
  expect(times).toEqual([1, 1, 3, 3]);
  expect(room.leftBytes).toBe(50);
  expect(new Set(printed.map(({ entry }) => entry.object)).size).toBe(4);
  await printAll(printed, published, room);
  expect(times).toEqual([1, 1, 3, 3]);
});

test("a file that comes out otherwise the second time is not put", async () => {
  const { files } = filesOn(["en/index.html"], (_, time) => `at ${time}`);
  const [file] = await printAll(files, published, { leftBytes: 0 });
  expect(() => file?.bytes).toThrow("en/index.html was printed twice, with other bytes each time");
});

test("what the site has already takes no room", async () => {
  const site = newSite({ languages: ["en"], operations: ["daily-tarot"] });
  await site.gather("2026-11-20", "2026-11-22");
  await site.night();
  const front = await site.text("en/index.html");
  const { files, times } = filesOn(["en/index.html", "en/about/index.html"], () => front);
  const manifest = (await readState(site.site))?.manifest;
  const room = { leftBytes: 1_000_000 };
  await printAll(files, { site: site.site, manifest, reader: createPartReader(site.site) }, room);
  expect(times).toEqual([1, 1]);
  expect(room.leftBytes).toBe(1_000_000 - new TextEncoder().encode(front).length);
});
