// How the stable paths come to show what the pointer names, while others do the same or have died of it: the cases that
// chance seldom finds, written call by call.
import type { Store } from "../../store/store.ts";
import { setImmediate as everythingElse } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { advance } from "../../publish/step/advance.ts";
import { merge } from "../../publish/press/merged-state.ts";
import type { PublishingPlace } from "../../publish/state/publishing-place.ts";
import { project } from "../../publish/step/projection.ts";
import type { PressedFile } from "../../site/press.ts";
import { publishNight, secondDate } from "./support/nights.ts";
import { publishSketch } from "./support/sketch.ts";
import { atPath } from "../support/at-path.ts";
import { StageOfPublishers } from "./support/stage-of-publishers.ts";

const date = "2026-11-20";
const english = (draw: string) => (place: PublishingPlace) =>
  publishSketch(place, { run: draw, date, languages: ["en"], draw });
const german = (place: PublishingPlace) => publishSketch(place, { run: "de", date, languages: ["de"] });

const page = /write site en\/daily\/aries\/index\.html/;
const journalWritten = /write vault site\/projection/;
const swapped = /write site v1\/pointer/;

async function publishedOnce(): Promise<StageOfPublishers> {
  const stage = new StageOfPublishers();
  await stage.alone(english("a"));
  await stage.alone(german);
  return stage;
}

describe("the stable paths end as the manifest has them", () => {
  test("where the first publish of all died half-way, and the next one takes a path away that it had written", async () => {
    const stage = new StageOfPublishers();
    stage.begin("first", english("a"));
    await stage.past("first", /write site en\/index\.html/);
    await stage.kill("first");
    await stage.alone((place) =>
      advance(place, { run: "second", asOf: "2026-11-20T22:00:00.000Z" }, async (base, reader) =>
        merge(base?.manifest, [], [`en/daily/aries/${date}/index.html`], reader),
      ),
    );
    expect((await stage.look()).files.size).toBe(5);
    expect(await stage.stray()).toEqual([]);
  });

  test("where someone who finishes for another goes on after that one has ended", async () => {
    const stage = await publishedOnce();
    stage.begin("b", english("b"));
    await stage.until("b", page);
    stage.begin("back", english("a")); // the same text as before b: nothing of its own differs on the page
    await stage.until("back", page);
    stage.begin("c", english("c"));
    await stage.past("c", swapped);
    await stage.kill("c");
    await stage.end("b");
    await stage.alone((place) => project(place));
    await stage.end("back");
    expect(await stage.stray()).toEqual([]);
    expect((await stage.look()).manifest.run).toBe("c");
  });

  test("where someone who only finishes for the dead writes over a publish and dies", async () => {
    const stage = await publishedOnce();
    stage.begin("dead", english("b"));
    await stage.past("dead", journalWritten);
    await stage.kill("dead");
    await stage.alone(english("c"));
    stage.begin("finishing", (place) => project(place));
    await stage.until("finishing", page);
    stage.begin("next", english("d"));
    await stage.past("next", journalWritten);
    await stage.until("next", /read vault site\/projection/);
    await stage.past("finishing", journalWritten); // it ends, with c on the page
    await stage.kill("finishing");
    stage.at = new Date(stage.at.getTime() + 2 * 60 * 60_000); // by now the dead are known to be dead
    await stage.end("next");
    expect(await stage.stray()).toEqual([]);
    expect((await stage.look()).manifest.run).toBe("d");
  });

  test("where one that took hours finds the line of another that died meanwhile", async () => {
    const stage = await publishedOnce();
    stage.begin("slow", english("b"));
    await stage.until("slow", page);
    stage.begin("dead", english("c"));
    await stage.past("dead", page);
    await stage.kill("dead");
    stage.at = new Date(stage.at.getTime() + 3 * 60 * 60_000);
    await stage.past("slow", journalWritten);
    await stage.kill("slow"); // before it shows anything newer
    await stage.alone(english("b"));
    expect(await stage.stray()).toEqual([]);
  });

  test("where one that was taken for dead goes on writing after another has ended", async () => {
    const stage = await publishedOnce();
    stage.begin("slow", english("b"));
    await stage.until("slow", page);
    stage.at = new Date(stage.at.getTime() + 3 * 60 * 60_000); // or a clock that is three hours ahead
    await stage.alone(english("c"));
    await stage.end("slow");
    expect(await stage.stray()).toEqual([]);
    expect((await stage.look()).manifest.run).toBe("c");
  });

  test("where one looked at the pointer, and others published before it looked at the journal, or the other way round", async () => {
    const stage = await publishedOnce();
    stage.begin("dead", english("b"));
    await stage.past("dead", swapped);
    await stage.kill("dead");
    stage.begin("late", (place) => project(place));
    await stage.past("late", /read/);
    await stage.past("late", /read/);
    await stage.alone(english("c"));
    await stage.end("late");
    const written = stage.calls.filter((call) => /^late (?:write|remove) site/.test(call));
    expect(written).toEqual([]); // else it would have taken readers back to b for a while
    expect(await stage.stray()).toEqual([]);
  });
});

test("a lost swap puts no object again", async () => {
  const stage = await publishedOnce();
  stage.begin("loser", english("b"));
  await stage.until("loser", swapped);
  await stage.alone(publishSketchOfArabic);
  await stage.end("loser");
  const puts = stage.calls.filter((call) => /write site v1\/(?:objects|manifests)\//.test(call));
  expect(new Set(puts).size).toBe(puts.length);
  expect(puts.length).toBeGreaterThan(6);
  expect(await stage.stray()).toEqual([]);
});

const publishSketchOfArabic = (place: PublishingPlace) =>
  publishSketch(place, { run: "ar", date, languages: ["ar"] });

test("equal bytes under another extension are an object of their own", async () => {
  const stage = new StageOfPublishers();
  const bytes = new TextEncoder().encode("the same\n");
  const files = (...paths: string[]): PressedFile[] =>
    paths.map((path) => ({ path, at: atPath(path), bytes, type: "text/plain" }));
  const publish = (pressed: PressedFile[]) => (place: PublishingPlace) =>
    advance(place, { run: "r", asOf: "2026-11-20T22:00:00.000Z" }, async (base, reader) =>
      merge(base?.manifest, pressed, [], reader),
    );
  await stage.alone(publish(files("en/daily/leo/index.html")));
  await stage.alone(publish(files("en/daily/leo/index.html", "en/daily/leo/feed.json")));
  expect((await stage.look()).files.size).toBe(2);
  expect(await stage.stray()).toEqual([]);
});

describe("at every moment each page that can be followed from a front page is there", () => {
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
