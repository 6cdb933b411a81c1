// Two publishers, each with six store calls that the other can disturb: in every one of the 924 orders of the twelve both
// end whole, with the files of both on the site; npm test plays a third of them. All other calls touch what only one of the
// two touches, or what never changes under its name, so their order makes no difference: they are made as soon as their
// publisher comes to them.
import { describe, expect, test } from "vitest";
import { deep } from "../support/deep.ts";
import { Conductor } from "./support/conductor.ts";
import { follow, strayPaths, usedTwice } from "./support/look.ts";
import { Calls, Publisher } from "./support/publisher.ts";
import { publishSketch } from "./support/sketch.ts";
import { fill, inMemory, nothing, type Snapshot, snapshotOf, type Stores } from "../support/stores.ts";

const now = () => new Date("2026-11-20T21:10:00.000Z");
const emptyStores = (): Stores => inMemory(now);

const pointer = /^(?:read|write) site v1\/pointer\.json$/;
const journal = /^(?:read|write) vault site\/projection\.json$/;
const journalWritten = /^write vault site\/projection\.json$/;
const shared = /^write site index\.html$/; // the page that both write

/** Chooses a publisher's first `most` calls that matter, after `from` was seen. */
function first(most: number, matters: readonly RegExp[], from = /./): (what: string) => boolean {
  let left = most;
  let begun = false;
  return (what) => {
    begun ||= from.test(what);
    if (!begun || left === 0 || !matters.some((one) => one.test(what))) return false;
    left -= 1;
    return true;
  };
}

interface Choice {
  readonly name: string;
  readonly calls: number;
  readonly chosen: () => (what: string) => boolean;
}

/** Read the pointer, swap it; then, of showing it: read it again, begin in the journal, write the page, end. */
const fromThePointer: Choice = {
  name: "from the first look at the pointer to the end of showing",
  calls: 6,
  chosen: () => first(6, [pointer, journalWritten, shared]),
};
const others: readonly Choice[] = [
  {
    // Read the journal, read the pointer, begin; write the page; read the journal again, end.
    name: "from the first look at the journal to the end of showing, when both have swapped",
    calls: 6,
    chosen: () => first(6, [pointer, journal, shared], journal),
  },
  {
    name: "every call on what both can change",
    calls: 8,
    chosen: () => first(8, [pointer, journal, shared]),
  },
];

let before: Promise<Snapshot> | undefined;
async function stores(): Promise<Stores> {
  const opened = emptyStores();
  before ??= (async () => {
    const earlier = emptyStores();
    await publishSketch(new Publisher(earlier, new Calls(), now).place, {
      run: "first",
      date: "2026-11-20",
      languages: ["en", "de", "ar"],
    });
    return snapshotOf(earlier);
  })();
  await fill(opened, await before);
  return opened;
}

/** Every way in which so many calls of A and as many of B can follow each other, as a word such as `ABBA`. */
function* wordsOf(a: number, b: number, word = ""): Generator<string> {
  if (a === 0 && b === 0) yield word;
  if (a > 0) yield* wordsOf(a - 1, b, `${word}A`);
  if (b > 0) yield* wordsOf(a, b - 1, `${word}B`);
}

const languageOf = { A: "en", B: "de" } as const;

async function play(word: string, { chosen }: Choice): Promise<string> {
  const { site, vault } = await stores();
  const conductor = new Conductor();
  const calls = new Calls();
  const runs = (["A", "B"] as const).map(async (name) => {
    const publisher = new Publisher({ site, vault }, calls, now, conductor.gateFor(name, chosen()));
    return publisher.run((place) =>
      publishSketch(place, { run: name, date: "2026-11-21", languages: [languageOf[name]] }),
    );
  });
  const made: string[] = [];
  for (const name of word) {
    if ((await conductor.waiting()).length === 0) break;
    const what = conductor.step(name);
    if (what !== undefined) made.push(name);
  }
  for (;;) {
    const [name] = await conductor.waiting();
    if (name === undefined) break;
    conductor.step(name);
  }
  expect(await Promise.all(runs), word).toEqual(["done", "done"]);
  const seen = await follow(site);
  if (seen === undefined) throw new Error(`${word}: nothing is published`);
  // The number of an intent that lost its swap is not used again.
  expect(seen.pointer.version, word).toBeGreaterThanOrEqual(3);
  expect(await usedTwice({ site, vault }), word).toEqual([]);
  for (const language of Object.values(languageOf)) {
    expect(seen.files.has(`${language}/daily/aries/2026-11-21/index.html`), `${word}: ${language}`).toBe(
      true,
    );
  }
  expect(await strayPaths(site, seen), word).toEqual([]);
  return made.join("");
}

/** Every so many-th order, with test:deep all; which ones, the clock says. */
const every = deep ? 1 : 3;
const begin = Date.now() % every;
function played(words: Iterable<string>): string[] {
  return [...words].filter((_, index) => index % every === begin);
}

describe(`two publishers end whole in ${deep ? "every order" : "every third order"} of their calls`, () => {
  test.each([fromThePointer, ...(deep ? others : [])])("$name", async (choice) => {
    const words = new Set<string>();
    const made = new Set<string>();
    for (const word of played(wordsOf(choice.calls, choice.calls))) {
      words.add(word);
      made.add(await play(word, choice));
    }
    console.log(`${choice.name}: ${words.size} orders, ${made.size} of them as written`);
    expect(words.size).toBe((choice.calls === 6 ? 924 : 12_870) / every);
    expect(made.size).toBe(words.size);
  });
});

test("the site of these tests is not empty before", async () => {
  expect((await follow((await stores()).site))?.files.size).toBe(14);
  expect(nothing.site.size).toBe(0);
});
