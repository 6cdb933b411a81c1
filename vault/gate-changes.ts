// What becomes of the note of an address gate: closed, probed, answered again. Pure, so that hours of clocks and chances can be played.
import { type AwayScope, holds } from "../readings/calls-in-vain.ts";
import {
  answeredProbePauseMs,
  answersUntilBack,
  callsOfClosing,
  forgivenAfter,
  inVainAt,
  probePauseMs,
} from "../readings/retry-rules.ts";
import type { ServiceAddress } from "../readings/service-addresses.ts";
import {
  type GateNote,
  isClosed,
  mostProbesOfStopped,
  stopHolding,
  type StoppedLanguage,
} from "./gate-note.ts";

const firstProbeMs = 1_000;
/** Before a probe of refused credentials. */
const longestPauseMs = 5 * 60_000;
/** A probe of refused credentials may be out for so long: the longest answer time-out there is, and a little more. */
const longestOutMs = 11 * 60_000;
/** `Retry-After` is obeyed for so long, and no pause of ours is longer. */
const longestAwayPauseMs = 75 * 60_000;
/** The interval between probes of a stopped language. */
const probeStoppedEveryMs = 30 * 60_000;
/** A time without answers that a person should hear of. */
const longOutageMs = 15 * 60_000;

export type Told = Pick<GateNote, "run" | "key" | "seen">;

/** When it is, and how long the service wants to be left alone; the chance spreads the probes. */
export interface Moment {
  readonly at: Date;
  readonly chance: number;
  readonly retryAfterMs?: number | undefined;
}

export function refusing(address: ServiceAddress, told: Told, at: Date): GateNote {
  const closedAt = at.toISOString();
  return { address, closedAt, ...told, probes: 0, nextProbeAt: after(at, firstProbeMs) };
}

/** The gate with one more scope to hold; undefined where it holds it already. */
export function closedFor(
  scope: AwayScope,
  address: ServiceAddress,
  before: GateNote | undefined,
  told: Told,
  moment: Moment,
): GateNote | undefined {
  if (before !== undefined && before.away === undefined) return undefined; // the credentials are refused
  const known = before?.away ?? [];
  if (known.some((one) => holds(one, scope))) return undefined;
  const isNew = before === undefined || !isClosed(before);
  const calls = isNew ? callsOfClosing(inVainOf(before, moment.at)) : 0;
  return {
    address,
    ...told,
    closedAt: isNew ? moment.at.toISOString() : before.closedAt,
    probes: isNew ? 0 : before.probes,
    isLong: isNew ? undefined : before.isLong,
    stopped: before?.stopped,
    away: [scope, ...known],
    ...pausedAfter(calls, before, moment),
  };
}

/** The gate while a probe is out, which may take so long: whoever swaps it for this one sends the probe. */
export function probing(gate: GateNote, answerTimeoutMs: number, moment: Moment): GateNote {
  const { at } = moment;
  const out = { ...gate, probes: gate.probes + 1, nextProbeAt: after(at, answerTimeoutMs + firstProbeMs) };
  if (gate.away === undefined) return out;
  return { ...out, isLong: at.getTime() - Date.parse(gate.closedAt) >= longOutageMs };
}

/** The pauses between probes that are refused double. */
export function refusedAgain(gate: GateNote, { at }: Moment): GateNote {
  return { ...gate, nextProbeAt: after(at, Math.min(firstProbeMs * 2 ** gate.probes, longestPauseMs)) };
}

export function probedInVain(request: AwayScope, gate: GateNote, moment: Moment): GateNote {
  const away = gate.away?.map((one) => (holds(one, request) ? { ...one, answers: 0 } : one));
  return { ...gate, away, ...pausedAfter(1, gate, moment) };
}

/** The gate without what was answered often enough, and its parts; what it still holds is probed as the account says. */
export function probeAnswered(request: AwayScope, gate: GateNote, moment: Moment): GateNote {
  const enough = answersUntilBack(inVainOf(gate, moment.at));
  const counted = gate.away?.map((one) =>
    holds(one, request) ? { ...one, answers: (one.answers ?? 0) + 1 } : one,
  );
  const back = counted?.filter(({ answers = 0 }) => answers >= enough);
  const away = counted?.filter((one) => !back?.some((scope) => holds(scope, one)));
  const isBack = away?.length !== counted?.length;
  const pauses = isBack
    ? pausedAfter(0, gate, moment)
    : { nextProbeAt: after(moment.at, answeredProbePauseMs) };
  return { ...gate, away, ...pauses };
}

/** The gate with one more language that it holds; undefined if the gate holds it already. */
export function stoppedFor(
  { language, rule, levels }: Pick<StoppedLanguage, "language" | "rule" | "levels">,
  address: ServiceAddress,
  before: GateNote | undefined,
  told: Told,
  at: Date,
): GateNote | undefined {
  const isRefusing = before !== undefined && before.away === undefined;
  if (isRefusing || stopHolding({ language }, before, levels) !== undefined) return undefined;
  const { run, seen } = told;
  const stoppedAt = at.toISOString();
  const nextProbeAt = after(at, probeStoppedEveryMs);
  const stop = { language, rule, levels, run, seen, stoppedAt, probes: 0, nextProbeAt };
  const open = { address, ...told, closedAt: stoppedAt, probes: 0, nextProbeAt: stoppedAt, away: [] };
  const others = before?.stopped?.filter((one) => one.language !== language) ?? [];
  return { ...(before ?? open), stopped: [...others, stop] };
}

/** The gate while a probe of the language is out; undefined if none is due. */
export function probingStopped(gate: GateNote, stop: StoppedLanguage, at: Date): GateNote | undefined {
  if (stop.probes >= mostProbesOfStopped || Date.parse(stop.nextProbeAt) > at.getTime()) return undefined;
  const nextProbeAt = after(at, probeStoppedEveryMs);
  const probed = { ...stop, probes: stop.probes + 1, nextProbeAt };
  return { ...gate, stopped: gate.stopped?.map((one) => (one === stop ? probed : one)) };
}

/** The gate without such stops; undefined if it has none. */
export function resumedFor(
  isOver: (stop: StoppedLanguage) => boolean,
  gate: GateNote | undefined,
): GateNote | undefined {
  if (gate?.stopped?.some(isOver) !== true) return undefined;
  return { ...gate, stopped: gate.stopped.filter((one) => !isOver(one)) };
}

/** A time further ahead than any pause comes from a clock that has been set back since, so the probe is due. */
export function isProbeDue({ nextProbeAt, away }: GateNote, at: Date): boolean {
  const leftMs = Date.parse(nextProbeAt) - at.getTime();
  return leftMs <= 0 || leftMs > (away === undefined ? longestOutMs : longestAwayPauseMs);
}

function inVainOf(gate: GateNote | undefined, at: Date): number {
  return gate?.forgivenAt === undefined ? 0 : inVainAt(at.getTime(), Date.parse(gate.forgivenAt));
}

function pausedAfter(calls: number, gate: GateNote | undefined, { at, chance, retryAfterMs = 0 }: Moment) {
  const atMs = at.getTime();
  const forgivenMs = forgivenAfter(calls, atMs, Date.parse(gate?.forgivenAt ?? at.toISOString()));
  const pauseMs = Math.max(probePauseMs(inVainAt(atMs, forgivenMs), chance), retryAfterMs);
  const forgivenAt = new Date(forgivenMs).toISOString();
  return { forgivenAt, nextProbeAt: after(at, Math.min(pauseMs, longestAwayPauseMs)) };
}

function after(at: Date, ms: number): string {
  return new Date(at.getTime() + ms).toISOString();
}
