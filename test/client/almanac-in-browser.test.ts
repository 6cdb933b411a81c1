// The published client in a real browser: the page's content, the data stored for the next visit, and reading from another site's
// page.
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { pointerPath } from "../../publish/state/state.ts";
import { deep } from "../support/deep.ts";
import { openInBrowser } from "../browser/support/browser.ts";
import { bytesAfter, exampleIn, newKeys, newWorld, owner, pointTo, type World } from "./support/world.ts";

const seenSchema = z.object({
  text: z.string().optional(),
  version: z.number().optional(),
  stale: z.boolean().optional(),
  name: z.string().optional(),
  message: z.string().optional(),
});

/** Asks the site for a reading, reports the result to its own server, and reloads if told to. */
function page(from: World, keys: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`<!doctype html><title>test</title><script type="module">
    const seen = {};
    try {
      const { createAlmanac } = await import("${from.url}assets/almanac.js");
      const almanac = createAlmanac({
        url: "${from.url}", keys: ${JSON.stringify(keys)}, storage: localStorage, now: () => ${from.now},
      });
      const { data, version, stale, reason } =
        await almanac.horoscope({ language: "hi", period: "daily", sign: "leo" });
      Object.assign(seen, { text: data.reading.sections.personal[0], version, stale, name: reason?.name });
    } catch ({ name, message }) {
      Object.assign(seen, { name, message });
    }
    await fetch("/seen.json?" + encodeURIComponent(JSON.stringify(seen)));
    await fetch("/again.json");
    location.reload();
  </script>`);
}

type Seen = z.infer<typeof seenSchema>;

/** A reader of the page that `host` serves; each visit returns the page's report. */
function newReader(host: World, from = host, keys = [owner.open]): { visit(): Promise<Seen> } {
  let tell: (seen: Seen) => void = () => undefined;
  let waiting: Promise<ServerResponse> | undefined;
  host.lies.set("page.html", page(from, keys));
  host.before = async (path, query) => {
    if (path === "seen.json") tell(seenSchema.parse(JSON.parse(query)));
  };
  return {
    async visit() {
      const { promise, resolve } = Promise.withResolvers<Seen>();
      tell = resolve;
      if (waiting === undefined) await openInBrowser(`${host.url}page.html`);
      else (await waiting).end();
      waiting = new Promise((wait) => host.lies.set("again.json", wait));
      return promise;
    },
  };
}

async function textOf(world: World): Promise<string> {
  const { data } = await world.client().horoscope({ language: "hi", period: "daily", sign: "leo" });
  return data.reading.sections.personal[0] ?? "";
}

describe.runIf(deep)("in a browser", () => {
  test("a page shows a signed reading; the next visit refuses an older site and shows what it kept", async () => {
    const world = await newWorld();
    const good = { text: await textOf(world), version: 2 };
    const reader = newReader(world);
    expect(await reader.visit()).toEqual({ ...good, stale: false });
    world.lies.set(pointerPath, await bytesAfter(1, pointerPath));
    expect(await reader.visit()).toEqual({ ...good, stale: true, name: "RolledBack" });
    world.lies.delete(pointerPath);
    expect(await reader.visit()).toEqual({ ...good, stale: false });
  });

  test("a page that has nothing yet refuses changed bytes, and a site that a stranger signed", async () => {
    const world = await newWorld();
    const { object, size } = await world.placeOf("v1/hi/daily/latest.json");
    world.lies.set(object, new Uint8Array(size).fill(32));
    expect(await newReader(world).visit()).toMatchObject({ name: "Mixed" });
    expect(await newReader(world, world, [newKeys().open]).visit()).toMatchObject({ name: "Forged" });
  });

  test("the page of the manual shows the reading", async () => {
    const world = await newWorld();
    await pointTo(world, { expires: "2099-01-01T00:00:00.000Z" }, owner.secret); // it has the machine's clock
    const reader = newReader(world);
    const look = `<script type="module">
      while (document.querySelector("#today").textContent === "") await new Promise(requestAnimationFrame);
      const text = document.querySelector("#today").textContent.split("\\n")[0];
      await fetch("/seen.json?" + encodeURIComponent(JSON.stringify({ text })));
    </script>`;
    world.lies.set(
      "page.html",
      new TextEncoder().encode(`<!doctype html>${exampleIn("page", world)}${look}`),
    );
    expect(await reader.visit()).toEqual({ text: await textOf(world) });
  });

  test("a page of another site reads it too", async () => {
    const [host, world] = [await newWorld(), await newWorld(3)];
    const expected = { text: await textOf(world), version: 3, stale: false };
    expect(await newReader(host, world).visit()).toEqual(expected);
  });
});
