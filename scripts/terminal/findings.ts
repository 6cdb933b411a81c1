// The state of a site for a person at a terminal: its damage, the changes of a publish, and the pins of rollbacks.
import type { RenderedBatch } from "../../publish/archive.ts";
import { countChanges, type CountedChanges } from "../../publish/history/past-states.ts";
import type { SiteFinding } from "../../publish/repair/site-source.ts";
import type { PathChange } from "../../publish/state/parts.ts";
import type { StateRefused } from "../../publish/step/site-state.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { utcMinute, isPeriodKind, spanOf, localDate } from "../../readings/calendar.ts";
import { isOperation, rowOf } from "../../readings/tables.ts";
import type { PassedOver } from "../../vault/editions.ts";
import { noteUpkeep, type UpkeepTask } from "../../vault/site-notes.ts";
import { type Pin, readNameOfSet } from "../../vault/withheld.ts";
import type { Opening } from "../../worker/opened-site.ts";
import { publishedState } from "../../worker/published-state.ts";
import type { WrittenCounts } from "../../worker/publisher.ts";
import { exitCodes } from "./errors.ts";
import {
  type CommandResult,
  counted,
  firstLines,
  type Lines,
  plainLine,
  say,
  sentence,
  sizeInWords,
  styled,
} from "./output.ts";

export function findingLines(findings: readonly SiteFinding[]): Lines {
  return firstLines(findings, ({ path, expected, seen, remedy }) => [
    styled("bold", plainLine(path)),
    plainLine(`  expected  ${expected}`),
    plainLine(`  seen      ${seen}`),
    sentence(`next: ${remedy}`, "  "),
  ]);
}

/** Says on stderr, and in the exit code, that no publisher would build on the site's state; null if the state is ours. */
export async function tellRefusedState(
  opening: Opening,
): Promise<Pick<StateRefused, "seen" | "remedy"> | null> {
  const { refusal } = await publishedState(opening);
  if (refusal === undefined) return null;
  const { seen, remedy } = refusal;
  say(sentence(seen), sentence(`next: ${remedy}`));
  process.exitCode = exitCodes.incomplete;
  return { seen, remedy };
}

/** Notes that an upkeep command succeeded, for the worker's metrics. */
export async function noteSuccess(
  { vault }: Pick<Opening, "vault">,
  task: UpkeepTask,
  at: Date,
): Promise<void> {
  if (await noteUpkeep(vault.own, task, at)) return;
  say("cannot write to the vault, so the worker's metrics do not show this success");
}

interface Changed {
  readonly changes: readonly PathChange[];
  readonly passedOver?: readonly PassedOver[];
}

/** The result of a command that publishes. A trial also lists each path that would change. */
export function changeResult(
  document: object,
  { changes, passedOver = [] }: Changed,
  written: WrittenCounts | undefined,
  lines: Lines,
): CommandResult {
  const plan = written && changes;
  return {
    document: { dryRun: written !== undefined, ...document, changes: countChanges(changes), plan },
    lines: [written && changeLines(changes, written), lines],
    code: lackingIn(passedOver).length > 0 ? exitCodes.incomplete : exitCodes.done,
  };
}

/** The sets that lack something, without those that wait for a person. */
export function lackingIn(passedOver: readonly PassedOver[]): readonly PassedOver[] {
  return passedOver.filter(({ kind }) => kind !== "waiting" && kind !== "rejected");
}

const formats = { new: "green", changed: "yellow", gone: "red" } as const;

/** Every path with its reason, then the sums. */
function changeLines(changes: readonly PathChange[], { objects, bytes }: WrittenCounts): Lines {
  if (changes.length === 0) return [];
  const lines = changes
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, reason }) => `${styled(formats[reason], reason.padEnd(7))}  ${path}`);
  const sum = `${counted(changes.length, "path")}: ${countsInWords(countChanges(changes))}`;
  return [lines, sum, `${counted(objects, "object")} to upload, ${sizeInWords(bytes)}`];
}

/** `en de: 12 new, 40 changed; shared: 2 changed`: languages with the same counts together. */
export function countsInWords(counts: readonly CountedChanges[]): string {
  if (counts.length === 0) return "nothing changed";
  const groups = Map.groupBy(counts, (count) =>
    (["new", "changed", "gone"] as const)
      .flatMap((reason) => (count[reason] === 0 ? [] : `${count[reason]} ${reason}`))
      .join(", "),
  );
  return [...groups].map(([words, alike]) => `${alike.map(({ of }) => of).join(" ")}: ${words}`).join("; ");
}

export function passedOverLines(passedOver: readonly PassedOver[]): Lines {
  return [
    passedOver.length > 0 &&
      styled("yellow", `skipped, with the published text kept: ${counted(passedOver.length, "set")}`),
    passedOver.map(({ set, reason }) => `  ${set}: ${reason}`),
  ];
}

/** Shows how far a render of the archive is. */
export function sayBatch({ number, of, units, files, version }: RenderedBatch): void {
  if (of === 1) return;
  const [first = "", ...more] = units;
  const what = more.length === 0 ? first : `${first} and ${more.length} more`;
  say(`${number} of ${of}: ${what}, ${counted(files, "file")} rendered, version ${version}`);
}

/** `en hi through 2026-11-21 (the date there), and 2 sets for longer` */
export function pinWords(pins: readonly Pin[]): string {
  const dates = [...Map.groupBy(pins, ({ date }) => date)].map(
    ([date, alike]) => `${alike.map(({ language }) => language).join(" ")} until the end of ${date}`,
  );
  const sets = pins.reduce((sum, pin) => sum + pin.sets.length, 0);
  const longer = sets === 0 ? "" : `, and ${counted(sets, "set")} for longer`;
  return `${dates.join(", ")} (local date)${longer}`;
}

/** The command that lets go of holds, and publishes all that was taken back: a render of today's pages leaves out the past. */
export function renderCommand(pins: readonly Pin[]): string {
  const languages = [...new Set(pins.map(({ language }) => language))].join(",");
  const past = pins.flatMap(({ date, sets }) => sets.flatMap((set) => beginningBefore(date, set)));
  const from = past.toSorted()[0];
  return `almanac render --languages ${languages}${from === undefined ? "" : ` --from ${from}`}`;
}

/** The first day of a set whose last day is before the date. */
function beginningBefore(date: string, set: string): string[] {
  const { operation, period } = readNameOfSet(set);
  const due = isOperation(operation) ? rowOf(operation).due : "once";
  if (!isPeriodKind(due)) return [];
  const { first, last } = spanOf(due, period);
  return last < date ? [first] : [];
}

export function warningLines({ seen, remedy }: Pick<ActivePin, "seen" | "remedy">): Lines {
  return [sentence(seen), sentence(`next: ${remedy}`)];
}

export interface ActivePin {
  readonly pin: Pin;
  readonly seen: string;
  readonly remedy: string;
}

/** The holds that still keep something as it is, in words. */
export function activePins(pins: readonly Pin[], configuration: Configuration, now: Date): ActivePin[] {
  return pins.flatMap((pin, index) => {
    const { language, date, sets, at, to } = pin;
    const today = localDate(zoneOf(configuration, language), now);
    const isRepeated = pins.slice(index + 1).some((one) => one.language === language && one.date >= date);
    const kept = [
      ...(today <= date && !isRepeated ? [`all its pages until the end of ${date} (local date)`] : []),
      ...(sets.length > 0 ? [`${counted(sets.length, "set")} until \`almanac render\``] : []),
    ];
    if (kept.length === 0) return [];
    const state = to === undefined ? "" : ` to version ${to.version}`;
    const seen = `${language} was rolled back${state} at ${utcMinute(at)} and is pinned: ${kept.join(", and ")}`;
    const command = renderCommand([{ ...pin, date: today }]);
    return [{ pin, seen, remedy: `\`${command}\` removes the pin and publishes the readings in the vault` }];
  });
}
