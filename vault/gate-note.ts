// The note of an address gate: address-gate.ts closes and opens it, gate-alarm.ts looks which one an alarm was raised for.
import { z } from "zod";
import { type AwayScope, holds } from "../readings/calls-in-vain.ts";
import { languageNames } from "../readings/languages.ts";
import { operationNames } from "../readings/operations.ts";
import { type ServiceAddress, serviceAddresses } from "../readings/service-addresses.ts";
import { layout } from "./layout.ts";

/** The probes of a stopped language in one run. */
export const mostProbesOfStopped = 12;

export const gateSchema = z.object({
  address: z.enum(serviceAddresses),
  closedAt: z.iso.datetime(),
  run: z.string(),
  /** The request that was refused, or got no answer; of refused credentials it is also the probe. */
  key: z.string(),
  seen: z.string(),
  probes: z.int().min(0),
  nextProbeAt: z.iso.datetime(),
  /**
   * What gives no answers, and how many probes of it in a row were answered: the whole before parts that were known before.
   * Absent where the credentials are refused.
   */
  away: z
    .array(
      z.object({
        operation: z.enum(operationNames).optional(),
        language: z.enum(languageNames).optional(),
        answers: z.int().optional(),
      }),
    )
    .optional(),
  /** The languages that were stopped, because one rule refused all of their answers alike. */
  stopped: z
    .array(
      z.object({
        language: z.enum(languageNames),
        run: z.string(),
        rule: z.string(),
        seen: z.string(),
        /** The rules' levels at the time. Under other levels, the language is not stopped. */
        levels: z.string(),
        stoppedAt: z.iso.datetime(),
        probes: z.int().min(0),
        nextProbeAt: z.iso.datetime(),
      }),
    )
    .optional(),
  /** Whether it has been away for so long that a person was told. */
  isLong: z.boolean().optional(),
  /** When the calls in vain are all forgiven (readings/retry-rules.ts). The note stays for it when all is back. */
  forgivenAt: z.iso.datetime().optional(),
});
export type GateNote = z.infer<typeof gateSchema>;
export type StoppedLanguage = NonNullable<GateNote["stopped"]>[number];

/** A damaged note is a closed gate that a person has to remove. */
export function gateNote(address: ServiceAddress) {
  return { key: layout.gate(address), schema: gateSchema, empty: undefined, isNeeded: true };
}

export function isClosed({ away }: GateNote): boolean {
  return away === undefined || away.length > 0;
}

/** The scope of the gate that holds the request; undefined where it may go out. */
export function scopeHolding(
  request: AwayScope,
  gate: GateNote | undefined,
  levels: string,
): AwayScope | undefined {
  return awayHolding(request, gate) ?? stopHolding(request, gate, levels);
}

/** The scope without answers that holds the request. */
export function awayHolding(request: AwayScope, gate: GateNote | undefined): AwayScope | undefined {
  if (gate === undefined) return undefined;
  return gate.away === undefined ? {} : gate.away.find((one) => holds(one, request));
}

/** The stop of the request's language under such levels of the rules. */
export function stopHolding(
  { language }: AwayScope,
  gate: GateNote | undefined,
  levels: string,
): StoppedLanguage | undefined {
  return gate?.stopped?.find((one) => one.language === language && one.levels === levels);
}

/** Whether a part of what holds the request was found away by itself: a probe of another part tells more. */
export function isKnownPart(request: AwayScope, { away = [] }: GateNote): boolean {
  return away.filter((one) => holds(one, request)).length > 1;
}

/** What is away, as the end of a phrase: nothing where it is all of the address. */
export function awayWords({ away = [] }: GateNote): string {
  const widest = away.filter((one) => !away.some((other) => other !== one && holds(other, one)));
  const words = widest.map(({ operation, language }) =>
    [operation, language].filter((part) => part !== undefined).join(" in "),
  );
  return words.includes("") ? "" : ` for ${words.join(", ")}`;
}
