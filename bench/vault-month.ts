// What a month of nights asks of a vault in a bucket, by the plan's own bundles: claims and captures, looks at the period before,
// and what a press reads, which is counted on a vault that such nights have filled.
import { bundlesOf, prioritiesOf } from "../readings/bundles.ts";
import { claimOfSheet, mostTogether } from "../readings/claim-names.ts";
import { configurationSchema } from "../readings/configuration.schema.ts";
import { unpackKeys } from "../readings/key-list.ts";
import { languageNames } from "../readings/languages.ts";
import { makePlan } from "../readings/plan.ts";
import { type RequestKey, requestOf } from "../readings/request.ts";
import { requestBefore } from "../readings/sheet-requests.ts";
import type { Bundle } from "../readings/run-messages.ts";
import { inputsOf } from "../publish/press/press-inputs.ts";
import { captureOf } from "../test/support/captures.ts";
import { composed } from "../test/support/composed.ts";
import { openMemory } from "../test/support/memory.ts";
import { editionPrefixes, loadEdition } from "../vault/editions.ts";
import { readWithheld } from "../vault/withheld.ts";
import { counted } from "./counted-store.ts";

export const nights = 30;
/** Each language is pressed by its night and by the turn of its day. */
const pressesADay = 2;
/** A claim that nobody wrote for so many days is swept (vault/claim-files.ts). */
const claimDays = 3;
const configuration = configurationSchema.parse({});

export interface VaultMonth {
  readonly requests: number;
  readonly bundles: number;
  /** Of bundles, besides; the press is told apart. */
  readonly writes: number;
  readonly reads: number;
  readonly press: { readonly reads: number; readonly lists: number };
}

export async function vaultMonth(): Promise<VaultMonth> {
  const held = new Set<RequestKey>();
  const claimedOn = new Map<string, number>();
  const month = { requests: 0, bundles: 0, reads: 0 };
  for (let day = 0; day <= nights; day += 1) {
    const bundles = bundlesOn(day, held);
    for (const { claim, keys } of bundles) {
      const own = unpackKeys(keys);
      if (day > 0) {
        month.requests += own.length;
        month.bundles += 1;
        month.reads += looksAtBefore(own, day, claimedOn);
      }
      for (const key of own) held.add(key);
      claimedOn.set(claim, day);
    }
  }
  const { requests, bundles, reads } = month;
  // A capture each, and a claim that is taken and given back.
  return { requests, bundles, reads, writes: requests + 2 * bundles, press: await pressesOf(held) };
}

function bundlesOn(day: number, held: ReadonlySet<RequestKey>): Bundle[] {
  const instant = new Date(Date.UTC(2026, 10, 21 + day, 3, 5));
  const has = (key: RequestKey): boolean => held.has(key);
  const nothing = { quarantined: () => undefined, callsToday: 0, only: {} };
  const { due } = makePlan({ configuration, instant, held: has, ...nothing });
  const bundling = { size: mostTogether, isProbe: () => false, follows: () => true };
  return [...Map.groupBy(due, ({ request }) => request.language).values()].flatMap((lines) =>
    bundlesOf(lines, { ...bundling, priorities: prioritiesOf(due) }),
  );
}

/** A sheet is compared with the one before by that one's claim, or by its captures where that is swept. */
function looksAtBefore(keys: readonly RequestKey[], day: number, claimedOn: ReadonlyMap<string, number>) {
  const [first] = keys.map(requestOf);
  if (first === undefined || !("sign" in first)) return 0;
  const { operation, language, period } = requestBefore(first);
  const before = claimedOn.get(claimOfSheet(operation, language, period));
  return before !== undefined && day - before <= claimDays ? 1 : 1 + keys.length;
}

async function pressesOf(held: ReadonlySet<RequestKey>): Promise<VaultMonth["press"]> {
  const date = "2026-12-21"; // the last night's
  const { store, counts } = counted(openMemory());
  const { dependencies } = composed({ configuration, vault: store });
  const withheld = await readWithheld(store);
  const presses = { reads: 0, lists: 0 };
  for (const language of languageNames) {
    const prefixes = editionPrefixes(language, date, configuration);
    for (const key of held) {
      const request = prefixes.some((prefix) => key.startsWith(prefix)) ? requestOf(key) : undefined;
      if (request !== undefined) await dependencies.vault.keep(captureOf(request));
    }
    const before = { ...counts };
    await inputsOf(language, date, withheld, dependencies);
    await loadEdition(language, date, dependencies);
    presses.reads += nights * pressesADay * (counts.read - before.read);
    presses.lists += nights * pressesADay * (counts.list - before.list);
  }
  return presses;
}
