import { type Store, absent } from "../../store/store.ts";
import { toTemporal } from "../../activities/temporal-failures.ts";
import { ApplicationFailure } from "@temporalio/common";
import { describe, expect, test } from "vitest";
import type { Capture } from "../../vault/capture.schema.ts";
import { type Claimed, claimNote } from "../../vault/claim-files.ts";
import { sweepClaims, sweepPlans } from "../../vault/claim-sweep.ts";
import { underClaim } from "../../vault/claims.ts";
import { readNote } from "../../vault/note.ts";
import { SeenHolds } from "../../vault/seen-holds.ts";
import { sha256 } from "../../vault/sha256.ts";
import { createVault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";

const name = "daily/2026-11-21/hi/daily-horoscope";
const path = "claims/daily~2026-11-21~hi~daily-horoscope.json";
const key = `${name}/leo`;
const noon = new Date("2026-11-21T12:00:00Z");
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const hold = { attempt: 1, lastsMs: minuteMs, begunMs: noon.getTime() };

const { signal: never } = new AbortController();

function world(store?: Store) {
  const said: string[] = [];
  const say = (_facts: object, message: string) => void said.push(message);
  let at = noon;
  let kept: string | undefined;
  const asking = new Map<string, number>();
  let mostAtOnce = 0;
  const asked: string[] = [];
  const now = () => at;
  const holds = new SeenHolds(() => at.getTime());
  const own = store ?? openMemory(now);
  const needs = { vault: createVault(own), now, holds, log: { info: say, warn: say, error: say } };

  /** As `capture` does with a plan that saw nothing of the request: what the first edition keeps, the others find. */
  async function ask(
    edition: string,
    {
      activity = "1",
      answer = Promise.resolve(),
      signal = never,
      mostMs = 5_000,
      attempt = 1,
      lastsMs = minuteMs,
      begunMs = noon.getTime(),
    } = {},
  ): Promise<string> {
    const claim = { name, edition, activity, hold: { attempt, lastsMs, begunMs } };
    return underClaim(claim, { signal, mostMs }, needs, async (isNew) => {
      if (!isNew && kept !== undefined) return `held: ${kept}`;
      asked.push(edition);
      asking.set(edition, (asking.get(edition) ?? 0) + 1);
      mostAtOnce = Math.max(mostAtOnce, asking.size);
      try {
        await answer;
      } finally {
        const left = (asking.get(edition) ?? 1) - 1;
        if (left > 0) asking.set(edition, left);
        else asking.delete(edition);
      }
      kept ??= edition;
      return `kept: ${edition}`;
    });
  }
  /** Whether an edition is told that nobody has had the claim. */
  const isNew = (edition: string, activity = "1") =>
    underClaim(
      { name, edition, activity, hold },
      { signal: never, mostMs: 5_000 },
      needs,
      async (told) => told,
    );
  const leave = (text: string) => own.write(path, Buffer.from(text), { type: "" }, absent);
  const begun = async (edition: string, times = 1) => {
    await expect.poll(() => asked.filter((one) => one === edition).length, { interval: 5 }).toBe(times);
  };
  const later = (ms: number) => (at = new Date(at.getTime() + ms));
  const claimed = () => readNote(own, claimNote(name));
  const holders = async () => Object.keys((await claimed()).holders);
  return {
    needs,
    store: own,
    ask,
    asked,
    said,
    isNew,
    leave,
    begun,
    later,
    claimed,
    holders,
    mostAtOnce: () => mostAtOnce,
  };
}

/** The file of an edition that died, or of several activities of it. */
function dead(...activities: readonly string[]): string {
  const holders = Object.fromEntries(activities.map((one) => [`a-dead-one/${one}`, hold]));
  return JSON.stringify({ format: 1, editions: ["a-dead-one"], holders });
}
const many = (what: string) => Array.from({ length: 12 }, (_, index) => `${what}-${index}`);

test("of twelve editions that come at once one asks; the others find what it kept, and no claim has a holder", async () => {
  const { ask, asked, holders, mostAtOnce } = world();
  const answers = await Promise.all(many("edition").map((edition) => ask(edition)));
  expect(asked).toHaveLength(1);
  expect(mostAtOnce()).toBe(1);
  expect(answers.filter((answer) => answer === `kept: ${asked[0]}`)).toHaveLength(1);
  expect(answers.filter((answer) => answer === `held: ${asked[0]}`)).toHaveLength(11);
  expect(await holders()).toEqual([]);
});

test("whoever waits goes on when the first has failed", async () => {
  const { ask, asked, begun, holders } = world();
  const answer = Promise.withResolvers<void>();
  const first = ask("first", { answer: answer.promise });
  await begun("first");
  const second = ask("second");
  answer.reject(new Error("no answer"));
  await expect(first).rejects.toThrow("no answer");
  expect(await second).toBe("kept: second");
  expect(asked).toEqual(["first", "second"]);
  expect(await holders()).toEqual([]);
});

describe("activities of one edition", () => {
  test("hold a claim together, and another edition waits for the last of them", async () => {
    const { ask, asked, begun, holders } = world();
    const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = ask("night", { activity: "7", answer: one.promise });
    const second = ask("night", { activity: "8", answer: other.promise });
    await begun("night", 2);
    expect((await holders()).toSorted()).toEqual(["night/7", "night/8"]);
    const backfill = ask("backfill");
    one.resolve();
    await first;
    expect(await holders()).toEqual(["night/8"]);
    await expect(ask("impatient", { mostMs: 150 })).rejects.toThrow(name);
    other.resolve();
    await second;
    expect(await backfill).toBe("held: night");
    expect(asked).toEqual(["night", "night"]);
    expect(await holders()).toEqual([]);
  });

  test("are never told apart by the beginning of an edition's name", async () => {
    const { ask, begun, holders } = world();
    const answer = Promise.withResolvers<void>();
    const first = ask("night-2", { answer: answer.promise });
    await begun("night-2");
    await expect(ask("night", { mostMs: 150 })).rejects.toThrow(name);
    answer.resolve();
    await first;
    expect(await holders()).toEqual([]);
  });

  test("that come and go in any number leave no holder behind, and none of another edition's away", async () => {
    const { ask, asked, holders, mostAtOnce } = world();
    const all = many("activity").flatMap((activity) => [
      ask("night", { activity, mostMs: 60_000 }),
      ask("backfill", { activity, mostMs: 60_000 }),
    ]);
    await Promise.all(all);
    expect(mostAtOnce()).toBe(1);
    expect(new Set(asked).size).toBe(1);
    expect(await holders()).toEqual([]);
  });
});

test("the next attempt of the same activity holds its own claim at once; the late end of the one before leaves it there", async () => {
  const { ask, begun, holders } = world();
  const [stuck, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const before = ask("night", { activity: "7", answer: stuck.promise });
  await begun("night");
  const after = ask("night", { activity: "7", answer: next.promise, attempt: 2 });
  await begun("night", 2);
  stuck.reject(new Error("given up for dead"));
  await expect(before).rejects.toThrow("given up for dead");
  expect(await holders()).toEqual(["night/7"]);
  await expect(ask("backfill", { mostMs: 150 })).rejects.toThrow(name);
  next.resolve();
  expect(await after).toBe("kept: night");
  expect(await holders()).toEqual([]);
});

test("an attempt that was held up on its way to the claim neither shortens nor ends what the next one holds", async () => {
  const { ask, begun, claimed } = world();
  const answer = Promise.withResolvers<void>();
  const next = ask("night", { activity: "7", answer: answer.promise, attempt: 2 });
  await begun("night");
  const held = { "night/7": { ...hold, attempt: 2 } };
  await ask("night", { activity: "7" });
  expect((await claimed()).holders).toEqual(held);
  answer.resolve();
  await next;
  expect((await claimed()).holders).toEqual({});
});

/** Where its database is as it was earlier, or somebody resets the run. */
describe("an activity that Temporal has forgotten, whose attempts are counted anew", () => {
  const halfLater = noon.getTime() + minuteMs / 2;

  test("has its claim for as long as any, though others have seen an attempt of that number before", async () => {
    const { ask, begun, later, holders } = world();
    const [first, again] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const before = ask("night", { activity: "7", answer: first.promise });
    await begun("night");
    await expect(ask("backfill", { mostMs: 150 })).rejects.toThrow(name);
    later(minuteMs / 2);
    const anew = ask("night", { activity: "7", answer: again.promise, begunMs: halfLater });
    await begun("night", 2);
    first.reject(new Error("its worker has died"));
    await expect(before).rejects.toThrow("its worker has died");
    later(minuteMs / 2 + 1_000);
    await expect(ask("backfill", { mostMs: 150 })).rejects.toThrow(name);
    again.resolve();
    expect(await anew).toBe("kept: night");
    expect(await holders()).toEqual([]);
  });

  test("holds the claim, of whatever number the attempt was that holds it still", async () => {
    const { ask, begun, claimed } = world();
    const [late, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const before = ask("night", { activity: "7", answer: late.promise, attempt: 3 });
    await begun("night");
    const anew = ask("night", { activity: "7", answer: answer.promise, begunMs: halfLater });
    await begun("night", 2);
    const held = { "night/7": { attempt: 1, lastsMs: minuteMs, begunMs: halfLater } };
    expect((await claimed()).holders).toEqual(held);
    late.resolve();
    await before;
    expect((await claimed()).holders).toEqual(held);
    answer.resolve();
    await anew;
    expect((await claimed()).holders).toEqual({});
  });
});

test("an attempt that was given up for dead and has its answer after all leaves nobody without it: none asks any more", async () => {
  const { ask, asked, begun, holders } = world();
  const [slow, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const before = ask("night", { activity: "7", answer: slow.promise });
  await begun("night");
  const after = ask("night", { activity: "7", answer: next.promise, attempt: 2 });
  await begun("night", 2);
  slow.resolve();
  expect(await before).toBe("kept: night");
  const others = many("edition").map((edition) => ask(edition, { mostMs: 20_000 }));
  next.resolve();
  await after;
  expect(await Promise.all(others)).toEqual(others.map(() => "held: night"));
  expect(asked).toEqual(["night", "night"]);
  expect(await holders()).toEqual([]);
});

test.each([
  ["taken over by another edition", { "another/1": hold }],
  ["held by others of the edition besides", { "first/1": hold, "first/2": hold }],
])("a claim that was %s meanwhile is given back in its own part alone", async (_, others) => {
  const { ask, begun, store, leave, claimed } = world();
  const answer = Promise.withResolvers<void>();
  const first = ask("first", { answer: answer.promise });
  await begun("first");
  await store.remove([path]);
  await leave(JSON.stringify({ format: 1, editions: ["first", "another"], holders: others }));
  answer.resolve();
  expect(await first).toBe("kept: first");
  const { "first/1": __, ...left }: Record<string, typeof hold> = others;
  expect(await claimed()).toEqual({ editions: ["first", "another"], holders: left });
});

test("a claim whose file is gone when it is given back is not made again", async () => {
  const { ask, begun, store } = world();
  const answer = Promise.withResolvers<void>();
  const first = ask("first", { answer: answer.promise });
  await begun("first");
  await store.remove([path]);
  answer.resolve();
  expect(await first).toBe("kept: first");
  expect(await store.read(path)).toBeUndefined();
});

describe("a claim is new", () => {
  test("to who takes it first alone: a run that was reset begins the same activity anew", async () => {
    const { isNew } = world();
    expect(await isNew("night")).toBe(true);
    expect(await isNew("night")).toBe(false);
    expect(await isNew("night", "2")).toBe(false);
  });

  test("to no other edition, whether the first kept something or failed, and from then on not to the first either", async () => {
    const { isNew, ask } = world();
    await expect(ask("night", { answer: Promise.reject(new Error("no answer")) })).rejects.toThrow();
    expect(await isNew("backfill")).toBe(false);
    expect(await isNew("night")).toBe(false);
    expect(await isNew("backfill")).toBe(false);
  });

  test("to nobody who takes it over from a dead one", async () => {
    const { isNew, ask, leave, later } = world();
    await leave(dead("7", "8"));
    await expect(ask("night", { mostMs: 150 })).rejects.toThrow(name);
    later(minuteMs);
    expect(await isNew("night")).toBe(false);
  });

  test("to nobody who finds it damaged, and stays so for the same edition's next bundles", async () => {
    const { isNew, leave } = world();
    await leave("{");
    expect(await isNew("night")).toBe(false);
    expect(await isNew("night", "2")).toBe(false);
  });

  test("to none of many that have had it in turn, however few of them it remembers", async () => {
    const { isNew, claimed } = world();
    expect(await isNew("edition-0")).toBe(true);
    for (const edition of [...many("edition").slice(1), ...many("edition")])
      expect(await isNew(edition)).toBe(false);
    expect((await claimed()).editions).toHaveLength(2);
  });
});

test("a bundle of twelve costs the store two calls beside its answers; one that others had before costs four", async () => {
  const memory = openMemory();
  const calls: string[] = [];
  const tell = (call: string) => void calls.push(call);
  const { needs } = world({
    ...memory,
    read: (file) => (tell(`read ${file}`), memory.read(file)),
    write: (file, ...rest) => (tell(`write ${file}`), memory.write(file, ...rest)),
    remove: (files) => (tell(`remove ${files.join(" ")}`), memory.remove(files)),
  });
  const { vault } = needs;
  const callsOf = async (edition: string, look: boolean) => {
    calls.length = 0;
    const capture: Capture = {
      format: 1,
      key,
      address: "https://service.example/api/v5/daily-horoscope",
      receivedAt: noon.toISOString(),
      tries: 1,
      run: edition,
      bodyHash: sha256("{}"),
      body: "{}",
      notes: [],
    };
    const keys = many("sign").map((sign) => `${name}/${sign}`);
    const claim = { name, edition, activity: "1", hold };
    await underClaim(claim, { signal: never, mostMs: 5_000 }, needs, async (isNew) => {
      expect(isNew).toBe(!look);
      for (const one of keys)
        if (isNew || (await vault.capture(one)) === undefined) await vault.keep({ ...capture, key: one });
    });
    return calls.filter((call) => !call.includes("captures/"));
  };
  expect(await callsOf("night", false)).toEqual([`write ${path}`, `write ${path}`]);
  expect(await callsOf("backfill", true)).toEqual([
    `write ${path}`,
    `read ${path}`,
    `write ${path}`,
    `write ${path}`,
  ]);
});

test("a dead edition's claim keeps others away until its last attempt ends, and then one of twelve takes it", async () => {
  const { ask, asked, leave, later, holders } = world();
  await leave(dead("7", "8"));
  const waiting = many("edition").map((edition) => ask(edition, { mostMs: 20_000 }));
  await expect(ask("impatient", { mostMs: 250 })).rejects.toThrow();
  later(minuteMs - 1);
  await expect(ask("impatient", { mostMs: 250 })).rejects.toThrow();
  expect(asked).toEqual([]);
  later(1);
  const answers = await Promise.all(waiting);
  expect(asked).toHaveLength(1);
  expect(answers.filter((answer) => answer.startsWith("held:"))).toHaveLength(11);
  expect(await holders()).toEqual([]);
});

test("a hold of the version before, which says a time by a clock, is waited for as a long one, whatever the clock says", async () => {
  const { ask, asked, leave, later } = world();
  const holders = { "a-dead-one/7": "2020-01-01T00:00:00.000Z" };
  await leave(JSON.stringify({ format: 1, editions: ["a-dead-one"], holders }));
  await expect(ask("night", { mostMs: 150 })).rejects.toThrow(name);
  later(10 * minuteMs - 1);
  await expect(ask("night", { mostMs: 150 })).rejects.toThrow(name);
  later(1);
  expect(await ask("night")).toBe("kept: night");
  expect(asked).toEqual(["night"]);
});

test("a hold that changes meanwhile is waited for anew", async () => {
  const { ask, asked, later, begun, claimed } = world();
  const answer = Promise.withResolvers<void>();
  const first = ask("night", { activity: "7", answer: answer.promise });
  await begun("night");
  await expect(ask("backfill", { mostMs: 150 })).rejects.toThrow(name);
  later(minuteMs - 1);
  const second = ask("night", { activity: "7", attempt: 2, answer: answer.promise });
  await begun("night", 2);
  later(1);
  await expect(ask("backfill", { mostMs: 150 })).rejects.toThrow(name);
  expect(asked).toEqual(["night", "night"]);
  answer.resolve();
  await Promise.all([first, second]);
  expect((await claimed()).holders).toEqual({});
});

test("an edition goes on with what its own dead activities hold, and those keep others away after it", async () => {
  const { ask, asked, leave, holders } = world();
  await leave(dead("7", "8"));
  expect(await ask("a-dead-one", { activity: "7" })).toBe("kept: a-dead-one");
  expect(await holders()).toEqual(["a-dead-one/8"]);
  await expect(ask("another", { mostMs: 150 })).rejects.toThrow();
  expect(asked).toEqual(["a-dead-one"]);
});

test("whoever has waited long enough leaves, for Temporal to try again in a second", async () => {
  const { ask, leave } = world();
  await leave(dead("7"));
  const reason = await ask("night", { mostMs: 150 }).catch((error: unknown) => error);
  const failure = toTemporal(reason, 1);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type: "ClaimedElsewhere", nonRetryable: false, nextRetryDelay: 1_000 });
  expect(String(failure)).toContain(name);
});

test("whoever is cancelled while waiting leaves at once, and the claim stays its holder's", async () => {
  const { ask, asked, begun, holders } = world();
  const answer = Promise.withResolvers<void>();
  const cancelled = new AbortController();
  const first = ask("first", { answer: answer.promise });
  await begun("first");
  const second = ask("second", { signal: cancelled.signal });
  cancelled.abort(new Error("cancelled"));
  await expect(second).rejects.toThrow();
  expect(await holders()).toEqual(["first/1"]);
  answer.resolve();
  expect(await first).toBe("kept: first");
  expect(asked).toEqual(["first"]);
});

test.each(["{", '{"format":9}', '{"format":1,"editions":["first"],"holders":{"first/1":{"attempt":0}}}'])(
  "a claim that can't be read, %s, is nobody's",
  async (text) => {
    const { ask, leave, holders } = world();
    await leave(text);
    expect(await ask("night")).toBe("kept: night");
    expect(await holders()).toEqual([]);
  },
);

test("what was kept is answered although its claim can't be given back", async () => {
  const memory = openMemory();
  let writes = 0;
  const { ask, said } = world({
    ...memory,
    async write(...given) {
      writes += 1;
      if (writes > 1) throw new Error("the store is away");
      return memory.write(...given);
    },
  });
  expect(await ask("night")).toBe("kept: night");
  expect(said).toEqual([expect.stringContaining(path)]);
});

test("claims and plans that nobody wrote for three days are swept, and nothing that is held or younger", async () => {
  const { needs, store, ask, later, begun, claimed } = world();
  const put = (file: string) => store.write(file, Buffer.from("claimed?"), { type: "" }, absent);
  await put("claims/damaged.json");
  await put("plans/run/start/hi/0.json");
  await put("captures/daily/2026-11-21/hi/daily-horoscope/leo.json");
  later(dayMs);
  const answer = Promise.withResolvers<void>();
  const asking = ask("night", { answer: answer.promise, lastsMs: 9 * dayMs });
  await begun("night");
  later(2 * dayMs);
  expect(await sweepClaims("a-night", needs)).toBe(0);
  later(1);
  expect(await sweepClaims("a-night", needs)).toBe(1);
  await sweepPlans(needs);
  expect(await store.read("plans/run/start/hi/0.json")).toBeUndefined();
  expect(Object.keys((await claimed()).holders)).toEqual(["night/1"]);
  answer.resolve();
  await asking;
  const given: Claimed = await claimed();
  expect(given).toEqual({ editions: ["night"], holders: {} });
  later(3 * dayMs + 1);
  expect(await sweepClaims("a-night", needs)).toBe(1);
  const left = await Array.fromAsync(store.list(""), (file) => file.key);
  expect(left).toEqual(["captures/daily/2026-11-21/hi/daily-horoscope/leo.json"]);
});

test("a claim that somebody takes over while it is swept stays", async () => {
  const { needs, store, ask, later, begun, claimed } = world();
  const free = Buffer.from(JSON.stringify({ format: 1, editions: ["night"], holders: {} }));
  await store.write(path, free, { type: "application/json" }, absent);
  later(3 * dayMs + 1);
  const answer = Promise.withResolvers<void>();
  let asking: Promise<unknown> | undefined;
  const takenOver: Store = {
    ...store,
    async read(found) {
      const stored = await store.read(found);
      if (asking === undefined) {
        asking = ask("backfill", { answer: answer.promise, lastsMs: 9 * dayMs });
        await begun("backfill");
      }
      return stored;
    },
  };
  expect(await sweepClaims("a-night", { ...needs, vault: createVault(takenOver) })).toBe(0);
  expect(Object.keys((await claimed()).holders)).toEqual(["backfill/1"]);
  answer.resolve();
  await asking;
});
