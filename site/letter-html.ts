// A newsletter as e-mail HTML: one narrow column, a strip a sign, no script, no picture, nothing from elsewhere.
import { type Context } from "./context.ts";
import { directionOf } from "./formats.ts";
import { type Content, html, type Markup } from "./html.ts";
import { type Entry, type Letter, type Line } from "./letter.ts";
import {
  accented,
  bar,
  bodyEnd,
  bodyStart,
  darkStyle,
  type Rule,
  sides,
  soft,
  spaced,
  strip,
  strongAccent,
  swatches,
} from "./letter-style.ts";
import { frontPath } from "./paths.ts";
import { stripsOf } from "./strips.ts";

export function letterHtml(context: Context, letter: Letter): Markup {
  const { language } = context;
  const [only] = letter.entries;
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
        <title>${letter.subject}</title>
        ${darkStyle}
      </head>
      ${bodyStart}<span
        style="display:none;font-size:0;line-height:0;max-height:0;overflow:hidden;opacity:0;mso-hide:all"
        >${letter.preheader}</span
      >
      ${head(context, letter)}
      ${
        letter.kind === "all"
          ? letter.entries.map((entry, index) => brief(context, entry, index === 0 ? "double" : "single"))
          : only !== undefined && inFull(context, only)
      }
      ${foot(context, letter)}${bodyEnd}
    </html> `;
}

function head(context: Context, { date, kind, entries }: Letter): Markup {
  const { language, labels, settings } = context;
  const name = html`<p style="margin:0 0 14px"><a href="${context.fullAddress(frontPath(language))}" style="color:#2a1f19;text-decoration:none" class="t">${spaced(language, settings.name)}</a></p>`;
  const [only] = entries;
  const operation = labels.operations["daily-horoscope"];
  const title =
    kind === "one" && only !== undefined
      ? html`<h1 style="margin:18px 0 0;font-size:36px;line-height:48px;font-weight:normal">
            <a href="${only.page}" style="text-decoration:none">${accented(only.sign, only.name)}</a>
          </h1>
          <p style="margin:0 0 10px">${soft(only.sunDates)}</p>`
      : html`<h1 style="margin:18px 0 8px;font-size:30px;line-height:42px;font-weight:normal">
          ${operation}
        </h1>`;
  return html`${strip(language, "none", html`<p style="margin:0;font-size:0;line-height:22px">&nbsp;</p>${name}`, "center")}
  ${strip(
    language,
    "double",
    html`${title}
      <p style="margin:0">${kind === "one" && html`${operation}<br />`}${date}</p>`,
    "center",
  )}`;
}

/** One of all signs. */
function brief(context: Context, entry: Entry, rule: Rule): Markup {
  const { sign, texts, luck, page, name, sunDates } = entry;
  return strip(
    context.language,
    rule,
    html`<h2 style="margin:0;font-size:24px;line-height:36px;font-weight:normal">
        <a href="${page}" style="text-decoration:none">${accented(sign, name)}</a> ${soft(sunDates)}
      </h2>
      ${texts.map(
        ({ label, paragraphs }) =>
          html`<p style="margin:9px 0 0">${strongAccent(sign, label)} ${paragraphs.join(" ")}</p>`,
      )}
      ${luck.length > 0 && html`<p style="margin:9px 0 0">${apart(luck.map(lineOf))}</p>`}
      <p style="margin:9px 0 0">
        ${toPage(context, entry)}
      </p>`,
  );
}

function lineOf({ label, value }: Line): Markup {
  return html`${soft(`${label}:`)} ${value}`;
}

/** A middle dot between, which all scripts know. */
function apart(parts: readonly Markup[]): Content[] {
  return parts.flatMap((part, index): Content[] => (index === 0 ? [part] : [" · ", part]));
}

/** One sign with all that its page has. */
function inFull(context: Context, entry: Entry): Markup {
  const { language } = context;
  const { sign, texts, tips, luck, colors, scores, isShortened } = entry;
  const glance = html`${scores.length > 0 && scoreTable(context, entry)}
  ${colors.length > 0 && swatches(colors)}
  ${luck.map((line) => html`<p style="margin:4px 0 0">${lineOf(line)}</p>`)}`;
  return html`${scores.length + colors.length + luck.length > 0 && strip(language, "double", glance)}
  ${texts.map(({ label, paragraphs }) => textStrips(context, sign, label, paragraphs))}
  ${
    tips.length > 0 &&
    strip(
      language,
      "single",
      tips.map(
        ({ label, value }) => html`<p style="margin:0 0 10px">${strongAccent(sign, label)}<br />${value}</p>`,
      ),
    )
  }
  ${
    isShortened &&
    strip(
      language,
      "single",
      html`<p style="margin:0">
        ${toPage(context, entry)}
      </p>`,
    )
  }`;
}

function scoreTable({ language, labels }: Context, { sign, scores }: Entry): Markup {
  return html`<p style="margin:0 0 6px">${strongAccent(sign, labels.scores)}</p>
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
            <td width="38%" style="padding:2px 0">${soft(label)}</td>
            <td width="47%">${bar(sign, value)}</td>
            <td width="15%" align="${sides(language).end}">${soft(text)}</td>
          </tr>`,
      )}
    </table>`;
}

function toPage({ labels }: Context, { sign, page }: Entry): Markup {
  return html`<a href="${page}" style="color:#5e4f46;text-decoration:underline">${accented(sign, labels.readOn)}</a>`;
}

/** A section under its heading; a long one goes on in the next strip. */
function textStrips(
  { language }: Context,
  sign: Entry["sign"],
  label: string,
  paragraphs: readonly string[],
): Markup[] {
  return stripsOf(paragraphs).map((texts, index) =>
    strip(
      language,
      index === 0 ? "single" : "none",
      html`${
        index === 0 &&
        html`<h2 style="margin:0 0 6px;font-size:20px;line-height:32px;font-weight:normal">
          ${accented(sign, label)}
        </h2>`
      }
      ${texts.map((text) => html`<p style="margin:0 0 10px">${text}</p>`)}`,
    ),
  );
}

/** The slot stays as it is: whoever sends the letter puts the address there. */
function foot(context: Context, { receivedAt }: Letter): Markup {
  const { language, labels, formats, settings } = context;
  const [before = "", after = ""] = labels.received.split("{time}");
  return strip(
    language,
    "double",
    html`<p style="margin:0">
        <a href="${context.fullAddress(frontPath(language))}" style="text-decoration:none"
          >${soft(settings.name)}</a
        >
      </p>
      <p style="margin:0">${soft([before, formats.time(receivedAt), after])}</p>
      <p style="margin:0">
        <a href="{{unsubscribe}}" style="color:#5e4f46;text-decoration:underline">${soft(labels.unsubscribe)}</a>
      </p>`,
    "center",
  );
}
