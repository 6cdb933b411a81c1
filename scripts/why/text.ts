// One text as `almanac why` prints it: the answer that was kept, the gates and the run.
import type { Absence, GateFacts, TextFacts } from "../../insight/why-answer.ts";
import { utcMinute } from "../../readings/instant-words.ts";
import { type Lines, plainLine, sentence } from "../terminal/output.ts";

const labelColumns = "would show  ".length;

/** A name, an address, a hash: in one line, to be copied. */
export function fact(label: string, text: string): string {
  return label.padEnd(labelColumns) + text;
}

/** A sentence, over as many lines as it needs. */
export function told(label: string, words: string): Lines {
  const [first = "", ...more] = sentence(words, " ".repeat(labelColumns));
  return [fact(label, first.trimStart()), more];
}

export function textLines(text: TextFacts, absence: Absence | undefined, isDamaged: boolean): Lines {
  const { key, data, capture, gates, run, quarantined } = text;
  const ended = run?.state && run.endedAt && `, ${run.state} at ${utcMinute(run.endedAt)}`;
  return [
    fact("reading", data ?? key),
    text.shownFrom !== undefined && fact("shown from", utcMinute(text.shownFrom)),
    !isDamaged && originLines(text),
    capture === undefined
      ? fact("capture", isDamaged ? "there, and can't be read" : "none in the vault")
      : [
          fact("capture", capture.file),
          fact("received", `${utcMinute(capture.receivedAt)}, ${triesInWords(capture.tries)}`),
          fact("from", plainLine(capture.address)),
        ],
    run && fact("run", plainLine(`${run.id} (also its workflow's id)${ended ?? ""}`)),
    gates && gateLines(gates),
    quarantined !== undefined &&
      absence?.kind !== "quarantined" &&
      told(
        "set aside",
        `another answer, at ${utcMinute(quarantined.at)}: ${quarantined.reason}; \`almanac quarantine show ${key}\``,
      ),
  ];
}

/** Where the published text is not the answer that has its place in the vault. */
function originLines({ isFrom, shownReceivedAt, capture }: TextFacts): Lines {
  if (isFrom === "stand-in")
    return told(
      "stand-in",
      "a gate took the answer below from its place; it is shown until another answer has that place",
    );
  if (isFrom !== "another") return false;
  const seen = `the site shows an answer of ${utcMinute(shownReceivedAt ?? "")}, which the vault has no longer`;
  const becomes = capture === undefined ? "it stays as it is" : "the next publish shows the one below";
  return told("differs", `${seen}: ${becomes}`);
}

function triesInWords(tries: number) {
  return tries === 1 ? "at the first try" : `after ${tries} tries`;
}

function gateLines({ passed, noted, waived }: GateFacts): Lines {
  return [
    passed.length > 0 && told("gates", `passed: ${passed.join(", ")}`),
    noted.map(({ note, isWarning }) =>
      told("noted", `${note}${isWarning ? " (the configuration only warns of it)" : ""}`),
    ),
    waived && [
      told("gates", `refused it: ${waived.note}`),
      told("waived", `by ${waived.by} at ${utcMinute(waived.at)}: ${waived.why}`),
    ],
  ];
}
