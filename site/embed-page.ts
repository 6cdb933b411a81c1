// A sign's day as a small card, for an <iframe> on somebody else's page: without script or cookie, and hidden from search engines.
import type { Language } from "../readings/languages.ts";
import type { Sign } from "../readings/signs.ts";
import type { Context } from "./page-context.ts";
import type { Draft, Printed } from "./draft.ts";
import { html } from "./html.ts";
import { headStart } from "./document.ts";
import { signHero } from "./page.ts";
import type { ReceivedHoroscope } from "./edition.ts";
import { policyOf } from "./policy.ts";
import { framedDress } from "./style.ts";
import { openingOf } from "./text-opening.ts";
import type { TreePath } from "./tree.ts";

/** How many characters of a text a card shows. */
const letters = 240;

export function embedDrafts(
  language: Language,
  period: string,
  kept: readonly ReceivedHoroscope[],
  withdrawn: readonly Sign[],
): Draft[] {
  const draft = (sign: Sign, shown?: ReceivedHoroscope): Draft => ({
    at: { row: "embed", language, sign },
    print: (context) => printEmbed(context, period, sign, shown),
  });
  return [...kept.map((one) => draft(one.reading.sign, one)), ...withdrawn.map((sign) => draft(sign))];
}

/** Nothing is shown where the text was withdrawn. Links leave the frame: inside it a page would be as small as the card. */
function printEmbed(context: Context, period: string, sign: Sign, shown?: ReceivedHoroscope): Printed {
  const { language, labels, formats, settings } = context;
  const date = formats.date(period);
  const page: TreePath = { row: "signPage", language, kind: "daily", sign };
  const policy = policyOf(context.dress.sources, framedDress.sources);
  const head = html`${headStart(context, sign, policy)}
        <meta name="robots" content="noindex" />
        <title>${context.signNames[sign]} · ${date} · ${settings.name}</title>
        <meta name="description" content="${labels.operations["daily-horoscope"]}" />
        <link rel="canonical" href="${context.fullAddress(page)}" />`;
  const link = (at: TreePath, words: string) =>
    html`<a href="${context.address(at)}" target="_blank" rel="noopener">${words}</a>`;
  const rest = html`</head>
    <body class="framed">
      <main>
        ${signHero(context, sign, html`<time datetime="${period}">${date}</time>`)}
        <section class="prose" aria-label="${labels.operations["daily-horoscope"]}" tabindex="0">
          <p>${shown === undefined ? labels.withdrawn : html`<bdi>${openingOf(shown.reading, letters)}</bdi>`}</p>
        </section>
      </main>
      <footer class="small">
        <p>${shown && link(page, labels.readOn)} ${link({ row: "frontPage", language }, settings.name)}</p>
      </footer>
    </body>
    </html> `;
  return [head, context.dress.style, framedDress.style, rest];
}
