// Recovery of the public paths after owners of the site that died: they end with the pointer's content, and no page is missing
// meanwhile.
import { setImmediate as everythingElse } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Store } from "../../store/store.ts";
import { merge } from "../../publish/render/merged-state.ts";
import type { PublishContext } from "../../publish/state/publish-context.ts";
import type { RenderedFile } from "../../site/edition.ts";
import { publishNight, secondDate } from "./support/nights.ts";
import { publishSketch } from "./support/sketch.ts";
import { atPath } from "../support/at-path.ts";
import { StageOfPublishers } from "./support/stage-of-publishers.ts";
import { commitOn, finishOn } from "./support/commit-on.ts";

const date = "2026-11-20";
const english = (draw: string) => (place: PublishContext) =>
  publishSketch(place, { run: draw, date, languages: ["en"], draw });
const german = (place: PublishContext) => publishSketch(place, { run: "de", date, languages: ["de"] });

const page = /write site en\/daily\/aries\/index\.html/;

async function publishedOnce(): Promise<StageOfPublishers> {
  const stage = new StageOfPublishers();
  await stage.alone(english("a"));
  await stage.alone(german);
  return stage;
}

describe("the public paths match the manifest in the end", () => {
  test("if the very first publish died halfway, and the next one removes a path that it had written", async () => {
    const stage = new StageOfPublishers();
    stage.begin("first", english("a"));
    await stage.past("first", /write site en\/index\.html/);
    await stage.kill("first");
    await stage.alone((place) =>
      commitOn(place, { run: "second", asOf: "2026-11-20T22:00:00.000Z" }, async (base, reader) =>
        merge(base?.manifest, [], [`en/daily/aries/${date}/index.html`], reader),
      ),
    );
    expect((await stage.look()).files.size).toBe(5);
    expect(await stage.wrongPaths()).toEqual([]);
  });

  test("if an owner completes the work of two that died halfway, without writing a path twice", async () => {
    const stage = await publishedOnce();
    for (const draw of ["b", "c"]) {
      stage.begin(draw, english(draw));
      await stage.past(draw, page);
      await stage.kill(draw);
    }
    stage.begin("next", finishOn);
    await stage.end("next");
    const written = stage.calls.filter((call) => /^next (?:write|remove) site en/.test(call));
    expect(written.length).toBeGreaterThan(2);
    expect(new Set(written).size).toBe(written.length);
    expect(await stage.wrongPaths()).toEqual([]);
    expect((await stage.look()).manifest.run).toBe("c");
  });
});

test("equal bytes under another extension are a separate object", async () => {
  const stage = new StageOfPublishers();
  const bytes = new TextEncoder().encode("the same\n");
  const files = (...paths: string[]): RenderedFile[] =>
    paths.map((path) => ({ path, at: atPath(path), bytes, type: "text/plain" }));
  const publish = (rendered: RenderedFile[]) => (place: PublishContext) =>
    commitOn(place, { run: "r", asOf: "2026-11-20T22:00:00.000Z" }, async (base, reader) =>
      merge(base?.manifest, rendered, [], reader),
    );
  await stage.alone(publish(files("en/daily/leo/index.html")));
  await stage.alone(publish(files("en/daily/leo/index.html", "en/daily/leo/feed.json")));
  expect((await stage.look()).files.size).toBe(2);
  expect(await stage.wrongPaths()).toEqual([]);
});

describe("at every moment, each page that is reachable from a front page exists", () => {
  test.each([
    { what: "the first night of all", before: [], now: ["en"] },
    { what: "a new language", before: ["en"], now: ["ar"] },
    { what: "a night of two languages", before: ["en", "ar"], now: ["en", "ar"] },
  ] as const)("in $what", async ({ before, now }) => {
    const stage = new StageOfPublishers();
    if (before.length > 0)
      await stage.alone((place) => publishNight(place, { run: "b", date, languages: before, size: "signs" }));
    let looks = 0;
    const site = lastFirst(stage.stores.site, async (key) => {
      if (!key.endsWith(".html")) return;
      looks += 1;
      expect(await brokenLinks(stage), `after ${key}`).toEqual([]);
    });
    await stage.alone((place) =>
      publishNight({ ...place, site }, { run: "t", date: secondDate, languages: now, size: "signs" }),
    );
    expect(looks).toBeGreaterThan(30);
  });
});

/** Writes that are under way together are made from the last to the first, each with a look after it. */
function lastFirst(site: Store, look: (key: string) => Promise<void>): Store {
  const waiting: (() => Promise<void>)[] = [];
  let making: Promise<void> | undefined;
  const makeAll = async (): Promise<void> => {
    await everythingElse();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      await next();
      await everythingElse();
    }
    making = undefined;
  };
  return {
    ...site,
    write(key, ...rest) {
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Store["write"]>>>();
      waiting.push(async () => {
        const answer = await site.write(key, ...rest);
        await look(key).then(() => resolve(answer), reject);
      });
      making ??= makeAll();
      return promise;
    },
  };
}

/** Front pages are those that people know: the chooser and the languages' own. */
async function brokenLinks({ stores: { site } }: StageOfPublishers): Promise<string[]> {
  const broken: string[] = [];
  const known = new Set(["index.html", "en/index.html", "ar/index.html"]);
  for (const path of known) {
    const stored = await site.read(path);
    if (stored === undefined) {
      if (!["index.html", "en/index.html", "ar/index.html"].includes(path)) broken.push(path);
      continue;
    }
    for (const [, link = ""] of new TextDecoder().decode(stored.body).matchAll(/href="\/([^"#]*)"/g)) {
      known.add(link === "" || link.endsWith("/") ? `${link}index.html` : link);
    }
  }
  return broken;
}
