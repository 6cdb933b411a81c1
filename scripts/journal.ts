// `almanac journal`: the decisions of people, newest first, from the journal in the vault.
import { staleCorrections } from "../insight/why-facts.ts";
import { minuteOf } from "../readings/calendar.ts";
import { requestOf } from "../readings/request.ts";
import type { Language } from "../readings/tables.ts";
import type { Correction } from "../vault/text-decisions.ts";
import { type Decision, type JournalEntry, languageOf } from "../vault/journal.ts";
import { readWithheld } from "../vault/withheld.ts";
import { openSite, requireOwnVault } from "../worker/opened-site.ts";
import type { Define } from "./terminal/command.ts";
import { typedDate } from "./terminal/dates.ts";
import { exitCodes } from "./terminal/errors.ts";
import { languageIn } from "./terminal/options.ts";
import { type CommandResult, plainLine, printResult, tableLines } from "./terminal/output.ts";

export const define: Define = (command) => {
  command
    .option("--language <code>", "Limit to decisions about this language, such as hi", languageIn)
    .option("--since <date>", "Limit to decisions from this UTC date on", typedDate("--since"))
    .addHelpText(
      "after",
      `
It lists each decision with the person, the subject and the reason. A stale correction no longer applies, because the service has sent
another text. --json adds corrected texts, pinned sets and hashes.

Example: list the decisions about Hindi since 21 November:
  almanac journal --language hi --since 2026-11-21`,
    )
    .action(async ({ language, since, json }) => {
      const { vault } = await requireOwnVault(await openSite());
      const withheld = await readWithheld(vault.own);
      const entries = await withheld.entries(since);
      const stale = await staleCorrections(vault, withheld);
      const own = entries.filter((one) => language === undefined || concerns(one, language));
      printResult(json, journalResult(own, new Set(stale.map(nameOf))));
    });
};

function nameOf({ key, field, at }: Pick<Correction, "key" | "field" | "at">): string {
  return `${key} ${field} ${at}`;
}

/** A decision that names no language concerns all of them. */
function concerns({ group, decision }: JournalEntry, language: Language): boolean {
  const own = languageOf(group);
  if (own !== undefined || decision === undefined) return own === language;
  return !("languages" in decision.subject) || decision.subject.languages.includes(language);
}

function journalResult(entries: readonly JournalEntry[], stale: ReadonlySet<string>): CommandResult {
  const isStale = ({ decision: one }: JournalEntry) =>
    one?.kind === "correct" && stale.has(nameOf({ ...one.subject, at: one.at }));
  const isWhole = entries.every(({ decision }) => decision !== undefined);
  const head = ["when (UTC)", "by", "decision", "subject", "reason"];
  return {
    document: {
      decisions: entries.map((one) => {
        const { decision, ...record } = one;
        return { ...record, ...decision, ...(isStale(one) && { stale: true }) };
      }),
    },
    lines:
      entries.length === 0
        ? "no decision is recorded"
        : tableLines(
            head,
            entries.map((one) => cellsOf(one, isStale(one))),
          ),
    code: isWhole ? exitCodes.done : exitCodes.incomplete,
  };
}

function cellsOf({ group, decision, damage = "" }: JournalEntry, isStale: boolean): string[] {
  if (decision === undefined) return ["", "", "damaged", group, damage];
  const { at, by, kind, reason, overrides = [] } = decision;
  const reasons = [reason ?? [], overrides.map((one) => `overrides ${one}`)].flat(2);
  const name = isStale ? `${kind} (stale)` : kind;
  return [minuteOf(at), by, name, subjectOf(decision), reasons.join("; ")].map(plainLine);
}

const mostNamed = 6;

function subjectOf(decision: Decision): string {
  const { subject } = decision;
  const texts = "texts" in decision ? Object.keys(decision.texts) : [];
  const operations = [...new Set(texts.flatMap((key) => requestOf(key)?.operation ?? []))];
  const { languages = [], ...others } = "languages" in subject ? subject : { ...subject, languages: [] };
  const named: Readonly<Record<string, string | number | undefined>> = others;
  const facts = Object.entries(named).flatMap(([name, value = ""]) => {
    if (value === "" || name === "original" || name === "path") return [];
    const words = String(value);
    return name === "key" || name === "field" || name === "group" ? words : `${name} ${words.slice(0, 12)}`;
  });
  return [...few(languages, "languages"), ...facts, ...few(operations, "operations")].join(" ");
}

function few(names: readonly string[], kind: string): readonly string[] {
  return names.length > mostNamed ? [`${names.length} ${kind}`] : names;
}
