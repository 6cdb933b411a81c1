// Checks that a night is complete: every wanted reading is stored, or skipped and reported; stored readings are published under
// their date; every published byte matches the manifest; and no earlier page is missing.
import type { RunProgress } from "../../readings/run-messages.ts";
import { storeSource } from "../../publish/repair/store-source.ts";
import { verify } from "../../publish/repair/verify.ts";
import { readState } from "../../publish/state/state.ts";
import { newestReport } from "../../vault/runs.ts";
import { catalogue, type WantedSet, zoneOf } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { isPeriodKind, periodOf, localDate, shiftPeriod } from "../../readings/calendar.ts";
import { rowOf } from "../../readings/tables.ts";
import { requestKey } from "../../readings/request.ts";
import { parsePath, pathOf } from "../../site/paths.ts";
import { publicKeys } from "./site.ts";
import { pathsOn } from "../support/looks.ts";
import { textAt } from "../support/stores.ts";
import type { World } from "../support/night.ts";

export type Say = (problem: string) => void;

/** After a run: answers the keys that the night wanted and the vault lacks, each of which is named. */
export async function lackingAfter(
  { vault }: World,
  configuration: Configuration,
  ended: RunProgress,
  say: Say,
): Promise<string[]> {
  if (ended.state !== "done") say(`the run ended as ${ended.state}: ${ended.failure ?? ""}`);
  for (const [language, reason] of Object.entries(ended.broken)) say(`${language} broke off: ${reason}`);
  const held = new Set(await vault.held(""));
  const named = new Map(ended.skipped.map((one) => [one.key, one]));
  const wanted = catalogue(configuration, new Date(ended.asOf)).flatMap(({ requests }) => requests);
  const lacking = wanted.map(requestKey).filter((key) => !held.has(key));
  for (const key of lacking) if (!named.has(key)) say(`${key} is neither stored nor named as skipped`);
  for (const [key, { type }] of named) {
    if (held.has(key)) say(`${key} is named as skipped, and is stored`);
    if (type !== "Rejected" && type !== "Unfit") say(`${key} is skipped as ${type}`);
    else if ((await vault.quarantined(key))?.type !== type) say(`${key} is skipped and not in quarantine`);
  }
  const report = await newestReport(vault, ended.run);
  if (report?.skipped.length !== ended.skipped.length)
    say(`${ended.run}: its report is not what it answered`);
  return lacking;
}

/** Any moment at which nobody works; answers all paths. */
export async function soundAt(
  at: Date,
  { vault, site }: World,
  configuration: Configuration,
  before: ReadonlySet<string>,
  say: Say,
): Promise<ReadonlySet<string>> {
  const verified = await verify(storeSource(site), { publicKeys, now: () => at });
  for (const { path, expected, seen } of verified.findings.slice(0, 10))
    say(`verify: ${path}: expected ${expected}, seen ${seen}`);
  const paths = new Set((await pathsOn(site)).keys());
  for (const path of before)
    if (!paths.has(path) && !listsNothingNow(path, at)) say(`${path} was published and is gone`);
  const held = new Set(await vault.held(""));
  for (const set of catalogue(configuration, at)) {
    const isWhole = set.requests.every((request) => held.has(requestKey(request)));
    const path = isWhole ? pathNow(set, at, configuration) : undefined;
    if (path === undefined) continue;
    if (!paths.has(path.own)) say(`${path.own} is whole in the vault and not published`);
    if (path.latest !== undefined && (await textAt(site, path.latest)) !== (await textAt(site, path.own)))
      say(`${path.latest} is not ${path.own}`);
  }
  return paths;
}

/** The sitemap of a month whose pages are too old for search engines by the default index policy. */
function listsNothingNow(path: string, at: Date): boolean {
  const found = parsePath(path);
  const month = localDate("Pacific/Kiritimati", at).slice(0, 7); // the first zone in which a month begins
  const newestLeft = shiftPeriod("monthly", month, -2);
  return found?.row === "monthSitemap" && found.month <= newestLeft;
}

/** The path of a currently published set; undefined for a future one. */
function pathNow(
  { operation, language, requests: [first] }: WantedSet,
  at: Date,
  configuration: Configuration,
): { readonly own: string; readonly latest?: string } | undefined {
  if (first === undefined) return undefined;
  if ("person" in first) return { own: pathOf({ row: "personPage", language, person: first.person }) };
  if ("sign1" in first)
    return { own: pathOf({ row: "pairData", language, sign1: first.sign1, sign2: first.sign2 }) };
  const { due } = rowOf(operation);
  const today = localDate(zoneOf(configuration, language), at);
  if (!isPeriodKind(due) || first.period !== periodOf(due, today)) return undefined;
  if ("sign" in first)
    return {
      own: pathOf({ row: "signsData", language, kind: due, key: first.period }),
      latest: pathOf({ row: "currentSigns", language, kind: due }),
    };
  return {
    own: pathOf({ row: "cardsData", language, operation: first.operation, date: first.period }),
    latest: pathOf({ row: "currentCards", language, operation: first.operation }),
  };
}

export async function versionOf({ site }: World): Promise<number> {
  return (await readState(site))?.pointer.version ?? 0;
}
