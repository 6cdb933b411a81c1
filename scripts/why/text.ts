// One text as `almanac why` prints it: the answer that was kept, the gates and the run.
import type { Absence, GateFacts, RunFacts, TextFacts } from "../../hindsight/why/answer.ts";
import { utcMinute } from "../../readings/instant-words.ts";
import { plainLine } from "../terminal/output.ts";
import { wrap } from "../terminal/wrap.ts";

/** Lines that begin with a label. */
export interface FactLines {
  /** A name, an address, a hash: in one line, to be copied. */
  line(label: string, text: string): string[];
  /** A sentence, over as many lines as it needs. */
  said(label: string, words: string): string[];
}

const labelColumns = "would show  ".length;

export function factsIn(columns: number): FactLines {
  return {
    line: (label, text) => [label.padEnd(labelColumns) + text],
    said(label, words) {
      const indent = " ".repeat(labelColumns);
      const lines = wrap(plainLine(words), { language: "en", columns, indent });
      return lines.map((line, index) => (index === 0 ? label.padEnd(labelColumns) + line.trimStart() : line));
    },
  };
}

export function textLines(
  text: TextFacts,
  absence: Absence | undefined,
  isDamaged: boolean,
  facts: FactLines,
): string[] {
  const { key, data, capture, gates, run, quarantined } = text;
  return [
    ...facts.line("reading", data ?? key),
    ...(isDamaged ? [] : originLines(text, facts)),
    ...(capture === undefined
      ? facts.line("capture", isDamaged ? "there, and can't be read" : "none in the vault")
      : [
          ...facts.line("capture", capture.file),
          ...facts.line("received", `${utcMinute(capture.receivedAt)}, ${triesInWords(capture.tries)}`),
          ...facts.line("from", plainLine(capture.address)),
        ]),
    ...(run === undefined ? [] : runLines(run, facts)),
    ...(gates === undefined ? [] : gateLines(gates, facts)),
    ...(quarantined === undefined || absence?.kind === "quarantined"
      ? []
      : facts.said(
          "set aside",
          `another answer, at ${utcMinute(quarantined.at)}: ${quarantined.reason}; \`almanac quarantine show ${key}\``,
        )),
  ];
}

/** Where the published text is not the answer that has its place in the vault. */
function originLines({ isFrom, shownReceivedAt, capture }: TextFacts, facts: FactLines): string[] {
  if (isFrom === "stand-in")
    return facts.said(
      "stand-in",
      "the answer below lost its place to a doubt, and is shown until another has it",
    );
  if (isFrom !== "another") return [];
  const seen = `the site shows an answer of ${utcMinute(shownReceivedAt ?? "")}, which the vault has no longer`;
  const becomes = capture === undefined ? "it stays as it is" : "the next publish shows the one below";
  return facts.said("differs", `${seen}: ${becomes}`);
}

function triesInWords(tries: number): string {
  return tries === 1 ? "at the first try" : `after ${tries} tries`;
}

function runLines({ id, state, endedAt }: RunFacts, facts: FactLines): string[] {
  const ended = state === undefined || endedAt === undefined ? "" : `, ${state} at ${utcMinute(endedAt)}`;
  return facts.line("run", plainLine(`${id} (also its workflow's id)${ended}`));
}

function gateLines({ passed, noted, waived }: GateFacts, facts: FactLines): string[] {
  return [
    ...(passed.length === 0 ? [] : facts.said("gates", `passed: ${passed.join(", ")}`)),
    ...noted.flatMap(({ note, isWarning }) =>
      facts.said("noted", `${note}${isWarning ? " (the configuration only warns of it)" : ""}`),
    ),
    ...(waived === undefined
      ? []
      : [
          ...facts.said("gates", `refused it: ${waived.note}`),
          ...facts.said("waived", `by ${waived.by} at ${utcMinute(waived.at)}: ${waived.why}`),
        ]),
  ];
}
