// `almanac why`: traces a path of the site or a feed entry back to its sources, or explains why it is missing.
import { utcMinute } from "../readings/calendar.ts";
import { requestOf } from "../readings/request.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes, WrongUsage } from "./terminal/errors.ts";
import { tellRefusedState } from "./terminal/findings.ts";
import { wrongWhere, pathIn } from "./terminal/options.ts";
import {
  printAs,
  columns,
  firstLines,
  type Lines,
  plainLine,
  styled,
  tableLines,
  sentence,
} from "./terminal/output.ts";
import type { SiteSettings } from "../site/edition.ts";
import { isFolder } from "../site/address.ts";
import { entryIdIn, requestOfEntry } from "../site/feed.ts";
import { ownPaths, passingPaths } from "../site/paths.ts";
import { openSite } from "../worker/opened-site.ts";
import { now } from "../worker/settings/environment.ts";
import { nearestLanguage, nearestName } from "../worker/settings/nearest-name.ts";
import { NoSuchPath } from "../insight/why-parts.ts";
import type { Fact } from "../insight/why-facts.ts";
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
      const question = parseQuestion(text, configuration.site);
      const refused = await tellRefusedState(opening);
      const facts = await orWrong(why(question, { configuration, vault, site, now: now() }));
      printAs(json, { path: question.path, facts, refused }, whyLines(question.path, facts));
      if (facts.some(({ about }) => about === "damaged")) process.exitCode = exitCodes.incomplete;
    });
};

function parseQuestion(text: string, { id, url }: SiteSettings): WhyQuestion {
  const entry = entryIdIn(text);
  const request = entry === undefined ? requestOf(text) : requestOfEntry(id, entry);
  if (request !== undefined) {
    const own = ownPaths(request);
    const page = own.find(isFolder);
    // A further draw is only in its deck.
    return { path: page ?? own[0] ?? passingPaths(request, false)[0] ?? "", request };
  }
  if (entry === undefined) return { path: pathIn(text, url) };
  throw new WrongUsage(`"${entry}" is not a feed entry of this site`, undefined, {
    allowed: `Entry IDs have the form urn:almanac:${id}:daily-horoscope:{lang}:{sign}:{date}`,
  });
}

async function orWrong<Result>(answering: Promise<Result>): Promise<Result> {
  try {
    // Dates at the very end of the calendar have no neighbors, which throws a RangeError.
    return await wrongWhere(RangeError, answering);
  } catch (error) {
    if (!(error instanceof NoSuchPath)) throw error;
    const { word = "", as, known = [], meant: path } = error.guess;
    const meant = path ?? (as === "language" ? nearestLanguage(word) : undefined) ?? nearestName(word, known);
    const isLost = meant === undefined && as === "language";
    const allowed = isLost ? "Paths start with a language: `almanac why /en/daily/leo/`" : undefined;
    throw new WrongUsage(error.message, meant, { allowed });
  }
}

/** The facts, then a table of the texts that the path is made of. */
function whyLines(path: string, facts: readonly Fact[]): Lines {
  const isThere = facts.some(({ about }) => about === "object");
  const parts = facts.filter(({ about }) => about === "made of");
  const rows = parts.map((part) => [plainLine(part.name ?? ""), plainLine(textOf(part) || (part.is ?? ""))]);
  const [head = "", ...lines] = tableLines(["made of", ""], rows);
  return [
    styled("bold", path) + (isThere ? "" : " is not on the site"),
    "",
    facts.map((fact) => fact.about !== "made of" && factLines(fact)),
    parts.length > 0 && ["", head, firstLines(lines, (line) => line)],
    parts.slice(0, 1).map(({ is }) => ["", `details of one: \`almanac why ${is}\``]),
  ];
}

const indent = " ".repeat("quarantined ".length);
const faults: ReadonlySet<string> = new Set(["reason", "but", "damaged", "stale"]);

/** A name is on one line, so that it can be copied; a sentence is wrapped. */
function factLines(fact: Fact): Lines {
  const { about, is } = fact;
  const label = about.padEnd(indent.length);
  const text = textOf(fact);
  const lines = sentence(text, indent);
  if (is === undefined) return [label + (lines[0] ?? "").trimStart(), lines.slice(1)];
  const name = faults.has(about) ? styled("yellow", plainLine(is)) : plainLine(is);
  if (text === "") return label + name;
  const isShort = label.length + is.length + text.length + 2 <= columns();
  return isShort ? `${label}${name}: ${plainLine(text)}` : [label + name, lines];
}

function textOf({ at, words }: Fact): string {
  return [at && utcMinute(at), words].filter((part) => part !== undefined).join(", ");
}
