import { type Store, absent } from "../../store/store.ts";
import { toTemporal } from "../../activities/temporal-failures.ts";
import { ApplicationFailure } from "@temporalio/common";
import { expect, test } from "vitest";
import { sweepClaims } from "../../vault/claim-files.ts";
import type { Capture } from "../../vault/capture.schema.ts";
import { underClaim } from "../../vault/claims.ts";
import { createVault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";

const key = "daily/2026-11-21/hi/daily-horoscope/leo";
const path = "claims/daily~2026-11-21~hi~daily-horoscope~leo.json";
const against = ["quarantine/leo.json", "refusals/daily-horoscope.json"];
const noon = new Date("2026-11-21T12:00:00Z");
const inAMinute = new Date(noon.getTime() + 60_000);

const { signal: never } = new AbortController();

function world(store: Store = openMemory()) {
  const said: string[] = [];
  const say = (_facts: object, message: string) => void said.push(message);
  let at = noon;
  let kept: string | undefined;
  let asking = 0;
  let mostAtOnce = 0;
  const asked: string[] = [];
  const needs = { vault: createVault(store), now: () => at, log: { info: say, warn: say, error: say } };

  /** As `capture` does: what the first one keeps, the others find. */
  async function ask(
    owner: string,
    {
      answer = Promise.resolve(),
      signal = never,
      mostMs = 5_000,
      expiresAt = inAMinute,
      missed = false,
    } = {},
  ): Promise<string> {
    return underClaim(
      { key, owner, expiresAt: expiresAt.toISOString() },
      { signal, mostMs, isMissed: () => missed },
      needs,
      {
        settles: against,
        held: async () => (kept === undefined ? undefined : `held: ${kept}`),
        ask: async () => {
          asked.push(owner);
          asking += 1;
          mostAtOnce = Math.max(mostAtOnce, asking);
          await answer.finally(() => (asking -= 1));
          kept = owner;
          return `kept: ${owner}`;
        },
      },
    );
  }
  const leave = (claim: object) =>
    store.write(path, new TextEncoder().encode(JSON.stringify(claim)), { type: "" }, absent);
  const begun = async (owner: string) => {
    await expect.poll(() => asked, { interval: 5, timeout: 5_000 }).toContain(owner);
  };
  const later = (ms: number) => (at = new Date(at.getTime() + ms));
  return { needs, store, ask, asked, said, leave, begun, later, mostAtOnce: () => mostAtOnce };
}
const dead = (expiresAt: Date) => ({ format: 1, owner: "a-dead-one", expiresAt });
const many = (name: string) => Array.from({ length: 12 }, (_, index) => `${name}-${index}`);

test("of twelve that come at once one asks; the others find what it kept, and no claim is left", async () => {
  const { ask, asked, store, mostAtOnce } = world();
  const answers = await Promise.all(many("worker").map((owner) => ask(owner)));
  expect(asked).toHaveLength(1);
  expect(mostAtOnce()).toBe(1);
  expect(answers.filter((answer) => answer === `kept: ${asked[0]}`)).toHaveLength(1);
  expect(answers.filter((answer) => answer === `held: ${asked[0]}`)).toHaveLength(11);
  expect(await store.read(path)).toBeUndefined();
});

test("whoever waits goes on when the first has failed", async () => {
  const { ask, asked, begun, store } = world();
  const answer = Promise.withResolvers<void>();
  const first = ask("first", { answer: answer.promise });
  await begun("first");
  const second = ask("second");
  answer.reject(new Error("no answer"));
  await expect(first).rejects.toThrow("no answer");
  expect(await second).toBe("kept: second");
  expect(asked).toEqual(["first", "second"]);
  expect(await store.read(path)).toBeUndefined();
});

test("the next attempt of the same activity takes its own claim over at once; the late end of the one before leaves it there", async () => {
  const { ask, asked, begun, store } = world();
  const [stuck, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const before = ask("activity 7", { answer: stuck.promise });
  await begun("activity 7");
  const expiresAt = new Date(inAMinute.getTime() + 1);
  const after = ask("activity 7", { answer: next.promise, expiresAt });
  await expect.poll(() => asked, { interval: 5 }).toHaveLength(2);
  stuck.reject(new Error("given up for dead"));
  await expect(before).rejects.toThrow("given up for dead");
  expect(await store.read(path)).toBeDefined();
  next.resolve();
  expect(await after).toBe("kept: activity 7");
  expect(await store.read(path)).toBeUndefined();
});

test("an attempt that was given up for dead and has its answer after all leaves nobody without it: none asks any more", async () => {
  const { ask, asked, begun, store } = world();
  const [slow, next] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const before = ask("activity 7", { answer: slow.promise });
  await begun("activity 7");
  const expiresAt = new Date(inAMinute.getTime() + 1);
  const after = ask("activity 7", { answer: next.promise, expiresAt });
  await expect.poll(() => asked, { interval: 5 }).toHaveLength(2);
  slow.resolve();
  expect(await before).toBe("kept: activity 7");
  expect(await Promise.all(many("worker").map((owner) => ask(owner)))).toEqual(
    many("worker").map(() => "held: activity 7"),
  );
  next.resolve();
  await after;
  expect(asked).toHaveLength(2);
  expect(await store.read(path)).toBeUndefined();
});

for (const [why, late] of [
  ["an attempt that was missed", { missed: true, byMs: 0 }],
  ["an attempt whose time is over", { missed: false, byMs: 60_000 }],
] as const) {
  test(`${why} looks whose the claim is by then, and leaves another's there`, async () => {
    const { ask, begun, later, store, leave } = world();
    const answer = Promise.withResolvers<void>();
    const first = ask("first", { answer: answer.promise, missed: late.missed });
    await begun("first");
    later(late.byMs);
    await store.remove([path]);
    await leave({ format: 1, owner: "another", expiresAt: new Date(noon.getTime() + 1e6) });
    answer.resolve();
    expect(await first).toBe("kept: first");
    expect(await store.read(path)).toBeDefined();
  });
}

test("a kept reading costs the store four calls: what spoke against it goes with the claim; one that was held already costs three", async () => {
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
  const callsOf = async (owner: string) => {
    calls.length = 0;
    const capture: Capture = {
      format: 1,
      key,
      address: "https://service.example/api/v5/daily-horoscope",
      receivedAt: noon.toISOString(),
      tries: 1,
      run: owner,
      bodyHash: "0".repeat(64),
      body: "{}",
      notes: [],
    };
    const patience = { signal: never, mostMs: 5_000, isMissed: () => false };
    await underClaim({ key, owner, expiresAt: inAMinute.toISOString() }, patience, needs, {
      held: () => vault.capture(key),
      ask: () => vault.keep(capture),
      settles: vault.against(key),
    });
    return [...calls];
  };
  const look = `read captures/${key}.json`;
  expect(await callsOf("worker")).toEqual([
    `write ${path}`,
    look,
    `write captures/${key}.json`,
    `remove quarantine/${key}.json refusals/daily-horoscope.json ${path}`,
  ]);
  expect(await callsOf("another")).toEqual([`write ${path}`, look, `remove ${path}`]);
});

test("what speaks against a request stays when no answer came", async () => {
  const { ask, store } = world();
  await store.write("quarantine/leo.json", Buffer.from("{}"), { type: "" }, absent);
  await expect(ask("worker", { answer: Promise.reject(new Error("no answer")) })).rejects.toThrow(
    "no answer",
  );
  expect(await store.read("quarantine/leo.json")).toBeDefined();
  expect(await store.read(path)).toBeUndefined();
});

test("a dead worker's claim keeps others away until it ends, and then one of twelve takes it", async () => {
  const { ask, asked, leave, later } = world();
  await leave(dead(inAMinute));
  const waiting = many("worker").map((owner) => ask(owner, { mostMs: 20_000 }));
  await expect(ask("impatient", { mostMs: 250 })).rejects.toThrow();
  expect(asked).toEqual([]);
  later(60_000);
  const answers = await Promise.all(waiting);
  expect(asked).toHaveLength(1);
  expect(answers.filter((answer) => answer.startsWith("held:"))).toHaveLength(11);
});

test("whoever has waited long enough leaves, for Temporal to try again in a second", async () => {
  const { ask, leave } = world();
  await leave(dead(inAMinute));
  const reason = await ask("worker", { mostMs: 150 }).catch((error: unknown) => error);
  const failure = toTemporal(reason, 1);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type: "ClaimedElsewhere", nonRetryable: false, nextRetryDelay: 1_000 });
  expect(String(failure)).toContain(key);
});

test("whoever is cancelled while waiting leaves at once, and the claim stays its owner's", async () => {
  const { ask, asked, begun, store } = world();
  const answer = Promise.withResolvers<void>();
  const cancelled = new AbortController();
  const first = ask("first", { answer: answer.promise });
  await begun("first");
  const second = ask("second", { signal: cancelled.signal });
  cancelled.abort(new Error("cancelled"));
  await expect(second).rejects.toThrow();
  expect(await store.read(path)).toBeDefined();
  answer.resolve();
  expect(await first).toBe("kept: first");
  expect(asked).toEqual(["first"]);
});

test("a claim that can't be read is nobody's", async () => {
  const { ask, leave, store } = world();
  await leave({ format: 9 });
  expect(await ask("worker")).toBe("kept: worker");
  expect(await store.read(path)).toBeUndefined();
});

test("what was kept is answered although its claim can't be taken away", async () => {
  const memory = openMemory();
  const { ask, said } = world({
    ...memory,
    remove: async () => {
      throw new Error("the store is away");
    },
  });
  expect(await ask("worker")).toBe("kept: worker");
  expect(said).toEqual([expect.stringContaining(path)]);
});

test("what dead workers left behind is swept once it has ended, and nothing that somebody holds or takes over meanwhile", async () => {
  const { needs, store, leave, later, ask, asked, begun } = world();
  await leave(dead(inAMinute));
  await store.write("claims/damaged.json", Buffer.from("claimed?"), { type: "" }, absent);
  expect(await sweepClaims("a-night", needs)).toBe(1); // the damaged one
  expect(await store.read(path)).toBeDefined();
  later(60_000);
  const takenOver: Store = {
    ...store,
    async read(found) {
      const stored = await store.read(found);
      if (asked.length === 0) {
        void ask("another", {
          answer: new Promise(() => undefined),
          expiresAt: new Date(noon.getTime() + 1e6),
        });
        await begun("another");
      }
      return stored;
    },
  };
  expect(await sweepClaims("a-night", { ...needs, vault: createVault(takenOver) })).toBe(0);
  later(1e6);
  expect(await sweepClaims("a-night", needs)).toBe(1);
  expect(await store.read(path)).toBeUndefined();
});
