// Judges the vault's answers a sheet at a time, as they come: each by itself, then the horoscopes of a sheet among themselves
// and against those of the period before, of which the newest of each kind is remembered.
import { isPeriodKind, shiftPeriod } from "../../readings/periods.ts";
import { rowOf } from "../../readings/operations.ts";
import type { RuleLevels } from "../../readings/quality.ts";
import { type ReadingRequest, requestKey } from "../../readings/request.ts";
import type { SheetFinding } from "../../readings/sheet-gates.ts";
import type { Capture } from "../../vault/capture.schema.ts";
import { doubtsAbout } from "../../vault/sheet-doubts.ts";
import { type KeptReading, readingFrom } from "../../vault/kept-readings.ts";
import { layout } from "../../vault/layout.ts";
import type { AnswerPlace } from "../../vault/vault.ts";
import type { ReadableAgain, RefusedAnswer } from "./answer.ts";
import { verdictOn } from "./verdict.ts";

/** An answer as it lies in the vault. */
export interface StoredAnswer {
  readonly place: AnswerPlace;
  readonly request: ReadingRequest;
  readonly capture: Capture;
  /** The answer is read only to compare the next sheet with it. */
  readonly isBefore: boolean;
}

interface SheetRead {
  readonly period: string;
  readonly isBefore: boolean;
  readonly kept: readonly KeptReading[];
  /** Quarantined answers that are good by themselves. */
  readonly good: readonly KeptReading[];
}

const none = { kept: [], good: [], isBefore: true };

export class Judge {
  readonly #levels: RuleLevels;
  readonly #before = new Map<string, SheetRead>();
  readonly #refused = new Map<string, RefusedAnswer>();
  readonly #readable = new Map<string, ReadableAgain>();

  constructor(levels: RuleLevels) {
    this.#levels = levels;
  }

  get refused(): RefusedAnswer[] {
    return [...this.#refused.values()];
  }

  get readable(): ReadableAgain[] {
    return [...this.#readable.values()];
  }

  /** Sheets of one kind and language have to come in the order of their periods. */
  sheet(found: readonly StoredAnswer[]): void {
    const [first] = found;
    if (first === undefined) return;
    const { request, isBefore } = first;
    const taken = new Set(found.flatMap(({ place, capture }) => (place === "captures" ? [capture.key] : [])));
    const kept: KeptReading[] = [];
    const good: KeptReading[] = [];
    for (const one of found) {
      if (one.place === "quarantine" && taken.has(one.capture.key)) continue; // another answer has its place by now
      const reading = this.#judge(one);
      if (reading !== undefined && one.place !== "stand-ins")
        (one.place === "captures" ? kept : good).push(reading);
    }
    const { due } = rowOf(request.operation);
    if (!("sign" in request) || !isPeriodKind(due)) return;
    const name = `${due} ${request.language}`;
    const last = this.#before.get(name);
    const isNext = last?.period === shiftPeriod(due, request.period, -1);
    const sheet = { period: request.period, kept, good, isBefore };
    this.#among(sheet, isNext ? last : { ...none, period: "" });
    this.#before.set(name, sheet);
  }

  /** Judges one answer by itself. */
  #judge({ place, request, capture, isBefore }: StoredAnswer): KeptReading | undefined {
    const verdict = verdictOn(request, capture, this.#levels);
    const { receivedAt, accepted } = capture;
    if (verdict.kind === "fit") {
      if (place === "quarantine" && !isBefore) this.#readable.set(capture.key, readableOf(capture));
      return { capture, reading: verdict.reading, receivedAt };
    }
    if (place !== "quarantine" && !isBefore) this.#refuse(place, capture, verdict);
    // An answer that a person accepted keeps its place in the sheet, if a reading can be made of it.
    return accepted === undefined ? undefined : asItIs(capture);
  }

  /** Compares the texts of a sheet with each other and with those of the sheet before. */
  #among(sheet: SheetRead, before: SheetRead): void {
    if (sheet.isBefore) return;
    for (const [{ capture }, finding] of this.#named(sheet.kept, before.kept)) {
      const isAsked = !before.isBefore || sheet.kept.some((one) => one.capture === capture);
      if (isAsked && capture.accepted === undefined) this.#refuse("captures", capture, finding);
    }
    if (sheet.good.length + before.good.length === 0) return;
    const all = this.#named([...sheet.kept, ...sheet.good], [...before.kept, ...before.good]);
    for (const [{ capture }] of all)
      if (!sheet.kept.concat(before.kept).some((one) => one.capture === capture))
        this.#readable.delete(capture.key);
  }

  *#named(
    sheet: readonly KeptReading[],
    before: readonly KeptReading[],
  ): Generator<[KeptReading, SheetFinding]> {
    const all = [...sheet, ...before];
    for (const finding of doubtsAbout(sheet, before, this.#levels)) {
      const keys = new Set(finding.readings.map(requestKey));
      for (const one of all) if (keys.has(one.capture.key)) yield [one, finding];
    }
  }

  /** Keeps the first reason where there are several. */
  #refuse(
    place: AnswerPlace,
    capture: Capture,
    { rule, reason }: Pick<RefusedAnswer, "rule" | "reason">,
  ): void {
    const { key, receivedAt, accepted } = capture;
    const file = `${place}/${key}.json`;
    if (this.#refused.has(file)) return;
    this.#refused.set(file, { key, file, receivedAt, rule, reason, accepted });
  }
}

function asItIs(capture: Capture): KeptReading | undefined {
  try {
    return { capture, ...readingFrom(capture) };
  } catch {
    return undefined; // which is why it was refused
  }
}

function readableOf({ key, receivedAt, notes }: Capture): ReadableAgain {
  return { key, file: layout.quarantined(key), receivedAt, reason: notes[0] ?? "no reason was kept" };
}
