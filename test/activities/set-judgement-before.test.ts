// A service that gives everything a day late: the reading of the day before, asked for once more, has the text of the day before
// that one. No other judgement comes to it.
import { expect, test } from "vitest";
import { judgeSet } from "../../activities/set-judgement.ts";
import { horoscopeData } from "../support/answers.ts";
import { storedResponseWith } from "../support/stored-responses.ts";
import type { Dependencies } from "../../activities/dependencies.ts";
import { composed } from "../support/composed.ts";

const run = "almanac-nightly-2026-11-22";
const keyOn = (date: string) => `daily/${date}/en/daily-horoscope/leo`;
const set = "daily/2026-11-22/en/daily-horoscope";

async function keep({ vault }: Dependencies, date: string, text: string, by: string): Promise<void> {
  const body = JSON.stringify({ success: 1, data: horoscopeData([text], { date }) });
  await vault.storeResponse(storedResponseWith(keyOn(date), body, { run: by }));
}

test("names a reading of the previous day that was requested again and has the text of an earlier day", async () => {
  const { dependencies } = composed();
  const { vault } = dependencies;
  await keep(dependencies, "2026-11-20", "The oldest text.", "an earlier night");
  await keep(dependencies, "2026-11-21", "Yesterday's text.", "an earlier night");
  await keep(dependencies, "2026-11-22", "Yesterday's text.", run);

  const first = await judgeSet({ set, run, last: false }, dependencies);
  expect(first.again).toEqual([keyOn("2026-11-22"), keyOn("2026-11-21")]);
  await keep(dependencies, "2026-11-21", "The oldest text.", run);
  await keep(dependencies, "2026-11-22", "A text of today.", run);

  const second = await judgeSet({ set, run, last: false, lost: first.lost }, dependencies);
  expect(second.again).toEqual([keyOn("2026-11-21")]);
  const last = await judgeSet({ set, run, last: true, lost: first.lost }, dependencies, true);
  expect(last.skipped.map(({ key }) => key)).toEqual([keyOn("2026-11-21")]);
  // The next run requests it again, and readers still see the previous good text.
  expect(await vault.response(keyOn("2026-11-21"))).toBeUndefined();
  expect((await vault.superseded(keyOn("2026-11-21")))?.run).toBe("an earlier night");
  expect(await vault.response(keyOn("2026-11-20"))).toBeDefined();
});

test("names it even if the judgment that caused the request ran twice", async () => {
  const { dependencies } = composed();
  await keep(dependencies, "2026-11-20", "The oldest text.", "an earlier night");
  await keep(dependencies, "2026-11-21", "Yesterday's text.", "an earlier night");
  await keep(dependencies, "2026-11-22", "Yesterday's text.", run);

  const died = await judgeSet({ set, run, last: false }, dependencies);
  const first = await judgeSet({ set, run, last: false }, dependencies, true);
  expect(first).toEqual(died);
  await keep(dependencies, "2026-11-21", "The oldest text.", run);
  await keep(dependencies, "2026-11-22", "A text of today.", run);
  const second = await judgeSet({ set, run, last: false, lost: first.lost }, dependencies);
  expect(second.again).toEqual([keyOn("2026-11-21")]);
});
