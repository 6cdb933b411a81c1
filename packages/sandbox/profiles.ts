// Named sets of faults, for `--faults` and the control endpoint.
import type { z } from "zod";
import type { faultRule } from "./faults.ts";

type ProfileFaults = z.input<typeof faultRule>;

export const profileNames = ["flaky", "slow", "outage", "revoked", "rude"] as const;
export type ProfileName = (typeof profileNames)[number];

const unfit = ["wrongSign", "wrongPeriod", "stale", "duplicate", "wrongType", "html200", "badJson"] as const;
const spoiltTexts = ["empty", "short", "markup", "template", "errorText"] as const;
const odd = ["luck5", "luck7", "extraFields"] as const;

export const profiles: Record<ProfileName, readonly ProfileFaults[]> = {
  /** A service on a bad day: about one call in seventeen fails. */
  flaky: [
    { fault: "http500", probability: 0.02 },
    { fault: "http503", probability: 0.01 },
    { fault: "reset", probability: 0.01 },
    { fault: "truncated", probability: 0.005 },
    { fault: "http429", probability: 0.01, retryAfter: 1 },
    { fault: "timeout", probability: 0.005 },
  ],
  /** Response times observed live. */
  slow: [
    { fault: "slow", match: { endpoint: "translator" }, delayMs: 20_000, jitterMs: 15_000 },
    { fault: "slow", match: { endpoint: "english" }, delayMs: 1000 },
  ],
  outage: [{ fault: "http503" }],
  revoked: [{ fault: "http401" }],
  /** Responses that look like a success but are not: about one in five. */
  rude: [
    ...[...unfit, ...odd].map((fault) => ({ fault, probability: 0.015 })),
    ...spoiltTexts.map((fault) => ({ fault, probability: 0.015 })),
    { fault: "wrongLanguage", probability: 0.015 },
    { fault: "http400", probability: 0.01 },
    { fault: "success2", probability: 0.01 },
  ],
};
