// The work of the measured nights: the site, the instant, and the exact calls of its night, as plain data for the peers.
import {
  type Configuration,
  type ConfigurationInput,
  configurationSchema,
} from "../../readings/configuration.schema.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import { fieldsFor, type RequestKey, requestKey } from "../../readings/request.ts";
import { languageNames, rowOf } from "../../readings/tables.ts";
import { makePlan } from "../../readings/plan.ts";

/** A Wednesday in the middle of a month: each language has five sets of twelve signs to request, for two days. */
export const at = new Date("2026-11-18T12:00:00Z");
export const horoscopesALanguage = 60;
const horoscopes = ["daily-horoscope", "weekly-horoscope", "monthly-horoscope", "yearly-horoscope"] as const;

export interface Work {
  readonly site: ConfigurationInput;
  readonly requests: number;
  readonly ratePerSecond: number | undefined;
  readonly concurrency: number;
  readonly latencyMs: number;
}

export interface Call {
  readonly name: string;
  readonly path: string;
  readonly fields: readonly (readonly [string, string])[];
}

interface Bounds {
  readonly ratePerSecond?: number;
  readonly concurrency: number;
  readonly latencyMs: number;
}

/** Horoscopes in languages that the translator answers, as many as there are sixties in the number. */
export function horoscopeNight(requests: number, bounds: Bounds): Work {
  const translated = languageNames.filter((language) => language !== "en" && language !== "gu");
  const languages = translated.slice(0, Math.max(1, Math.round(requests / horoscopesALanguage)));
  return nightOf({ languages, operations: [...horoscopes] }, bounds);
}

/** The night of any site. */
export function nightOf(site: ConfigurationInput, { ratePerSecond, concurrency, latencyMs }: Bounds): Work {
  const each = <Value>(value: Value) => ({ english: value, translator: value, legacy: value });
  // The highest configurable rate is far beyond all contenders.
  const service = { ratePerSecond: each(ratePerSecond ?? 1000), concurrency: each(concurrency) };
  const whole = { ...site, service };
  const requests = dueOf(configurationSchema.parse(whole)).length;
  return { site: whole, requests, ratePerSecond, concurrency, latencyMs };
}

/** One person per request and language. */
export function people(count: number): NonNullable<ConfigurationInput["people"]> {
  return Array.from({ length: count }, (_, index) => ({
    id: `person-${index}`,
    fullName: `Example Person ${index}`,
    birthDate: `19${50 + (index % 50)}-0${1 + (index % 9)}-1${index % 9}`,
  }));
}

function dueOf(configuration: Configuration) {
  const nothing = { held: () => false, quarantined: () => undefined, callsToday: 0, only: {} };
  return makePlan({ configuration, instant: at, ...nothing }).due;
}

/** Calls with exactly the fields that ours sends. */
export function callsOf({ site }: Work): Call[] {
  const configuration = configurationSchema.parse(site);
  return dueOf(configuration).map(({ request }): Call => {
    const fields = fieldsFor(request, { instant: at, zone: zoneOf(configuration, request.language) });
    return { name: requestKey(request), path: rowOf(request.operation).path, fields };
  });
}

export function keysOf({ site }: Work): RequestKey[] {
  return dueOf(configurationSchema.parse(site)).map(({ key }) => key);
}
