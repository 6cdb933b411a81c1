// `almanac why`: from a path of the site, or a feed's entry, back to what it was made of, or why it is not there.
import { type WhyQuestion, why } from "../../insight/why.ts";
import { NoSuchPath } from "../../insight/why-gathering.ts";
import { isFurtherDraw, requestOf } from "../../readings/request.ts";
import { entryIdIn, requestOfEntry } from "../../site/entry-id.ts";
import type { SiteSettings } from "../../site/edition.ts";
import { pathOf } from "../../site/paths.ts";
import { ownPaths } from "../../site/shown-texts.ts";
import { nearestLanguage, nearestName } from "../../worker/settings/nearest-name.ts";
import { nightlyId } from "../../workflows/names.ts";
import type { Define } from "../terminal/command.ts";
import { exitCodes, WrongUsage } from "../terminal/errors.ts";
import { openSite } from "../../worker/opened-site.ts";
import { printAs } from "../terminal/output.ts";
import { tellRefusedState } from "../terminal/findings.ts";
import { wrongWhere, pathIn } from "../terminal/options.ts";
import { whyLines } from "./print.ts";
import { now } from "../../worker/settings/clock.ts";

export const define: Define = (command) => {
  command
    .argument(
      "<path>",
      "of a page, a feed or a JSON file, its address, the id of a feed's entry, or a request",
    )
    .addHelpText(
      "after",
      `
It goes from the published file to its manifest, sheet, reading and answer: when that was received, from where, after how
many tries, which gates it passed, and the run that asked. Of what is not there it says why. It reads only, and makes no call.

Examples: why does this page say this, and why is that one not there?
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
      const asked = askedFor(text, configuration.site);
      const answer = await orWrong(why(asked, { configuration, vault, site, now: at, run }));
      const refused = await tellRefusedState(opening);
      printAs(json, { ...answer, refused }, whyLines(answer));
      if (answer.damaged.length > 0) process.exitCode = exitCodes.setAside;
    });
};

function askedFor(text: string, { id, url }: SiteSettings): WhyQuestion {
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
    throw new WrongUsage(`"${entryId}" is no entry of this site's feeds`, undefined, {
      allowed: `their ids are urn:almanac:${id}:daily-horoscope:{lang}:{sign}:{date}`,
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
    // A date at the very end of the calendar has no neighbours to reckon with.
    return await wrongWhere(RangeError, answering);
  } catch (error) {
    if (!(error instanceof NoSuchPath)) throw error;
    throw new WrongUsage(error.message, error.meant ?? meantBy(error));
  }
}

function meantBy({ unknown }: NoSuchPath) {
  if (unknown === undefined) return undefined;
  const { word, as, known } = unknown;
  return (as === "language" ? nearestLanguage(word) : undefined) ?? nearestName(word, known);
}
