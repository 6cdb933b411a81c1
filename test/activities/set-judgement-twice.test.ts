// A judgement whose worker dies before it has told what it found is made again, on a set that has changed meanwhile.
import { expect, test } from "vitest";
import { judgeSet } from "../../activities/set-judgement.ts";
import { day, horoscopeData } from "../support/answers.ts";
import { storedResponseWith } from "../support/stored-responses.ts";
import { composed } from "../support/composed.ts";

const run = "almanac-nightly-2026-11-21";
const set = `daily/${day}/en/daily-horoscope`;

async function worldOf(texts: Record<string, string>) {
  const { dependencies } = composed();
  for (const [sign, text] of Object.entries(texts)) {
    const body = JSON.stringify({ success: 1, data: horoscopeData([text]) });
    await dependencies.vault.storeResponse(storedResponseWith(`${set}/${sign}`, body, { run }));
  }
  return dependencies;
}

test("names the readings that the previous attempt already rejected", async () => {
  const dependencies = await worldOf({ leo: "One text.", virgo: "One text.", libra: "Another text." });
  const first = await judgeSet({ set, run, last: false }, dependencies);
  expect(first.again).toEqual([`${set}/leo`, `${set}/virgo`]);
  expect(await judgeSet({ set, run, last: false }, dependencies, true)).toEqual(first);
  const last = await judgeSet({ set, run, last: true }, dependencies, true);
  expect(last).toEqual({
    again: [],
    skipped: [
      { key: `${set}/leo`, type: "Unfit", reason: expect.stringContaining("another-sign") },
      { key: `${set}/virgo`, type: "Unfit", reason: expect.stringContaining("another-sign") },
    ],
  });
});

test("leaves readings that another run or another rule quarantined", async () => {
  const dependencies = await worldOf({ leo: "One text.", virgo: "One text." });
  await judgeSet({ set, run: "an-earlier-night", last: true }, dependencies);
  expect(await judgeSet({ set, run, last: false }, dependencies, true)).toEqual({
    again: [],
    skipped: [],
  });
});
