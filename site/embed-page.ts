// A sign's day as a small card, for an <iframe> on somebody else's page: without script or cookie, and hidden from search engines.
import { type Language, languages } from "../readings/languages.ts";
import type { HoroscopeReading } from "../readings/reading.schema.ts";
import { signNames } from "../readings/sign-names.ts";
import type { Sign } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import { medal } from "./drawings.ts";
import type { Draft, Printed } from "./draft.ts";
import { html } from "./html.ts";
import { dressFor, headStart } from "./document.ts";
import { received } from "./page.ts";
import { opening } from "./text-opening.ts";
import type { TreePath } from "./tree.ts";

/** How many characters of a text a card shows. */
const letters = 240;

/** The reading is absent where the text was withdrawn. */
interface Embedded extends Pick<HoroscopeReading, "language" | "period" | "sign"> {
  readonly reading?: HoroscopeReading;
  readonly receivedAt?: string;
}

export function embedDrafts(
  language: Language,
  period: string,
  kept: readonly { readonly reading: HoroscopeReading; readonly receivedAt: string }[],
  withdrawn: readonly Sign[],
): Draft[] {
  const shown: Embedded[] = [
    ...kept.map((one) => ({ language, period, sign: one.reading.sign, ...one })),
    ...withdrawn.map((sign) => ({ language, period, sign })),
  ];
  return shown.map((one) => ({
    at: { row: "embed", language, sign: one.sign },
    print: (context) => printEmbed(context, one),
  }));
}

/** Links leave the frame: inside it a page would be as small as the card. */
function printEmbed(context: Context, { period, sign, reading, receivedAt }: Embedded): Printed {
  const { language, labels, formats, settings } = context;
  const dress = dressFor(languages[language].script, settings);
  const name = signNames[language][sign];
  const page: TreePath = { row: "signPage", language, kind: "daily", sign };
  const text =
    reading === undefined
      ? labels.withdrawn
      : opening(language, reading.sections.personal.join(" "), letters);
  const head = html`${headStart(language, sign, dress.policy)}
        <meta name="robots" content="noindex" />
        <title>${name} · ${formats.date(period)} · ${settings.name}</title>
        <meta name="description" content="${labels.operations["daily-horoscope"]}" />
        <link rel="canonical" href="${context.fullAddress(page)}" />`;
  const link = (at: TreePath, words: string) =>
    html`<a href="${context.address(at)}" target="_blank" rel="noopener">${words}</a>`;
  const rest = html`</head>
    <body>
      <main>
        <header class="hero">
          <div class="medals">${medal(sign)}</div>
          <h1>${name}</h1>
          <p class="caps"><time datetime="${period}">${formats.date(period)}</time></p>
        </header>
        <div class="prose">
          <p>${reading === undefined ? text : html`<bdi>${text}</bdi> ${link(page, labels.readOn)}`}</p>
        </div>
      </main>
      <footer class="small">
        <p>${link({ row: "frontPage", language }, settings.name)}</p>
        ${receivedAt !== undefined && html`<p>${received(context, receivedAt)}</p>`}
      </footer>
    </body>
    </html> `;
  return [head, dress.style, rest];
}
