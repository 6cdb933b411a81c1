// The settings of a running sandbox, and its state: credentials, clock, latency, options, faults, counts.
import { z } from "zod";
import { endpointNames } from "../../readings/tables.ts";
import { cardShapes } from "./received-request.ts";
import { type ArmedFault, arm, type FaultRule, faultRule } from "./faults.ts";
import { profileNames, profiles, type ProfileName } from "./profiles.ts";
import { type Random, seededRandom } from "./random.ts";
import { createStatistics, type Statistics } from "./statistics.ts";

const milliseconds = z.number().min(0).max(3_600_000);
const endpointLatency = z.strictObject({ fixedMs: milliseconds, jitterMs: milliseconds.default(0) });
export const latencySetting = z.partialRecord(z.enum(endpointNames), endpointLatency);
export type LatencySetting = z.input<typeof latencySetting>;

/** Years that have periods before and after them. */
const instant = z
  .string()
  .refine(
    (text) => /^20\d\d-/.test(text) && !Number.isNaN(Date.parse(text)),
    "expected an ISO instant from 2000 to 2099",
  );
const hundredYearsMs = 100 * 366 * 86_400_000;
export const clockSetting = z.union(
  [
    z.strictObject({ at: instant }),
    z.strictObject({ offsetMs: z.number().min(-hundredYearsMs).max(hundredYearsMs) }),
    z.strictObject({ real: z.literal(true) }),
  ],
  `expected {"at": "2026-11-21T10:00:00Z"}, {"offsetMs": 3600000} or {"real": true}`,
);
export type ClockSetting = z.infer<typeof clockSetting>;

const secret = z.string().regex(/^[\x21-\x7e]+$/, "expected printable characters without blanks");
export const credentialsSetting = z.strictObject({ token: secret.optional(), apiKey: secret.optional() });
export type CredentialsSetting = z.infer<typeof credentialsSetting>;

export const optionsSetting = z.strictObject({
  translated: z.boolean().optional(),
  /** Null: every draw chooses again. */
  shape: z.enum(cardShapes).nullable().optional(),
  /** Restarts the draws, the jitter and the chances of faults. */
  seed: z.int().min(0).optional(),
});
export type OptionsSetting = z.infer<typeof optionsSetting>;

export const faultsSetting = z.array(faultRule);
export type FaultsSetting = z.input<typeof faultsSetting>;

export const profileSetting = z.strictObject({ profile: z.enum(profileNames) });

export interface StartSettings {
  readonly seed?: number;
  readonly faults?: ProfileName;
  readonly latency?: LatencySetting;
  /** Whether responses name pictures that the sandbox serves; otherwise their host does not exist. */
  readonly faces?: boolean;
}

export interface SandboxState {
  credentials: { token: string; apiKey: string };
  clock: ClockSetting;
  latency: z.infer<typeof latencySetting>;
  options: { translated: boolean; shape: (typeof cardShapes)[number] | undefined };
  faults: ArmedFault[];
  statistics: Statistics;
  readonly faces: boolean;
  /** Two generators, so that a test that adds a fault does not change which cards are drawn. */
  draws: Random;
  chance: Random;
}

/** Made-up credentials, which open nothing but this service. */
const sandboxCredentials = { token: "sandbox-token", apiKey: "sandbox-key" };

export function startState({ seed, faults, latency, faces = false }: StartSettings): SandboxState {
  return {
    credentials: { ...sandboxCredentials },
    clock: { real: true },
    latency: latencySetting.parse(latency ?? {}),
    options: { translated: false, shape: undefined },
    faults: faults === undefined ? [] : armProfile(faults),
    statistics: createStatistics(),
    faces,
    ...generators(seed ?? Math.floor(Math.random() * 2 ** 32)),
  };
}

export function armProfile(name: ProfileName): ArmedFault[] {
  return arm(profiles[name].map((rule): FaultRule => faultRule.parse(rule)));
}

export function generators(seed: number): { draws: Random; chance: Random } {
  return { draws: seededRandom(seed), chance: seededRandom(seed + 1) };
}

export function nowMs(clock: ClockSetting): number {
  if ("at" in clock) return Date.parse(clock.at);
  return "offsetMs" in clock ? Date.now() + clock.offsetMs : Date.now();
}
