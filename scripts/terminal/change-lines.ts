// What a publish changes, for a person at a terminal: a line a path with its reason, or counts by language.
import type { PressedBatch } from "../../publish/archive.ts";
import { countChanges, type CountedChanges } from "../../publish/history/past-states.ts";
import type { PathChange } from "../../publish/step/changed-paths.ts";
import type { PassedOver } from "../../vault/editions.ts";
import { counted, sizeInWords } from "./findings.ts";
import { type Lines, say, styled } from "./output.ts";
import type { WrittenCounts } from "../../worker/publisher.ts";

const formats = { new: "green", changed: "yellow", gone: "red" } as const;

/** Every path with its reason, then the sums. */
export function changeLines(changes: readonly PathChange[], { objects, bytes }: WrittenCounts): Lines {
  const lines = changes
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, reason }) => `${styled(formats[reason], reason.padEnd(7))}  ${path}`);
  const sum = `${counted(changes.length, "path")}: ${countsInWords(countChanges(changes))}`;
  return [lines, sum, `${counted(objects, "object")} to put, ${sizeInWords(bytes)}`];
}

/** `en de: 12 new, 40 changed; shared: 2 changed`: languages with the same counts together. */
export function countsInWords(counts: readonly CountedChanges[]): string {
  if (counts.length === 0) return "nothing changed";
  const groups = Map.groupBy(counts, (count) => wordsFor(count));
  return [...groups].map(([words, alike]) => `${alike.map(({ of }) => of).join(" ")}: ${words}`).join("; ");
}

function wordsFor(counts: CountedChanges) {
  const reasons = ["new", "changed", "gone"] as const;
  return reasons.flatMap((reason) => (counts[reason] === 0 ? [] : `${counts[reason]} ${reason}`)).join(", ");
}

export function passedOverLines(passedOver: readonly PassedOver[]): Lines {
  return [
    passedOver.length > 0 &&
      styled("yellow", `passed over, and as it was before: ${counted(passedOver.length, "sheet")}`),
    passedOver.map(({ sheet, reason }) => `  ${sheet}: ${reason}`),
  ];
}

/** Shows how far a press of the archive is. */
export function sayBatch({ number, of, pressed, files, version }: PressedBatch): void {
  if (of === 1) return;
  const [first = "", ...more] = pressed;
  const what = more.length === 0 ? first : `${first} and ${more.length} more`;
  say(`${number} of ${of}: ${what}, ${counted(files, "file")} pressed, version ${version}`);
}
