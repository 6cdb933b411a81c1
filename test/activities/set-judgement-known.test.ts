// Judging a set that its worker has just stored: the reads of the previous period, and the same result as with all reads.
import { expect, test } from "vitest";
import { type JustStored, judgeSet } from "../../activities/set-judgement.ts";
import { addDays } from "../../readings/calendar.ts";
import { type HoroscopeRequest, requestKey, setKey } from "../../readings/request.ts";
import { signs } from "../../readings/tables.ts";
import type { Store } from "../../store/store.ts";
import { type StoredResponse, createVault } from "../../vault/vault.ts";
import { layout } from "../../vault/files.ts";
import { day, horoscopeData } from "../support/answers.ts";
import { storedResponseWith } from "../support/stored-responses.ts";
import { composed } from "../support/composed.ts";
import { openMemory } from "../support/memory.ts";
import { startProxy } from "../support/s3-proxy.ts";
import { s3ForTests } from "../support/s3.ts";

const s3 = await s3ForTests();

const run = "almanac-nightly-2026-11-21";
const operation = "daily-horoscope";
const nextDay = addDays(day, 1);

/** The words of a sign's text, another each day. */
type Words = Partial<Record<(typeof signs)[number], string>>;

function responsesOf(period: string, words: Words = {}): StoredResponse[] {
  return signs.map((sign) => {
    const request: HoroscopeRequest = { operation, language: "en", period, sign };
    const data = horoscopeData([words[sign] ?? `The text of ${sign} for ${period}.`]);
    return storedResponseWith(requestKey(request), JSON.stringify({ success: 1, data }), { run });
  });
}

function world(store: Store = openMemory()) {
  const reads: string[] = [];
  const read = (key: string) => (reads.push(key), store.read(key));
  const { dependencies } = composed({ vault: { ...store, read } });

  /** Same steps as activities/batch.ts for a batch that is a whole set. */
  async function night(period: string, words?: Words, { isFirst = false } = {}) {
    const responses = responsesOf(period, words);
    for (const response of responses) await dependencies.vault.storeResponse(response);
    const own: JustStored = { responses: new Map(responses.map((one) => [one.key, one])), isFirst };
    reads.length = 0;
    const set = responses[0]?.key.slice(0, responses[0].key.lastIndexOf("/")) ?? "";
    return judgeSet({ set, run, last: false }, dependencies, false, own);
  }
  const held = () => createVault(store, "almanac").held("");
  return { night, reads, held, store, dependencies };
}

const good = { again: [], skipped: [], lost: undefined };

test("a set is compared with the stored responses of the previous day, if there are any", async () => {
  const { night, reads } = world();
  expect(await night(day, {}, { isFirst: true })).toEqual(good);
  expect(reads).toEqual([]);
  expect(await night(nextDay)).toEqual(good);
  expect(reads).toEqual(responsesOf(day).map(({ key }) => layout.response(key)));
});

test("in a bucket, judging a set with a previous day costs twelve stored responses and twelve reads", async () => {
  const proxy = await startProxy(s3.endpoint);
  // A call is repeated if its answer is late, which a busy machine can cause.
  const limits = { attemptMs: 60_000, hastyMs: 60_000 };
  const { night } = world(s3.open({ endpoint: proxy.endpoint, limits }));
  const callsOf = async (period: string, isFirst: boolean) => {
    proxy.clear();
    await night(period, {}, { isFirst });
    return Object.fromEntries(
      [...Map.groupBy(proxy.calls, ({ method }) => method)].map(([method, calls]) => [method, calls.length]),
    );
  };
  expect(await callsOf(day, true)).toEqual({ PUT: 12 });
  expect(await callsOf(nextDay, false)).toEqual({ PUT: 12, GET: 12 });
});

test("a text that repeats the previous day's is found, and both readings are rejected, even if nothing was known before", async () => {
  const words = { leo: "One text for both days." };
  const all = world();
  for (const response of [...responsesOf(day, words), ...responsesOf(nextDay, words)])
    await all.dependencies.vault.storeResponse(response);
  const set = setKey({ operation, language: "en", period: nextDay, sign: "leo" });
  const expected = await judgeSet({ set, run, last: false }, all.dependencies);
  expect(expected.again).toHaveLength(2);

  const { night, held } = world();
  await night(day, words, { isFirst: true });
  expect(await night(nextDay, words)).toEqual(expected);
  expect(await held()).toEqual(await all.held());
});

test("two signs with the same text are found on the first day", async () => {
  const { night, reads } = world();
  const words = { leo: "One text for two signs.", virgo: "One text for two signs." };
  expect((await night(day, words, { isFirst: true })).again).toHaveLength(2);
  expect(reads.filter((key) => key.startsWith("responses/"))).toEqual([]);
});
