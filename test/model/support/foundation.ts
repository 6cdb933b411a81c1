// Initial state of a seed: a theme, its configuration, the site's key, and the result of one undisturbed night.
import { generateKeyPairSync } from "node:crypto";
import { judging } from "../../../activities/call.ts";
import {
  type Configuration,
  type ConfigurationInput,
  configurationSchema,
} from "../../../readings/configuration.schema.ts";
import { publicHalf } from "../../../publish/step/pointer.ts";
import { seededRandom } from "../../../packages/sandbox/random.ts";
import { settings } from "../../site/editions.ts";
import { inMemory, type Snapshot, snapshotOf } from "../../support/stores.ts";
import { Marks } from "./marks.ts";
import { night } from "./runs.ts";
import type { Texts } from "./texts.ts";
import { World } from "./world.ts";

export const { privateKey: signer } = generateKeyPairSync("ed25519");
export const publicKey = publicHalf(signer);
export const begunMs = Date.parse("2026-11-20T21:05:00.000Z");

/** Focus of a seed, so that a few dozen seeds reach all rare cases. */
export type Theme = "cards" | "merging" | "sweep" | "horoscopes" | "decisions";

const rotation: readonly Theme[] = [
  "merging",
  "decisions",
  "sweep",
  "decisions",
  "cards",
  "decisions",
  "merging",
  "decisions",
];
/** Horoscopes are rendered four times as long, so one seed of so many is about them. */
const horoscopesEvery = 24;

export function themeOf(seed: number): Theme {
  if (seed % horoscopesEvery === 0) return "horoscopes";
  return rotation[seed % rotation.length] ?? "cards";
}

export function configured(
  theme: Theme,
  ceiling: number | undefined,
  review: ConfigurationInput["review"] = {},
): Configuration {
  return configurationSchema.parse({
    review,
    site: { ...settings },
    languages: theme === "horoscopes" || theme === "decisions" ? ["en"] : ["en", "de"],
    operations: [theme === "horoscopes" ? "daily-horoscope" : "daily-tarot"],
    publishing: { unusualShare: 0.5, publicKeys: [publicKey] },
    service: ceiling === undefined ? {} : { callsPerDay: ceiling },
  });
}

export interface Foundation {
  readonly snapshot: Snapshot;
  readonly texts: Texts;
}
const laid = new Map<string, Promise<Foundation>>();

/** Once a process. */
export function foundationFor(theme: Theme): Promise<Foundation> {
  const name = theme === "horoscopes" || theme === "decisions" ? theme : "cards";
  const foundation = laid.get(name) ?? lay(theme);
  laid.set(name, foundation);
  return foundation;
}

async function lay(theme: Theme): Promise<Foundation> {
  await judging(); // loads modules now: loading them within a step would take real time
  const stores = inMemory(() => new Date(begunMs));
  const texts: Texts = new Map();
  const configuration = configured(theme, undefined);
  const random = seededRandom(1);
  const marks = new Marks();
  const world = new World({ stores, configuration, signer, texts, random, marks, atMs: begunMs });
  world.isTroubled = false;
  const made = night(world, "nightly-0", { kind: "nightly", asOf: new Date(begunMs).toISOString() });
  await world.play(async () => undefined);
  await made;
  return { snapshot: await snapshotOf(stores), texts };
}
