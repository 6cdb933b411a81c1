// `almanac why`: traces a path of the site or a feed entry back to its sources, or explains why it is missing.
import { utcMinute } from "../readings/calendar.ts";
import { isFurtherDraw, requestOf } from "../readings/request.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes, WrongUsage } from "./terminal/errors.ts";
import { tellRefusedState } from "./terminal/findings.ts";
import { wrongWhere, pathIn } from "./terminal/options.ts";
import {
  printAs,
  firstLines,
  counted,
  sizeInWords,
  type Lines,
  plainLine,
  styled,
  tableLines,
  sentence,
} from "./terminal/output.ts";
import type { SiteSettings } from "../site/edition.ts";
import { entryIdIn, requestOfEntry } from "../site/feed.ts";
import { ownPaths, pathOf } from "../site/paths.ts";
import { openSite } from "../worker/opened-site.ts";
import { now } from "../worker/settings/environment.ts";
import { nearestLanguage, nearestName } from "../worker/settings/nearest-name.ts";
import { nightlyId } from "../workflows/names.ts";
import type {
  Absence,
  NamedPath,
  PublishedFile,
  TextFacts,
  Why,
  RuleResults,
} from "../insight/why-answer.ts";
import { NoSuchPath } from "../insight/why-gathering.ts";
import { type WhyQuestion, why } from "../insight/why.ts";

export const define: Define = (command) => {
  command
    .argument("<path>", "Path or URL of a page, feed or JSON file, the ID of a feed entry, or a request key")
    .addHelpText(
      "after",
      `
It traces a published file to its manifest, set, reading and stored response: the time, endpoint, attempts, validation rules
and run. For a missing file it explains the reason. It changes nothing, and makes no call.

Examples: trace a page; explain a missing page; trace a JSON file; trace a feed entry:
  almanac why /en/daily/leo/
  almanac why https://almanac.example/hi/weekly/aries/2026-11-15/
  almanac why v1/en/daily/2026-11-21.json
  almanac why urn:almanac:almanac:daily-horoscope:en:leo:2026-11-21`,
    )
    .action(async (text, { json }) => {
      const opening = await openSite();
      const { configuration, vault, site } = opening;
      const at = now();
      const run = nightlyId(configuration.site.id, at.toISOString().slice(0, 10));
      const question = parseQuestion(text, configuration.site);
      const answer = await orWrong(why(question, { configuration, vault, site, now: at, run }));
      const refused = await tellRefusedState(opening);
      printAs(json, { ...answer, refused }, whyLines(answer));
      if (answer.damaged.length > 0) process.exitCode = exitCodes.incomplete;
    });
};

function parseQuestion(text: string, { id, url }: SiteSettings): WhyQuestion {
  const entryId = entryIdIn(text);
  if (entryId !== undefined) {
    const entry = requestOfEntry(id, entryId);
    if (entry !== undefined)
      return {
        entry,
        path: pathOf({
          row: "datedPage",
          language: entry.language,
          kind: "daily",
          sign: entry.sign,
          key: entry.period,
        }),
      };
    throw new WrongUsage(`"${entryId}" is not a feed entry of this site`, undefined, {
      allowed: `Entry IDs have the form urn:almanac:${id}:daily-horoscope:{lang}:{sign}:{date}`,
    });
  }
  const request = requestOf(text);
  if (request !== undefined && isFurtherDraw(request)) {
    const { language, operation } = request;
    return { draw: request, path: pathOf({ row: "deckData", language, operation }) };
  }
  const [own] = request === undefined ? [] : ownPaths(request);
  return { path: own ?? pathIn(text, url) };
}

async function orWrong<Result>(answering: Promise<Result>): Promise<Result> {
  try {
    // Dates at the very end of the calendar have no neighbors, which throws a RangeError.
    return await wrongWhere(RangeError, answering);
  } catch (error) {
    if (!(error instanceof NoSuchPath)) throw error;
    const meant = error.meant ?? meantBy(error);
    const allowed =
      meant === undefined && error.unknown?.as === "language"
        ? "Paths start with a language: `almanac why /en/daily/leo/`"
        : undefined;
    throw new WrongUsage(error.message, meant, { allowed });
  }
}

function meantBy({ unknown }: NoSuchPath) {
  if (unknown === undefined) return undefined;
  const { word, as, known } = unknown;
  return (as === "language" ? nearestLanguage(word) : undefined) ?? nearestName(word, known);
}

/** One fact per line, and the next step if something is missing. */
function whyLines(found: Why): Lines {
  const { path, file, shows, parts, absence, dateAhead, damaged } = found;
  return [
    styled("bold", path) + (file === undefined ? " is not on the site" : ""),
    "",
    // A missing file without a text would show nothing.
    (file !== undefined || shows.kind !== "none") &&
      labeled(file === undefined ? "expected" : "shows", shows.words),
    absence && absenceLines(absence),
    publishedLines(found),
    dateAhead && [
      fact("but", styled("yellow", "its date is in the future")),
      labeled("", dateAhead.seen),
      labeled("next", dateAhead.remedy),
    ],
    isOfVault(found) && [
      linesOfSet(found),
      found.texts.length > 1 ? textTable(found) : found.texts.map((text) => textLines(text, found)),
    ],
    partLines(parts),
    damaged.map(({ file: name, reason }) => [fact("damaged", styled("yellow", name)), labeled("", reason)]),
  ];
}

/** Whether to show the vault: for a missing file only if the vault has a response or a reading for it. */
function isOfVault({ file, set, texts }: Why) {
  const isKnown = texts.some(({ response, quarantined }) => (response ?? quarantined) !== undefined);
  return file !== undefined || isKnown || (set !== undefined && set.readings > 0);
}

function absenceLines({ kind, reason, next, missing = [] }: Absence): Lines {
  return [
    fact("reason", styled("yellow", kind)),
    labeled("", reason),
    missing.map((one) => [fact("missing", one.key), labeled("", `${one.kind}: ${one.reason}`)]),
    next !== undefined && labeled("next", next),
  ];
}

function publishedLines({ site, file, entry }: Why): Lines {
  if (site === undefined)
    return labeled("published", "nothing yet. Run `almanac local` or `almanac nightly`");
  const state = `version ${site.version} since ${utcMinute(site.publishedAt)}, manifest ${site.manifest.slice(0, 12)}`;
  return [
    fact(file === undefined ? "looked in" : "published", state),
    file && fileLines(file),
    entry &&
      labeled(
        "feeds",
        entry.feeds.join(", ") || "no feed contains this entry: feeds contain only the current day",
      ),
  ];
}

function fileLines({ part, object, sizeBytes, since }: PublishedFile): Lines {
  const { version, asOf, run, isKnown } = since;
  const by = isKnown ? `, as of ${utcMinute(asOf)}, by ${run}` : " or an earlier one";
  return [
    fact("part", part),
    fact("since", plainLine(`version ${version}${by}`)),
    fact("object", `${object} (${sizeInWords(sizeBytes)})`),
  ];
}

function linesOfSet({ set, file }: Why): Lines {
  if (set === undefined) return false;
  const { readings, of, hindrance } = set;
  const count = of === 1 ? "" : `, ${readings} of ${of} readings in the vault`;
  return [
    fact("set", `${set.set}${count}`),
    // For a missing file, the reason is printed above.
    hindrance !== undefined &&
      file !== undefined &&
      labeled("", `cannot be rendered from the vault now: ${hindrance}`),
  ];
}

/** Table of several texts, one line each. */
function textTable(found: Why): Lines {
  const rows = found.texts.map((text) => [
    text.key.slice(text.key.lastIndexOf("/") + 1),
    text.response === undefined ? "" : utcMinute(text.response.receivedAt),
    text.response?.tries ?? "",
    plainLine(text.response?.run ?? ""),
    plainLine(verdictOn(text, found)),
  ]);
  return [
    "",
    tableLines(["", "received", "tries", "run", "rules"], rows),
    "",
    found.texts.slice(0, 1).map(({ data, key }) => `details of one: \`almanac why ${data ?? key}\``),
  ];
}

function isDamaged({ key }: TextFacts, damaged: Why["damaged"]) {
  return damaged.some(({ file }) => file.endsWith(`/${key}.json`));
}

function verdictOn(text: TextFacts, found: Why) {
  const { response, rules, withdrawn, quarantined } = text;
  if (withdrawn !== undefined) return "withdrawn";
  if (response === undefined) {
    if (isDamaged(text, found.damaged)) return "unreadable";
    return quarantined === undefined ? "not in the vault" : "quarantined";
  }
  if (rules?.waived !== undefined) return `accepted by ${rules.waived.by}`;
  const notes = rules?.noted.length ?? 0;
  return notes === 0 ? "passed" : `passed, ${counted(notes, "note")}`;
}

function partLines(parts: readonly NamedPath[]): Lines {
  if (parts.length === 0) return false;
  const rows = parts.map(({ name, path }) => [plainLine(name), path]);
  const [head = "", ...lines] = tableLines(["made of", "details: `almanac why ...`"], rows);
  return ["", head, firstLines(lines, (line) => line)];
}

const labelColumns = "quarantined ".length;

/** A name, URL or hash on one line, so that it can be copied. */
function fact(label: string, text: string): string {
  return label.padEnd(labelColumns) + text;
}

/** A sentence, wrapped. */
function labeled(label: string, words: string): Lines {
  const [first = "", ...more] = sentence(words, " ".repeat(labelColumns));
  return [fact(label, first.trimStart()), more];
}

/** Details of one text: the stored response, the rules and the run. */
function textLines(text: TextFacts, { absence, damaged }: Why): Lines {
  const { key, data, response, rules, run, quarantined } = text;
  const isUnreadable = isDamaged(text, damaged);
  const ended = run?.state && run.endedAt && `, ${run.state} at ${utcMinute(run.endedAt)}`;
  return [
    fact("reading", data ?? key),
    text.shownFrom !== undefined && fact("shown from", utcMinute(text.shownFrom)),
    !isUnreadable && originLines(text),
    response === undefined
      ? fact("response", isUnreadable ? "unreadable" : "none in the vault")
      : [
          fact("response", response.file),
          fact(
            "received",
            `${utcMinute(response.receivedAt)}, ${response.tries === 1 ? "at the first attempt" : `after ${response.tries} attempts`}`,
          ),
          fact("from", plainLine(response.address)),
        ],
    run && fact("run", plainLine(`${run.id} (also the workflow ID)${ended ?? ""}`)),
    rules && ruleLines(rules),
    quarantined !== undefined &&
      absence?.kind !== "quarantined" &&
      labeled(
        "quarantined",
        `another response, of ${utcMinute(quarantined.at)}: ${quarantined.reason}. \`almanac quarantine show ${key}\` shows it`,
      ),
  ];
}

/** Explains why the published text is not the response now stored in the vault. */
function originLines({ isFrom, shownReceivedAt, response }: TextFacts): Lines {
  if (isFrom === "superseded response")
    return labeled(
      "superseded",
      "a set rule rejected the response below; it is shown until another response replaces it",
    );
  if (isFrom !== "another") return false;
  const seen = `the site shows a response of ${utcMinute(shownReceivedAt ?? "")} that is no longer in the vault`;
  const becomes = response === undefined ? "it stays published" : "the next publish shows the one below";
  return labeled("differs", `${seen}: ${becomes}`);
}

function ruleLines({ passed, noted, waived }: RuleResults): Lines {
  return [
    passed.length > 0 && labeled("rules", `passed: ${passed.join(", ")}`),
    noted.map(({ note, isWarning }) =>
      labeled("noted", `${note}${isWarning ? " (the configuration only warns)" : ""}`),
    ),
    waived && [
      labeled("rules", `rejected it: ${waived.note}`),
      labeled("waived", `by ${waived.by} at ${utcMinute(waived.at)}: ${waived.why}`),
    ],
  ];
}
