// A page of each kind, pressed in memory with a theme and with invented texts, in one language of each script and in those that the
// theme treats by themselves.
import type { Configuration } from "../../../readings/configuration.schema.ts";
import { type Language, languages as allLanguages } from "../../../readings/languages.ts";
import { withoutLanguage } from "../../../site/alternates.ts";
import { languageDocument } from "../../../site/data.schema.ts";
import { printDraft } from "../../../site/draft.ts";
import { html, isMarkup, ownMarkup } from "../../../site/html.ts";
import { Context } from "../../../site/page-context.ts";
import { pathOf } from "../../../site/paths.ts";
import { type PressedFile, pressShared } from "../../../site/press.ts";
import { siteSettingsOf } from "../../../site/site-settings.ts";
import type { PageKind, TextPiece, Theme, ThemeTemplate } from "../../../site/theme/theme.ts";
import { tree } from "../../../site/tree.ts";
import { parseJson } from "../../../vault/json.ts";
import { type LiveLanguage, withOwnPages } from "../../live/live-site.ts";
import { isPageKind } from "../../theme/theme.schema.ts";
import { marks } from "./page-structure.ts";

export interface SamplePage {
  readonly kind: PageKind;
  readonly path: string;
  readonly bytes: Uint8Array;
}

export function sampledLanguages(
  configured: readonly Language[],
  { slots, pages, words }: Theme,
): Language[] {
  const special = new Set([
    ...slots.flatMap((slot) => slot.languages ?? []),
    ...pages.map(({ at }) => at.language),
    ...Object.keys(words),
  ]);
  const scripts = new Set<string>();
  return configured.filter((language) => {
    const { script } = allLanguages[language];
    const isFirst = !scripts.has(script);
    scripts.add(script);
    return isFirst || special.has(language);
  });
}

export function samplePages(
  samples: readonly LiveLanguage[],
  configuration: Configuration,
  theme: Theme | undefined,
): SamplePage[] {
  const settings = siteSettingsOf(configuration, theme);
  const ofLanguages = samples.map((sample) => pagesIn(sample, configuration, theme));
  const summaries = ofLanguages.flatMap(({ summary }) => summary ?? []);
  return [...ofLanguages.flatMap(({ pages }) => pages), ...pressShared(summaries, settings).flatMap(pageIn)];
}

function pagesIn(sample: LiveLanguage, configuration: Configuration, theme: Theme | undefined) {
  const own = withOwnPages(sample, theme);
  const { language } = own.home;
  const others = configuration.languages.filter((one) => one !== language);
  const listed = own.files.flatMap(({ at }) =>
    "language" in at && tree[at.row].isListed ? [withoutLanguage(at)] : [],
  );
  const alternates = { languages: new Map(listed.map((path) => [path, others])) };
  const context = new Context(
    own.home,
    siteSettingsOf(configuration, theme),
    own.linked,
    others.length === 0 ? undefined : alternates,
  );
  const firsts = new Map(own.files.toReversed().map((draft) => [kindOf(draft), draft] as const));
  const pages = [...firsts.values()].toReversed().flatMap((draft) => pageIn(printDraft(draft, context)));
  const index = pathOf({ row: "languageIndex", language });
  const draft = own.files.find(({ path }) => path === index);
  const summary = draft && parseJson(index, printDraft(draft, context).bytes, languageDocument);
  return { pages, summary };
}

/** Each page of the owner's is of a kind of its own. */
function kindOf({ at, path }: Pick<PressedFile, "at" | "path">): string {
  return at.row === "ownPage" ? path : at.row;
}

function pageIn({ at: { row }, path, bytes }: PressedFile): SamplePage[] {
  return isPageKind(row) ? [{ kind: row, path, bytes }] : [];
}

/** The theme with comments around what comes from each of its files. */
export function markedTheme(theme: Theme): Theme {
  const templates = Object.entries(theme.templates).flatMap(([kind, template]) =>
    template === undefined ? [] : [[kind, markedTemplate(template)] as const],
  );
  return {
    ...theme,
    slots: theme.slots.map((slot) => {
      const pieces = slot.pieces.flatMap((piece) =>
        isOurs(piece) ? [marks.ours, piece, marks.end] : [piece],
      );
      return { ...slot, pieces: [marks.copied(slot.file), ...pieces, marks.end] };
    }),
    pages: theme.pages.map((page) => {
      const file = `pages/${page.at.language}/${page.at.page}.md`;
      return { ...page, body: [marks.made(file), ...page.body, marks.end] };
    }),
    templates: Object.fromEntries(templates),
  };
}

function isOurs(piece: TextPiece) {
  return typeof piece === "object" && "value" in piece && piece.value === "ours";
}

function markedTemplate(template: ThemeTemplate): ThemeTemplate {
  return {
    ...template,
    print: (page) => {
      const printed = template.print(page);
      if (!isMarkup(printed)) return printed;
      return html`${ownMarkup(marks.made(template.file))}${printed}${ownMarkup(marks.end)}`;
    },
  };
}
