// The dress of a newsletter: every style inline, because mail programs drop the rest; tables, because Outlook knows nothing
// else; a small block of styles for the dark, which a program may drop. Nothing here comes from a reading.
import { type Language, languages } from "../readings/languages.ts";
import { type Sign } from "../readings/signs.ts";
import { directionOf } from "./formats.ts";
import { type Content, html, type Markup, ownMarkup } from "./html.ts";
import { settingOf } from "./scripts.ts";

const day = { paper: "#faf5ec", ink: "#2a1f19", soft: "#5e4f46", line: "#cec2af" } as const;
const night = { paper: "#10131f", ink: "#e6e1d6", soft: "#b4ada0", line: "#3b3f50" } as const;

/** The site's accents by day and in the dark; mail knows no `oklch`. */
const accents: Readonly<Record<Sign, readonly [day: string, night: string]>> = {
  aries: ["#89322c", "#f8a59b"],
  taurus: ["#1a6323", "#95cf96"],
  gemini: ["#6e4c00", "#d9ba70"],
  cancer: ["#005a8a", "#7ac8f5"],
  leo: ["#7f3f00", "#ecaf79"],
  virgo: ["#4d5a00", "#b8c77c"],
  libra: ["#833156", "#f2a3c1"],
  scorpio: ["#873046", "#f6a3b1"],
  sagittarius: ["#623e87", "#cdaef2"],
  capricorn: ["#394c94", "#a4bbff"],
  aquarius: ["#00617b", "#69cee6"],
  pisces: ["#006661", "#67d2cc"],
};

/** No two braces stand together: a sender could take them for a tag. */
export const darkStyle = ownMarkup(
  [
    "<style>",
    ":root{color-scheme:light dark;supported-color-schemes:light dark}",
    "@media (prefers-color-scheme:dark){",
    `body,.p{background:${night.paper}!important}`,
    `.t{color:${night.ink}!important}`,
    `.s{color:${night.soft}!important}`,
    `.r{border-color:${night.line}!important}`,
    `.l{background:${night.line}!important}`,
    `.f{background:${night.soft}!important}`,
    ...Object.entries(accents).map(([sign, [, color]]) => `.${sign}{color:${color}!important}`),
    "}",
    "</style>",
  ].join("\n"),
);

export const bodyStart = ownMarkup(`<body class="p" bgcolor="${day.paper}" style="${bodyStyle()}">`);
export const bodyEnd = ownMarkup("</body>");

function bodyStyle(): string {
  return `margin:0;padding:0;background:${day.paper};-webkit-text-size-adjust:100%;text-size-adjust:100%`;
}

/** Where a new matter begins, where the letter itself does, and what goes on. */
export type Rule = "single" | "double" | "none";
const borders: Readonly<Record<Rule, string>> = {
  single: `border-top:1px solid ${day.line};padding:22px 24px`,
  double: `border-top:3px double ${day.line};padding:22px 24px`,
  none: "padding:0 24px",
};

const outlookStart =
  '<!--[if mso]><table role="presentation" align="center" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->';
const outlookEnd = "<!--[if mso]></td></tr></table><![endif]-->";

/** A strip of the letter, a table of its own: Outlook breaks one that is higher than a page. */
export function strip(language: Language, rule: Rule, content: Content, align?: "center"): Markup {
  const { face, sizePx, leadingPx } = mailFace(language);
  const direction = directionOf(language);
  const start = align ?? sides(language).start;
  const attributes = `role="presentation" lang="${language}" dir="${direction}" align="center" width="100%" cellpadding="0" cellspacing="0" border="0"`;
  const style = `${borders[rule]};font-family:${face};font-size:${sizePx}px;line-height:${leadingPx}px;color:${day.ink};text-align:${start};overflow-wrap:anywhere;word-break:break-word`;
  return html`${ownMarkup(
    `${outlookStart}<table class="p" ${attributes} bgcolor="${day.paper}" style="max-width:600px;margin:0 auto;background:${day.paper}"><tr><td class="t r" align="${start}" style="${style}">`,
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

export function accented(sign: Sign, text: string): Markup {
  return html`${ownMarkup(`<span class="${sign}" style="color:${accents[sign][0]}">`)}${text}</span>`;
}

export function strongAccent(sign: Sign, text: string): Markup {
  return html`${ownMarkup(`<b class="${sign}" style="color:${accents[sign][0]}">`)}${text}</b>`;
}

export function soft(text: Content): Markup {
  return html`${ownMarkup(`<span class="s" style="color:${day.soft};font-size:14px">`)}${text}</span>`;
}

/** Letters set apart fall to pieces in scripts that join them. */
export function spaced(language: Language, text: string): Markup {
  if (!settingOf(languages[language].script).capitals) return html`<b>${text}</b>`;
  return html`<span style="letter-spacing:3px;text-transform:uppercase;font-size:15px">${text}</span>`;
}

/** A score as two cells of one row. */
export function bar(sign: Sign, value: number): Markup {
  const full = Math.min(99, Math.max(1, value));
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
    <tr>
      <td
        class="f"
        width="${full}%"
        height="8"
        bgcolor="${accents[sign][0]}"
        style="font-size:0;line-height:8px"
      >
        &nbsp;
      </td>
      <td
        class="l"
        width="${100 - full}%"
        height="8"
        bgcolor="${day.line}"
        style="font-size:0;line-height:8px"
      >
        &nbsp;
      </td>
    </tr>
  </table>`;
}

/** Lucky colours as small squares in a row; `colors` are `#RRGGBB`. */
export function swatches(colors: readonly string[]): Markup {
  const square = (color: string) =>
    html`<td width="16" height="16" bgcolor="${color}" style="border:1px solid #5e4f46;font-size:0;line-height:16px">&nbsp;</td><td width="6" style="font-size:0;line-height:16px">&nbsp;</td>`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0">
    <tr>
      ${colors.map(square)}
    </tr>
  </table>`;
}
