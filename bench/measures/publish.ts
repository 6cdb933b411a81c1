// Puts per second of a publish, compared with a plain loop that puts the same bytes (bench:publish reports more).
import { languageNames } from "../../readings/tables.ts";
import { settings, wholeEdition, renderLanguage } from "../../test/site/editions.ts";
import { kindsOfStore, putRounds } from "../puts.ts";
import { spreadOf } from "../rounds.ts";
import { atLeast, type Line, type Measure } from "./measure.ts";

const languages = 4;

export const publish: Measure = {
  name: "publish",
  about: `publish: a new site of ${languages} languages, into a folder and into a real S3; puts a second`,
  boundSeconds: 240,
  async run({ rounds = 4, share, atEnd }): Promise<Line[]> {
    const some = languageNames.slice(0, Math.max(1, Math.round(languages * share)));
    const files = some.flatMap((language) => renderLanguage(wholeEdition(language), settings));
    const lines: Line[] = [];
    for (const kind of await kindsOfStore(atEnd)) {
      const { ours, bare, ratios } = await putRounds(kind, files, rounds);
      const line = { unit: "files/s", digits: 0 };
      lines.push(
        { ...line, what: `Almanac, ${kind.name}`, figures: ours, note: `${files.length} files` },
        {
          ...line,
          what: `bare loop, ${kind.name}`,
          figures: bare,
          ratios,
          aim: atLeast(spreadOf(ratios), kind.aim),
        },
      );
    }
    return lines;
  },
};
