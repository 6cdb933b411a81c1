// Faults of each night, drawn from a seed: the same seed gives the same plan. Each kind of fault is dealt from a shuffled pack, so
// thirty nights meet all of them, whatever the seed.
import { type Language, signs } from "../../readings/tables.ts";
import { pick, type Random, seededRandom } from "../../packages/sandbox/random.ts";
import type { FaultsSetting } from "../../packages/sandbox/settings.ts";

const services = ["calm", "flaky", "slow", "rude", "refusal", "outage", "rotation"] as const;
const workers = ["none", "none", "none", "killed", "none", "stopped", "killed", "frozen"] as const;
const stores = ["none", "none", "vault", "none", "site"] as const;
const clocks = ["none", "ahead", "none", "step", "none", "back", "none"] as const;
const attacks = ["none", "part", "none", "state", "none", "old state", "none", "manifest", "none"] as const;

export type ServiceTrouble = (typeof services)[number];
export type WorkerTrouble = (typeof workers)[number];
export type ClockTrouble = (typeof clocks)[number];
export type Attack = (typeof attacks)[number];

export interface Trouble {
  readonly service: ServiceTrouble;
  /** Lasts from the beginning of the night to its end. */
  readonly rules: FaultsSetting;
  readonly worker: WorkerTrouble;
  /** The store that refuses every write for a while. */
  readonly store: (typeof stores)[number];
  readonly refusesForMs: number;
  /** Progress at which each happens, as a share of the night's requests; from 1 on, during the publish. */
  readonly serviceAt: number;
  readonly workerAt: number;
  readonly storeAt: number;
  /** The clocks of all workers jump: by hours during the night, and by more than a year before the page changes. */
  readonly clock: ClockTrouble;
  readonly clockAt: number;
  /** The attack by somebody without a key on the site's store before the page changes. */
  readonly attack: Attack;
}

export function planTroubles(seed: number, count: number, languages: readonly Language[]): Trouble[] {
  const random = seededRandom(seed);
  const [service, worker, store] = [deal(services, random), deal(workers, random), deal(stores, random)];
  const [clock, attack] = [deal(clocks, random), deal(attacks, random)];
  const troubles: Trouble[] = [];
  for (let night = 0; night < count; night += 1) {
    const drawn = service();
    // A night requests again what the one before skipped, and may not refuse it again.
    const kind = mayRefuse(drawn) && mayRefuse(troubles.at(-1)?.service) ? "calm" : drawn;
    const rules = rulesOf(kind, languages, random);
    const refused = store();
    const serviceAt = 0.1 + 0.4 * random();
    const workerAt = 0.1 + 1.7 * random();
    // Most nights write to the site only when they publish.
    const storeAt = refused === "site" ? 1 + 0.5 * random() : 0.1 + 0.8 * random();
    const refusesForMs = Math.round(2_000 + 4_000 * random());
    const at = { serviceAt, workerAt, storeAt, clockAt: 0.1 + 0.6 * random() };
    const dealt = { worker: worker(), store: refused, clock: clock(), attack: attack() };
    troubles.push({ service: kind, rules, refusesForMs, ...dealt, ...at });
  }
  return troubles;
}

function mayRefuse(service: ServiceTrouble | undefined): boolean {
  return service === "rude" || service === "refusal";
}

/** Deals from a shuffled pack, and then from the next. */
function deal<Card>(pack: readonly Card[], random: Random): () => Card {
  let left: Card[] = [];
  return () => {
    if (left.length === 0) left = [...pack];
    const card = pick(random, left);
    left.splice(left.indexOf(card), 1);
    return card;
  };
}

function rulesOf(service: ServiceTrouble, languages: readonly Language[], random: Random): FaultsSetting {
  switch (service) {
    case "calm":
    case "outage":
    case "rotation":
      return [];
    case "flaky":
      return [
        { fault: "http500", probability: 0.05 },
        { fault: "http503", probability: 0.03, retryAfter: 1 },
        { fault: "http429", probability: 0.03, retryAfter: 1 },
        { fault: "reset", probability: 0.03 },
        { fault: "truncated", probability: 0.03 },
        { fault: "http400", probability: 0.02 },
        { fault: "success0", probability: 0.02 },
      ];
    case "slow":
      return [
        { fault: "timeout", probability: 0.02 },
        { fault: "slow", match: { endpoint: "english" }, delayMs: 300, jitterMs: 900 },
        { fault: "slow", match: { endpoint: "translator" }, delayMs: 500, jitterMs: 1_500 },
      ];
    case "rude":
      return [
        ...(["empty", "short", "markup", "errorText", "badJson", "html200"] as const),
        ...(["wrongSign", "wrongPeriod", "wrongLanguage", "duplicate", "stale"] as const),
      ].map((fault) => ({ fault, probability: 0.02 }));
    case "refusal": {
      const match = {
        operation: "daily-horoscope",
        language: pick(random, languages),
        sign: pick(random, signs),
      } as const;
      return [{ fault: pick(random, ["http400", "empty", "success2"] as const), match }];
    }
  }
}
