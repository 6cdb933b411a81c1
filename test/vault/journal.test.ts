// The journal keeps each decision once, in order, and in force: whatever is lost, damaged, late, or killed in between.
import { expect, test } from "vitest";
import { always, type Store } from "../../store/store.ts";
import type { Decision } from "../../vault/journal.ts";
import { recordDecision, repairJournal } from "../../vault/journal.ts";
import { changeWithheld, type NoteChange, readWithheld } from "../../vault/withheld.ts";
import { openMemory } from "../support/memory.ts";
import {
  bytes,
  contentOf,
  damage,
  fill,
  keysOf,
  nothing,
  textAt,
  through,
  watched,
} from "../support/stores.ts";

const group = "daily/2026-11-22/el";
const leo = `${group}/daily-horoscope/leo`;
const hash = "ab".repeat(32);
const noon = "2026-11-21T12:00:00.000Z";

function correction(text: string, at = noon, key = leo): Decision {
  const subject = { key, field: "sections.personal", original: hash };
  const texts = { original: ["a text"], text: [text] };
  return { kind: "correct", by: "Eleni", reason: "a wrong word", at, subject, ...texts };
}

async function recorded(...texts: readonly string[]): Promise<Store> {
  const vault = openMemory();
  for (const text of texts) await recordDecision(vault, correction(text));
  return vault;
}

async function textsIn(vault: Store): Promise<(string | undefined)[]> {
  const edits = await (await readWithheld(vault)).edits(group);
  return edits.map((one) => (one.kind === "correct" ? one.text[0] : undefined));
}

async function kindsIn(vault: Store): Promise<(string | undefined)[]> {
  return (await (await readWithheld(vault)).entries()).map(({ decision }) => decision?.kind);
}

const copies = (vault: Store) => keysOf(vault, "journal/");

test("a decision is two equal files in the folder of its period and language, which say who decided, when and why", async () => {
  const vault = await recorded("one");
  const [first = "", second = "", ...more] = await copies(vault);
  expect(first).toMatch(/^journal\/daily\/2026-11-22\/el\/2026-11-21T12-00-00\.000Z~[0-9a-f]{16}\.1\.json$/);
  expect([second, more]).toEqual([first.replace(".1.json", ".2.json"), []]);
  expect(await textAt(vault, first)).toBe(await textAt(vault, second));
  const [entry] = await (await readWithheld(vault)).entries();
  expect(entry).toMatchObject({ group, decision: correction("one") });
});

test("decisions apply in the order in which they were made, even if the second person's clock is a day behind", async () => {
  const vault = await recorded("one");
  await recordDecision(vault, correction("two", "2026-11-20T12:00:00.000Z"));
  await recordDecision(vault, correction("three", "2026-11-20T12:00:00.000Z"));
  expect(await textsIn(vault)).toEqual(["one", "two", "three"]);
});

test("decisions that many people make at once are all kept, in one order", async () => {
  const vault = openMemory();
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
  await Promise.all(texts.map((text) => recordDecision(vault, correction(text))));
  const found = await textsIn(vault);
  expect(found).toHaveLength(texts.length);
  expect(new Set(found)).toEqual(new Set(texts));
  expect(await textsIn(vault)).toEqual(found);
});

test.for([0, 1])(
  "with copy %i lost or damaged, every decision stays in force, and a repair writes the copy again",
  async (at) => {
    const vault = await recorded("one", "two");
    const before = await copies(vault);
    const [, , ...others] = before;
    await vault.remove([before[at] ?? ""]);
    await damage(vault, others[at] ?? "");
    expect(await textsIn(vault)).toEqual(["one", "two"]);
    expect((await repairJournal(vault)).repaired).toHaveLength(2);
    expect(await repairJournal(vault)).toEqual({ repaired: [], lost: [] });
    expect(await copies(vault)).toEqual(before);
    for (const key of before.filter((one) => one.endsWith(`.${2 - at}.json`))) await damage(vault, key);
    expect(await textsIn(vault)).toEqual(["one", "two"]);
  },
);

test("one changed letter in a copy counts as damage", async () => {
  const vault = await recorded("one");
  const [first = ""] = await copies(vault);
  await vault.write(
    first,
    bytes((await textAt(vault, first))?.replace("one", "two") ?? ""),
    { type: "" },
    always,
  );
  expect(await textsIn(vault)).toEqual(["one"]);
});

test("a decision that is damaged in both copies is an error of its texts only, which names the file and the remedy", async () => {
  const vault = await recorded("one");
  for (const key of await copies(vault)) await damage(vault, key);
  await recordDecision(vault, correction("other", noon, "daily/2026-11-22/hi/daily-horoscope/leo"));
  await expect(textsIn(vault)).rejects.toThrow(
    /the decision journal\/daily\/2026-11-22\/el\/.*: both copies are damaged/,
  );
  const withheld = await readWithheld(vault);
  expect(await withheld.edits("daily/2026-11-22/hi")).toHaveLength(1);
  const entries = await withheld.entries();
  expect(entries).toHaveLength(2);
  expect(entries.filter((entry) => entry.damage !== undefined)).toHaveLength(1);
  expect((await repairJournal(vault)).lost).toEqual([
    expect.stringContaining("journal/daily/2026-11-22/el/"),
  ]);
});

test("a record of a newer version is an error that names that version, not damage", async () => {
  const vault = await recorded("one");
  for (const key of await copies(vault)) {
    const body = (await textAt(vault, key)) ?? "";
    await vault.write(key, bytes(body.replace('"format": 1', '"format": 2')), { type: "" }, always);
  }
  await expect(textsIn(vault)).rejects.toThrow("was written by a newer version of Almanac");
});

test("a site without decisions pays one listing, and of a site with many only the wanted texts' are read", async () => {
  const vault = await recorded("one");
  const calls: string[] = [];
  const withheld = await readWithheld(watched(vault, (call, key) => void calls.push(`${call} ${key}`)));
  calls.length = 0;
  for (const day of ["20", "21", "23"]) expect(await withheld.edits(`daily/2026-11-${day}/el`)).toEqual([]);
  expect(calls).toEqual(["list journal/"]);
  await withheld.edits(group);
  await withheld.edits(group);
  expect(calls).toHaveLength(3);
});

test("the mark of a language changes with each of its decisions, and with no other language's", async () => {
  const vault = await recorded("one");
  const markOf = async () => (await readWithheld(vault)).markOf("el");
  const marks = [await markOf()];
  await recordDecision(vault, correction("two", "2026-11-20T12:00:00.000Z"));
  marks.push(await markOf());
  await recordDecision(vault, correction("other", noon, "daily/2026-11-22/hi/daily-horoscope/leo"));
  expect(await markOf()).toBe(marks[1]);
  expect(new Set(marks).size).toBe(2);
});

// A change of the note and its record.

const subject = { key: leo, path: "el/daily/leo/2026-11-22/index.html" };
const said = { by: "Eleni", reason: "a complaint", at: noon };
const withdrawal = { kind: "withdraw", ...said, subject } satisfies Decision;
const add: NoteChange = (note) =>
  note.withdrawn.length > 0 ? note : { ...note, withdrawn: [{ ...said, ...subject }] };
const drop: NoteChange = (note) => ({ ...note, withdrawn: [] });

test("a command that is killed at any call leaves a withdrawal with its record, or neither; repeated, it records it once", async () => {
  let calls = 0;
  await changeWithheld(
    watched(openMemory(), () => void (calls += 1)),
    add,
    withdrawal,
  );
  expect(calls).toBeGreaterThan(8);
  for (let last = 0; last < calls; last += 1) {
    const vault = openMemory();
    let count = 0;
    const dying = through(vault, async (_, make) => {
      count += 1;
      if (count > last) throw new Error("killed");
      return make();
    });
    await expect(changeWithheld(dying, add, withdrawal)).rejects.toThrow("killed");
    const { isWithdrawn } = await readWithheld(vault);
    expect({ last, kinds: await kindsIn(vault) }).toEqual({
      last,
      kinds: isWithdrawn(leo) ? ["withdraw"] : [],
    });
    await changeWithheld(vault, add, withdrawal);
    expect(await kindsIn(vault)).toEqual(["withdraw"]);
    await changeWithheld(vault, drop, { ...withdrawal, kind: "restore" });
    expect({ last, kinds: await kindsIn(vault) }).toEqual({ last, kinds: ["restore", "withdraw"] });
    expect(await copies(vault)).toHaveLength(4);
  }
});

test("a decision whose writer dies in between has whole copies in the journal after the next change", async () => {
  const vault = openMemory();
  const dying = through(vault, async ({ doing, keys: [key] }, make) => {
    if (doing === "write" && key?.includes(".2.json") === true && key.startsWith("journal/"))
      throw new Error("killed");
    return make();
  });
  await expect(changeWithheld(dying, add, withdrawal)).rejects.toThrow("killed");
  expect(await copies(vault)).toHaveLength(1);
  await changeWithheld(vault, drop);
  expect(await copies(vault)).toHaveLength(2);
  expect(await kindsIn(vault)).toEqual(["withdraw"]);
});

test("of many changes at once, each has its record", async () => {
  const vault = openMemory();
  const keys = Array.from({ length: 12 }, (_, index) => `${group}/daily-tarot/draw-${index + 1}`);
  await Promise.all(
    keys.map((key) =>
      changeWithheld(
        vault,
        (note) => ({ ...note, withdrawn: [...note.withdrawn, { ...said, key, path: key }] }),
        {
          ...withdrawal,
          subject: { key, path: key },
        },
      ),
    ),
  );
  const entries = await (await readWithheld(vault)).entries();
  const found = entries.flatMap(({ decision }) =>
    decision?.kind === "withdraw" ? [decision.subject.key] : [],
  );
  expect(found.toSorted()).toEqual(keys.toSorted());
  expect((await readWithheld(vault)).note.withdrawn).toHaveLength(keys.length);
});

test("a copy of the vault without the newest records has the decisions up to it, and a later one adds the rest", async () => {
  const vault = await recorded("one");
  const older = openMemory();
  await fill({ site: openMemory(), vault: older }, { ...nothing, vault: await contentOf(vault) });
  await recordDecision(vault, correction("two"));
  expect(await textsIn(older)).toEqual(["one"]);
  for (const [key, body] of await contentOf(vault)) await older.write(key, body, { type: "" }, always);
  expect(await textsIn(older)).toEqual(["one", "two"]);
});
