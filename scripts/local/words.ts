// Messages of `almanac local`: the site's URL, its contents, the next steps, and how to continue after Ctrl-C.
import type { Language } from "../../readings/tables.ts";
import type { RunProgress } from "../../readings/run-messages.ts";
import { groupsIn, createPartReader, languageOf } from "../../publish/state/parts.ts";
import { readState } from "../../publish/state/state.ts";
import { addressOf } from "../../site/address.ts";
import { pathOf } from "../../site/paths.ts";
import type { Store } from "../../store/store.ts";
import { totalsOf } from "../terminal/progress.ts";
import { counted, figureOf, type Lines, sentence } from "../terminal/output.ts";

/** The languages among these whose front page exists. */
export async function shownAmong(languages: readonly Language[], site: Store): Promise<Language[]> {
  const pages = await Promise.all(
    languages.map((language) => site.read(pathOf({ row: "frontPage", language }))),
  );
  return languages.filter((_, index) => pages[index] !== undefined);
}

/** `German and English` */
export function namesInWords(languages: readonly Language[]): string {
  const names = new Intl.DisplayNames("en", { type: "language" });
  return new Intl.ListFormat("en").format(languages.map((language) => names.of(language) ?? language));
}

/** A line for each language with the address of its front page. */
export function addressLines(languages: readonly Language[], url: string): Lines {
  return languages.map(
    (language) => `  ${namesInWords([language])}: ${url}${addressOf(pathOf({ row: "frontPage", language }))}`,
  );
}

/** Counts of the published pages, languages and other files, from the manifest. */
export async function madeLines(site: Store): Promise<Lines> {
  const state = await readState(site);
  if (state === undefined) return "nothing is published yet";
  const reader = createPartReader(site);
  const paths = (
    await Promise.all(groupsIn(state.manifest).map((group) => reader.files(state.manifest, group)))
  ).flatMap((files) => Object.keys(files));
  const languages = new Set(paths.map(languageOf).filter((language) => language !== undefined));
  const pages = paths.filter((path) => path.endsWith(".html")).length;
  const others = figureOf(paths.length - pages);
  return sentence(
    `the site has ${counted(pages, "page")} in ${counted(languages.size, "language")}, and ${others} other files: data, feeds, pictures`,
  );
}

export function nextLines(kind: "sandbox" | "service"): Lines {
  const real =
    kind === "sandbox"
      ? "these texts are invented. For real ones, set the service's URLs, READING_SERVICE_TOKEN and READING_SERVICE_API_KEY in .env"
      : "npx almanac plan lists the requests of a night and its duration, npx almanac service install --print shows a permanent installation";
  return [
    sentence(
      "next: set name and languages of the site in almanac.config.ts, and its appearance in theme/. npx almanac preview shows both while you edit",
    ),
    sentence(real, "      "),
  ];
}

/** Message after Ctrl-C during a night; without progress, nothing had begun. */
export function stoppedLines(progress: RunProgress | undefined, shown: readonly Language[]): Lines {
  const { planned, done, skipped } = totalsOf(Object.values(progress?.languages ?? {}));
  return [
    planned > 0 && `stored ${figureOf(done - skipped)} of ${counted(planned, "reading")} of this run`,
    shown.length > 0 && sentence(`published ${namesInWords(shown)}. To see it: npx almanac serve`),
    "run the same command to continue. Stored readings are not requested again",
  ];
}
