// What leaves the site because the configuration no longer has it: a language that was dropped, and the current paths of
// operations, pairs and people that were. What is dated stays as the archive it is. A missing answer removes nothing.
import type { Configuration } from "../../readings/configuration.schema.ts";
import { isLanguage } from "../../readings/languages.ts";
import { operationNames } from "../../readings/operations.ts";
import { isPeriodKind, periodKinds } from "../../readings/periods.ts";
import { isSign, signs } from "../../readings/signs.ts";
import type { PressedFile } from "../../site/press.ts";
import type { Log } from "../../vault/log.ts";
import { groupOf, groupsIn } from "../state/parts.ts";
import { isUsual } from "./removal.ts";
import type { Published } from "./shared.ts";

interface Needs {
  readonly configuration: Configuration;
  readonly log: Log;
}

export interface Leaving {
  readonly paths: readonly string[];
  /** How many stay where they are although the configuration has dropped them, because they are unusually many. */
  readonly left: number;
}

/** An unusual number is left where it is, and said: a night must not wait for a person's word, which is `evenMany`. */
export async function leaving(
  { manifest, reader }: Published,
  pressed: readonly PressedFile[],
  { configuration, log }: Needs,
  evenMany = false,
): Promise<Leaving> {
  if (manifest === undefined) return { paths: [], left: 0 };
  const paths: string[] = [];
  const touched = new Set(pressed.map(({ path }) => groupOf(path)));
  for (const group of groupsIn(manifest)) {
    const language = group.slice(0, group.indexOf("/"));
    const dropped = isLanguage(language) && !configuration.languages.includes(language);
    if (!dropped && !(touched.has(group) && group.endsWith("/current"))) continue;
    const all = Object.keys(await reader.files(manifest, group));
    const isGone = (path: string) => !isWanted(path, configuration) && !staysEnded(path);
    paths.push(...(dropped ? all : all.filter(isGone)));
  }
  const { unusualShare } = configuration.publishing;
  if (evenMany || (await isUsual(paths.length, manifest, reader, unusualShare))) return { paths, left: 0 };
  log.warn(
    { paths: paths.length, unusualShare },
    `the configuration has dropped so much that ${paths.length} files stay until \`almanac press --yes\` takes them away`,
  );
  return { paths: [], left: paths.length };
}

const endedPath = new RegExp(
  `^[a-z]+/(${periodKinds.join("|")})/(?:${signs.join("|")})/(?:index\\.html|feed\\.(?:json|xml))$`,
);

/** The current pages of a sign, and its feeds: others lead there, so they stay without a text (site/ended-page.ts). */
function staysEnded(path: string): boolean {
  return endedPath.test(path);
}

/** Every path that this version knows of is wanted unless the configuration has dropped what it shows. */
export function isWanted(path: string, { operations, pairs, people }: Configuration): boolean {
  const [, section = "", name = ""] = path.replace(/^v1\//, "").split("/");
  if (section === "embed") return operations.includes("daily-horoscope");
  if (section === "people") return people.some(({ id }) => id === name);
  if (isPeriodKind(section)) return operations.includes(`${section}-horoscope`);
  const shown = section === "decks" ? name.replace(/\.json$/, "") : section;
  const operation = operationNames.find((one) => one === shown);
  if (operation === undefined) return true;
  if (!operations.includes(operation)) return false;
  const pair = /^([a-z]+)-([a-z]+)(?:\.json)?$/.exec(name);
  if (operation !== "love-compatibility" || pair === null) return true;
  const [, first = "", second = ""] = pair;
  if (pairs === undefined) return isSign(first) && isSign(second); // all of them
  return pairs.some(([one, other]) => one === first && other === second);
}
