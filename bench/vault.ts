// `npm run bench:vault`: what the vault costs a reading that is kept, in a folder and on a real S3 server: the look
// before the call, and the keeping. Processor time of the main thread, which does all else too, and of the whole
// process, beside a bare loop that writes the same answers as durably. A measurement: it always exits 0.
import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import type { Store } from "../store/store.ts";
import { type StoredResponse, createVault } from "../vault/vault.ts";
import { layout, sha256 } from "../vault/files.ts";
import { languageNames, signs } from "../readings/tables.ts";
import { addDays } from "../readings/calendar.ts";
import { requestKey } from "../readings/request.ts";
import { horoscopeBody } from "./bodies.ts";
import { counted } from "./counted-store.ts";
import { type Kind, kindsOfStore } from "./puts.ts";
import { heading, row, spreadOf } from "./rounds.ts";

const rounds = Number(process.argv[2] ?? 7);
/** A bucket takes ten times as long. */
const readingsOf: Record<string, number> = { folder: 2_000, S3: 400 };
const most = 2_000;
const batchesFirst = 8;
const batchesAtOnce = 3;
const answerAfterMs = 5;

const bytes = horoscopeBody();
const body = new TextDecoder().decode(bytes);
const json = { type: "application/json" };

const responses = Array.from({ length: most }, (_, index): StoredResponse => {
  const set = Math.floor(index / signs.length);
  const language = languageNames[set % languageNames.length] ?? "en";
  const period = addDays("2026-11-21", Math.floor(set / languageNames.length));
  const sign = signs[index % signs.length] ?? "aries";
  const key = requestKey({ operation: "daily-horoscope", language, sign, period });
  const facts = { address: "http://127.0.0.1/", receivedAt: "2026-11-21T08:05:17.000Z", tries: 1 };
  return { format: 1, key, ...facts, run: "almanac-nightly-2026-11-21", bodyHash: "", body, notes: [] };
});

/** A set of twelve signs, as activities/batch.ts has it. */
type ReadingSet = readonly StoredResponse[];
const sets: readonly ReadingSet[] = Array.from({ length: Math.floor(most / signs.length) }, (_, at) =>
  responses.slice(at * signs.length, (at + 1) * signs.length),
);

/** Same steps as activities/batch.ts, without the service and the validation rules. */
function keeping(store: Store): (set: ReadingSet) => Promise<unknown> {
  const vault = createVault(store, "almanac");
  return (set) =>
    Promise.all(
      set.map(async (response) => {
        if ((await vault.intactResponse(response.key)) !== undefined)
          throw new Error(`${response.key} is there`);
        await delay(answerAfterMs);
        await vault.storeResponse({ ...response, bodyHash: sha256(bytes) });
      }),
    );
}

interface Cost {
  readonly mainUs: number;
  readonly allUs: number;
  readonly readingsPerSecond: number;
}

async function costOf(readings: number, keep: (set: ReadingSet) => Promise<unknown>): Promise<Cost> {
  const limit = pLimit(batchesAtOnce);
  const all = sets.slice(0, Math.floor(readings / signs.length));
  await limit.map(all.slice(0, batchesFirst), keep);
  const [startedMs, whole, main] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()];
  await limit.map(all.slice(batchesFirst), keep);
  const many = (all.length - batchesFirst) * signs.length;
  const usOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / many;
  return {
    mainUs: usOf(process.threadCpuUsage(main)),
    allUs: usOf(process.cpuUsage(whole)),
    readingsPerSecond: (many * 1000) / (performance.now() - startedMs),
  };
}

async function bench(kind: Kind): Promise<void> {
  const readings = signs.length * Math.floor((readingsOf[kind.name] ?? most) / signs.length);
  const ours: Cost[] = [];
  const bare: Cost[] = [];
  const told = { read: 0, write: 0, remove: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const { store, counts } = counted(await kind.open());
    ours.push(await costOf(readings, keeping(store)));
    for (const name of ["read", "write", "remove"] as const) told[name] = counts[name] / readings;
    const put = await kind.bare();
    bare.push(
      await costOf(readings, (set) =>
        Promise.all(set.map((one) => put(layout.response(one.key), Buffer.from(JSON.stringify(one)), json))),
      ),
    );
  }
  console.log(
    `\n${kind.name}: ${readings} readings in batches of ${signs.length}, ${batchesAtOnce} batches at once, ${rounds} paired rounds`,
  );
  console.log(
    `  calls a reading: ${told.write.toFixed(2)} writes, ${told.read.toFixed(2)} reads, ${told.remove.toFixed(2)} removals`,
  );
  console.log(heading);
  const lines = [
    ["main thread, microseconds a reading", "mainUs"],
    ["whole process, microseconds a reading", "allUs"],
    ["readings a second", "readingsPerSecond"],
  ] as const;
  for (const [what, figure] of lines) {
    console.log(row(what, spreadOf(ours.map((cost) => cost[figure])), 0));
    console.log(row("  a bare loop of durable writes", spreadOf(bare.map((cost) => cost[figure])), 0));
  }
}

const ends: (() => Promise<void>)[] = [];
try {
  for (const kind of await kindsOfStore((end) => ends.unshift(end))) await bench(kind);
} finally {
  for (const end of ends) await end();
}
