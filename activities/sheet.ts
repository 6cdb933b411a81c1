// Judges a horoscope sheet when its readings are in. What the sheet gates name loses its place in the vault and is asked
// again; after the last judgement it is quarantined, and the sheet stays as it was published before.
import { type PeriodKind, shiftPeriod } from "../readings/periods.ts";
import { operations } from "../readings/operations.ts";
import { type Reading } from "../readings/reading.schema.ts";
import { type HoroscopeRequest, requestKey, type RequestKey, requestOf } from "../readings/request.ts";
import { judgeSheet as judge, type SheetFinding } from "../readings/sheet-gates.ts";
import { signs } from "../readings/signs.ts";
import { type JudgedSheet, type SetAside } from "./contracts.ts";
import { type Dependencies } from "./dependencies.ts";
import { readingFrom } from "./editions.ts";

export interface SheetInput {
  /** `daily/2026-11-21/hi/daily-horoscope` */
  readonly sheet: string;
  readonly run: string;
  /** The last judgement: what it names is given up. */
  readonly last: boolean;
}

export async function judgeSheet(input: SheetInput, dependencies: Dependencies): Promise<JudgedSheet> {
  const { configuration, vault, log, now } = dependencies;
  const requests = requestsOf(input.sheet);
  const [first] = requests;
  if (first === undefined) return { again: [], setAside: [] };
  const kind: PeriodKind = operations[first.operation].due;
  const before = requests.map((request) => ({ ...request, period: shiftPeriod(kind, request.period, -1) }));
  const findings = judge(await readingsOf(requests, dependencies), await readingsOf(before, dependencies));
  const named = new Map<RequestKey, SheetFinding>();
  for (const finding of findings) {
    if (configuration.quality.rules[finding.rule] === "warn") continue;
    for (const reading of finding.readings) named.set(requestKey(reading), finding);
  }
  const setAside: SetAside[] = [];
  for (const [key, { rule, reason }] of named) {
    const capture = await vault.capture(key);
    if (capture === undefined) continue;
    const { tries, address, body } = capture;
    // Kept in quarantine before it leaves its place: an answer is never lost.
    await vault.setAside({
      format: 1,
      key,
      type: "Unfit",
      rule,
      reason,
      at: now().toISOString(),
      tries,
      run: input.run,
      address,
      body,
    });
    await vault.displace(key);
    log.warn({ key, rule, reason }, "lost its place");
    if (input.last) setAside.push({ key, type: "Unfit", reason: `${rule}: ${reason}` });
  }
  return { again: input.last ? [] : [...named.keys()], setAside };
}

function requestsOf(sheet: string): HoroscopeRequest[] {
  return signs.flatMap((sign) => {
    const request = requestOf(`${sheet}/${sign}`);
    return request !== undefined && "sign" in request ? [request] : [];
  });
}

async function readingsOf(
  requests: readonly HoroscopeRequest[],
  { vault }: Dependencies,
): Promise<Reading[]> {
  const captures = await Promise.all(requests.map((request) => vault.capture(requestKey(request))));
  return captures.filter((capture) => capture !== undefined).map((capture) => readingFrom(capture).reading);
}
