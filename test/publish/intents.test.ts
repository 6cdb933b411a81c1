// Publishers that were at work for so long that fifty others came in between, whose intents have taken the place of older ones.
import { expect, test } from "vitest";
import { readState } from "../../publish/state/state.ts";
import type { PublishingPlace } from "../../publish/state/publishing-place.ts";
import { publishSketch } from "./support/sketch.ts";
import { StageOfPublishers } from "./support/stage-of-publishers.ts";

const english = (draw: string) => (place: PublishingPlace) =>
  publishSketch(place, { run: draw, date: "2026-11-20", languages: ["en"], draw });

const intentsListed = /list vault site\/intents/;
/** With each fiftieth version the intents before the fifty newest are cleared away. */
const clearing = 100;

test("states that are named by late intents alone are not taken for newer than they are", async () => {
  const stage = new StageOfPublishers();
  await stage.alone(english("first"));
  const first = (await stage.look()).pointer.manifest;
  for (const name of ["late", "later"]) {
    stage.begin(name, english(name));
    await stage.past(name, intentsListed); // it has found the first state to be ours, and builds on it
    await stage.until(name, intentsListed);
  }
  for (let version = 2; version <= clearing; version += 1) await stage.alone(english(`${version}`));
  expect((await stage.intents()).some(({ manifest }) => manifest === first)).toBe(false);
  for (const name of ["late", "later"]) await stage.until(name, /write site v1\/pointer/);
  const named = (await stage.intents()).filter(({ after }) => after === first);
  expect(named.map(({ version }) => version)).toEqual([clearing + 1, clearing + 3]); // each saw that it was late, and took another number

  await stage.alone(english("next"));
  expect((await readState(stage.stores.site))?.pointer.version).toBe(clearing + 5);
  for (const name of ["late", "later"]) await stage.end(name);
  expect(await stage.stray()).toEqual([]);
});
