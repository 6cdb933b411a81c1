// A newsletter as plain text, the HTML's twin: the same words, in lines, without markup.
import type { Context } from "./page-context.ts";
import type { LetterEntry, Letter } from "./letter.ts";
import { unsubscribeSlot } from "./merge-tags.ts";
import { columns, widthOf, wrapped } from "./mail-wrapping.ts";

export function letterText(context: Context, letter: Letter): string {
  const { labels, settings, language } = context;
  const operation = labels.operations["daily-horoscope"];
  const footer = settings.theme?.newsletter.footer;
  const home = context.url({ row: "frontPage", language });
  const blocks = [
    [settings.name, "=".repeat(widthOf(settings.name))],
    [operation, letter.date],
    ...letter.entries.flatMap((entry) => entryBlocks(context, entry, letter.kind)),
    ["-".repeat(columns)],
    [home],
    ...(footer === undefined ? [] : [[...wrapped(footer.text), ...(footer.link ? [footer.link] : [])]]),
    [`${labels.unsubscribe}: ${unsubscribeSlot}`],
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function entryBlocks({ labels }: Context, entry: LetterEntry, kind: Letter["kind"]): string[][] {
  const { name, sunDates, texts, luck, tips, scores, page, isShortened } = entry;
  const title = `${name} (${sunDates})`;
  const line = ({ label, value }: { label: string; value: string }) => wrapped(`${label}: ${value}`);
  const sections =
    kind === "all"
      ? texts.map(({ label, paragraphs }) => wrapped(`${label}: ${paragraphs.join(" ")}`))
      : texts.flatMap(({ label, paragraphs }) =>
          [[label, "-".repeat(widthOf(label))]].concat(paragraphs.map(wrapped)),
        );
  const more = kind === "all" || isShortened ? [[`${labels.readOn}:`, page.href]] : [];
  const glance = [
    ...scores.map(({ label, text }) => `${label}: ${text}`),
    ...luck.flatMap((one) => line(one)),
  ];
  const blocks =
    kind === "all" ? [...sections, glance, ...more] : [glance, ...sections, ...tips.map(line), ...more];
  return [["", title, "=".repeat(widthOf(title))], ...blocks.filter((lines) => lines.length > 0)];
}
