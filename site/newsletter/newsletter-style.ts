// The style of a newsletter: every style is inline, because mail programs drop the rest; tables, because Outlook knows nothing
// else; and a small block of styles for dark mode, which a program may drop. Nothing here comes from a reading.
import { type Language, languages, type Sign } from "../../readings/tables.ts";
import { Address } from "../address.ts";
import { directionOf } from "../formats.ts";
import { type Content, html, type Markup, ownMarkup } from "../html.ts";
import type { Context } from "../context.ts";
import { settingOf } from "../style.ts";
import type { unsubscribeSlot } from "./newsletter-content.ts";

/** The styles for dark mode. No two braces are next to each other, because a sender could take them for a tag. */
export function darkStyle(context: Context): Markup {
  const { paper, ink, soft: small, line, accents } = context.palettes.dark;
  return ownMarkup(
    [
      "<style>",
      ":root{color-scheme:light dark;supported-color-schemes:light dark}",
      "@media (prefers-color-scheme:dark){",
      `body,.p{background:${paper}!important}`,
      `.t{color:${ink}!important}`,
      `.s{color:${small}!important}`,
      `.r{border-color:${line}!important}`,
      `.l{background:${line}!important}`,
      `.f{background:${small}!important}`,
      ...Object.entries(accents).map(([sign, color]) => `.${sign}{color:${color}!important}`),
      "}",
      "</style>",
    ].join("\n"),
  );
}

export function bodyStart(context: Context): Markup {
  const { paper } = context.palettes.light;
  const style = `margin:0;padding:0;background:${paper};-webkit-text-size-adjust:100%;text-size-adjust:100%`;
  return ownMarkup(`<body class="p" bgcolor="${paper}" style="${style}">`);
}
export const bodyEnd = ownMarkup("</body>");

/** The rule above a strip: single where an entry begins, double where the newsletter does, none where a text continues. */
export type Rule = "single" | "double" | "none";
const borders = (rule: Rule, line: string) =>
  rule === "none"
    ? "padding:0 24px"
    : `border-top:${rule === "double" ? "3px double" : "1px solid"} ${line};padding:22px 24px`;

const outlookStart =
  '<!--[if mso]><table role="presentation" align="center" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->';
const outlookEnd = "<!--[if mso]></td></tr></table><![endif]-->";

/** Each strip of the newsletter is a separate table, because Outlook breaks a table that is higher than a page. */
export function strip(context: Context, rule: Rule, content: Content, align?: "center"): Markup {
  const { language } = context;
  const { paper, ink, line } = context.palettes.light;
  const { face, sizePx, leadingPx } = mailFace(language);
  const direction = directionOf(language);
  const start = align ?? sides(language).start;
  const attributes = `role="presentation" lang="${language}" dir="${direction}" align="center" width="100%" cellpadding="0" cellspacing="0" border="0"`;
  const style = `${borders(rule, line)};font-family:${face};font-size:${sizePx}px;line-height:${leadingPx}px;color:${ink};text-align:${start};overflow-wrap:anywhere;word-break:break-word`;
  return html`${ownMarkup(
    `${outlookStart}<table class="p" ${attributes} bgcolor="${paper}" style="max-width:600px;margin:0 auto;background:${paper}"><tr><td class="t r" align="${start}" style="${style}">`,
  )}
    ${content}${ownMarkup(`</td></tr></table>${outlookEnd}`)} `;
}

/** Georgia is on nearly every device, and Outlook takes Times when it does not know the first name. */
function mailFace(language: Language) {
  const { script } = languages[language];
  const { face, leading, capitals } = settingOf(script);
  const sizePx = script === "Arabic" ? 18 : 16; // its letters are small for their size
  return {
    face: capitals ? "Georgia,'Times New Roman',serif" : face.replaceAll('"', "'"),
    sizePx,
    leadingPx: Math.round(sizePx * leading),
  };
}

export function sides(language: Language): { readonly start: string; readonly end: string } {
  return directionOf(language) === "rtl" ? { start: "right", end: "left" } : { start: "left", end: "right" };
}

export function accented(context: Context, sign: Sign, text: string, tag: "span" | "b" = "span"): Markup {
  const color = context.palettes.light.accents[sign];
  return html`${ownMarkup(`<${tag} class="${sign}" style="color:${color}">`)}${text}${ownMarkup(`</${tag}>`)}`;
}

export function soft(context: Context, text: Content): Markup {
  return html`${ownMarkup(`<span class="s" style="color:${context.palettes.light.soft};font-size:14px">`)}${text}</span>`;
}

/** A link in our own color and not in the mail program's; the slot to unsubscribe stays as it is. */
export function linked(
  context: Context,
  address: Address | typeof unsubscribeSlot,
  content: Content,
  kind: "title" | "small",
): Markup {
  const { ink, soft: small } = context.palettes.light;
  const href = html`${address instanceof Address ? address.href : address}`.toString();
  const dress =
    kind === "title"
      ? `style="color:${ink};text-decoration:none" class="t"`
      : `style="color:${small};text-decoration:underline"`;
  return html`${ownMarkup(`<a href="${href}" ${dress}>`)}${content}</a>`;
}

/** A text with letter-spacing, except in scripts whose letters are joined. */
export function spaced(language: Language, text: string): Markup {
  if (!settingOf(languages[language].script).capitals) return html`<b>${text}</b>`;
  return html`<span style="letter-spacing:3px;text-transform:uppercase;font-size:15px">${text}</span>`;
}

/** A score as two cells of one row. */
export function bar(context: Context, sign: Sign, value: number): Markup {
  const { accents, line } = context.palettes.light;
  const full = Math.min(99, Math.max(1, value));
  const cell = (name: "f" | "l", width: number, color: string) =>
    html`<td
        class="${name}"
        width="${width}%"
        height="8"
        bgcolor="${color}"
        style="font-size:0;line-height:8px"
      >
        &nbsp;
      </td>`;
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
    <tr>
      ${cell("f", full, accents[sign])}
      ${cell("l", 100 - full, line)}
    </tr>
  </table>`;
}

/** Lucky colors as small squares in a row; `colors` are `#RRGGBB`. */
export function swatches(context: Context, colors: readonly string[]): Markup {
  const style = `border:1px solid ${context.palettes.light.soft};font-size:0;line-height:16px`;
  const square = (color: string) =>
    html`${ownMarkup(`<td width="16" height="16" bgcolor="${html`${color}`.toString()}" style="${style}">`)}&nbsp;</td><td width="6" style="font-size:0;line-height:16px">&nbsp;</td>`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0">
    <tr>
      ${colors.map(square)}
    </tr>
  </table>`;
}
