// Responses that an operator accepted stay accepted, whatever the set rules find.
import { expect, test } from "vitest";
import type { StoredResponse } from "../../vault/vault.ts";
import { judgeSet } from "../../activities/set-judgement.ts";
import { day, horoscopeData } from "../support/answers.ts";
import { storedResponseWith } from "../support/stored-responses.ts";
import { composed } from "../support/composed.ts";

const set = `daily/${day}/en/daily-horoscope`;
const run = "almanac-nightly-2026-11-21";
const accepted = { by: "editor", at: "2026-11-21T12:00:00.000Z", why: "the service has one text for both" };

function responseFor(sign: string, more: Partial<StoredResponse> = {}): StoredResponse {
  const body = JSON.stringify({ success: 1, data: horoscopeData(["The same text for two signs."]) });
  return storedResponseWith(`${set}/${sign}`, body, { run, ...more });
}

test("an accepted reading stays, and the reading that equals it is removed", async () => {
  const { dependencies } = composed();
  await dependencies.vault.storeResponse(responseFor("aries", { accepted }));
  await dependencies.vault.storeResponse(responseFor("leo"));
  const judged = await judgeSet({ set, run, last: false }, dependencies);
  expect(judged).toEqual({ again: [`${set}/leo`], skipped: [] });
  expect(await dependencies.vault.held("")).toEqual([`${set}/aries`]);
});

test("two equal readings stay if both were accepted", async () => {
  const { dependencies } = composed();
  await dependencies.vault.storeResponse(responseFor("aries", { accepted }));
  await dependencies.vault.storeResponse(responseFor("leo", { accepted }));
  expect(await judgeSet({ set, run, last: true }, dependencies)).toEqual({ again: [], skipped: [] });
  expect(await dependencies.vault.held("")).toHaveLength(2);
});
