// A newsletter as e-mail HTML: one narrow column, a strip a sign, no script, no picture but the theme's logo, nothing from elsewhere.
import { Address } from "../address.ts";
import { directionOf } from "../formats.ts";
import { html, type Markup } from "../html.ts";
import type { Context } from "../context.ts";
import { pathOf } from "../paths.ts";
import type { NewsletterFooter } from "../theme/theme.ts";
import {
  accented,
  bar,
  bodyEnd,
  bodyStart,
  darkStyle,
  linked,
  type Rule,
  sides,
  soft,
  spaced,
  strip,
  swatches,
} from "./newsletter-style.ts";
import {
  type LabelledValue,
  type Newsletter,
  type NewsletterEntry,
  unsubscribeSlot,
} from "./newsletter-content.ts";

export function newsletterHtml(context: Context, newsletter: Newsletter): Markup {
  const { language } = context;
  const [only] = newsletter.entries;
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no" />
        <meta name="x-apple-disable-message-reformatting" />
        <title>${newsletter.subject}</title>
        ${darkStyle(context)}
      </head>
      ${bodyStart(context)}<span
        style="display:none;font-size:0;line-height:0;max-height:0;overflow:hidden;opacity:0;mso-hide:all"
        >${newsletter.preheader}</span
      >
      ${head(context, newsletter)}
      ${
        newsletter.kind === "all"
          ? newsletter.entries.map((entry, index) => brief(context, entry, index === 0 ? "double" : "single"))
          : only !== undefined && inFull(context, only)
      }
      ${foot(context)}${bodyEnd}
    </html> `;
}

function head(context: Context, { date, kind, entries }: Newsletter) {
  const { language, labels } = context;
  const name = html`<p style="margin:0 0 14px">${linked(context, context.fullAddress({ row: "frontPage", language }), mark(context), "title")}</p>`;
  const [only] = entries;
  const operation = labels.operations["daily-horoscope"];
  const title =
    kind === "one" && only !== undefined
      ? html`<h1 style="margin:18px 0 0;font-size:36px;line-height:48px;font-weight:normal">
            <a href="${only.page}" style="text-decoration:none">${accented(context, only.sign, only.name)}</a>
          </h1>
          <p style="margin:0 0 10px">${soft(context, only.sunDates)}</p>`
      : html`<h1 style="margin:18px 0 8px;font-size:30px;line-height:42px;font-weight:normal">
          ${operation}
        </h1>`;
  return html`${strip(context, "none", html`<p style="margin:0;font-size:0;line-height:22px">&nbsp;</p>${name}`, "center")}
  ${strip(
    context,
    "double",
    html`${title}
      <p style="margin:0">${kind === "one" && html`${operation}<br />`}${date}</p>`,
    "center",
  )}`;
}

/** The theme's logo, or the name: Gmail and Outlook do not show SVG. */
function mark(context: Context): Markup {
  const { language, settings } = context;
  const { logo } = settings.theme ?? {};
  if (logo === undefined || pathOf(logo.at).endsWith(".svg")) return spaced(language, settings.name);
  const { at, width, height } = logo;
  return html`<img src="${context.fullAddress(at)}" alt="${settings.name}" width="${width}" height="${height}" style="border:0" />`;
}

/** A sign's entry in the newsletter of all signs. */
function brief(context: Context, entry: NewsletterEntry, rule: Rule) {
  const { sign, texts, luck, page, name, sunDates } = entry;
  return strip(
    context,
    rule,
    html`<h2 style="margin:0;font-size:24px;line-height:36px;font-weight:normal">
        <a href="${page}" style="text-decoration:none">${accented(context, sign, name)}</a> ${soft(context, sunDates)}
      </h2>
      ${texts.map(
        ({ label, paragraphs }) =>
          html`<p style="margin:9px 0 0">${accented(context, sign, label, "b")} ${paragraphs.join(" ")}</p>`,
      )}
      ${luck.length > 0 && html`<p style="margin:9px 0 0">${luck.map((line, index) => html`${index > 0 && " · "}${lineOf(context, line)}`)}</p>`}
      <p style="margin:9px 0 0">
        ${toPage(context, entry)}
      </p>`,
  );
}

function lineOf(context: Context, { label, value }: LabelledValue) {
  return html`${soft(context, `${label}:`)} ${value}`;
}

/** A sign's own newsletter, with all texts of its page. */
function inFull(context: Context, entry: NewsletterEntry) {
  const { sign, texts, tips, luck, colors, scores, isShortened } = entry;
  const glance = html`${scores.length > 0 && scoreTable(context, entry)}
  ${colors.length > 0 && swatches(context, colors)}
  ${luck.map((line) => html`<p style="margin:4px 0 0">${lineOf(context, line)}</p>`)}`;
  return html`${scores.length + colors.length + luck.length > 0 && strip(context, "double", glance)}
  ${texts.map(({ label, paragraphs }) => textStrips(context, sign, label, paragraphs))}
  ${
    tips.length > 0 &&
    strip(
      context,
      "single",
      tips.map(
        ({ label, value }) =>
          html`<p style="margin:0 0 10px">${accented(context, sign, label, "b")}<br />${value}</p>`,
      ),
    )
  }
  ${
    isShortened &&
    strip(
      context,
      "single",
      html`<p style="margin:0">
        ${toPage(context, entry)}
      </p>`,
    )
  }`;
}

function scoreTable(context: Context, { sign, scores }: NewsletterEntry) {
  const { language, labels } = context;
  return html`<p style="margin:0 0 6px">${accented(context, sign, labels.scores, "b")}</p>
    <table
      role="presentation"
      width="100%"
      cellpadding="0"
      cellspacing="0"
      border="0"
      style="margin:0 0 10px"
    >
      ${scores.map(
        ({ label, value, text }) =>
          html`<tr>
            <td width="38%" style="padding:2px 0">${soft(context, label)}</td>
            <td width="47%">${bar(context, sign, value)}</td>
            <td width="15%" align="${sides(language).end}">${soft(context, text)}</td>
          </tr>`,
      )}
    </table>`;
}

function toPage(context: Context, { sign, page }: NewsletterEntry) {
  return linked(context, page, accented(context, sign, context.labels.readOn), "small");
}

/** A section under its heading; a long one continues in the next strip. */
function textStrips(
  context: Context,
  sign: NewsletterEntry["sign"],
  label: string,
  paragraphs: readonly string[],
): Markup[] {
  return stripsOf(paragraphs).map((texts, index) =>
    strip(
      context,
      index === 0 ? "single" : "none",
      html`${
        index === 0 &&
        html`<h2 style="margin:0 0 6px;font-size:20px;line-height:32px;font-weight:normal">
          ${accented(context, sign, label)}
        </h2>`
      }
      ${texts.map((text) => html`<p style="margin:0 0 10px">${text}</p>`)}`,
    ),
  );
}

/** The foot of a newsletter. The sender puts the address to unsubscribe into its slot. */
function foot(context: Context) {
  const { language, labels, settings } = context;
  const footer = settings.theme?.newsletter.footer;
  const own = footer && html`<p style="margin:0" dir="auto">${ownWords(context, footer)}</p>`;
  return strip(
    context,
    "double",
    html`<p style="margin:0">
        <a href="${context.fullAddress({ row: "frontPage", language })}" style="text-decoration:none"
          >${soft(context, settings.name)}</a
        >
      </p>
      ${own}
      <p style="margin:0">
        ${linked(context, unsubscribeSlot, soft(context, labels.unsubscribe), "small")}
      </p>`,
    "center",
  );
}

function ownWords(context: Context, { text, link }: NewsletterFooter) {
  const address = link === undefined ? undefined : Address.link(link);
  return address === undefined ? soft(context, text) : linked(context, address, soft(context, text), "small");
}

/** Divides a long text into several tables, because Outlook breaks a table that is higher than its page. */
/** The number of characters that fit in the script that needs most space. */
const stripLetters = 1400;

/** At most this number of characters: up to a sentence's end, else to a blank, else anywhere. */
const longPart = /^.{700,1399}[.!?。！？।؟](?=[\s\u3000-\u9fff])|^.{700,1399}\s|^.{1,1400}/su;

/** Strips of whole paragraphs, as many together as fit. */
function stripsOf(paragraphs: readonly string[]): string[][] {
  const strips: string[][] = [];
  let room = 0;
  for (const paragraph of paragraphs.flatMap(parted)) {
    if (strips.length === 0 || paragraph.length > room) {
      strips.push([]);
      room = stripLetters;
    }
    strips.at(-1)?.push(paragraph);
    room -= paragraph.length;
  }
  return strips;
}

/** Divides a paragraph that is far longer than any that was seen. */
function parted(paragraph: string) {
  const parts: string[] = [];
  let rest = paragraph;
  while (rest.length > stripLetters) {
    const [part = rest] = longPart.exec(rest) ?? [];
    parts.push(part.trim());
    rest = rest.slice(part.length).trim();
  }
  return [...parts, rest];
}
