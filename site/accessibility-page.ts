// What the site says of its accessibility, with the owner's address, where the configuration gives one.
import { Address } from "./address.ts";
import { html } from "./html.ts";
import { statementsIn } from "./labels.ts";
import type { Context } from "./page-context.ts";
import type { Page } from "./page.ts";

export function accessibilityPage({ language, settings }: Context): Page {
  const { title, paragraphs, contact } = statementsIn(language);
  const given = settings.accessibility?.contact ?? "";
  const address = Address.link(given) ?? Address.mail(given);
  return {
    trail: [{ name: title }],
    kind: "website",
    title,
    description: paragraphs[0],
    body: html`<header class="hero"><h1>${title}</h1></header>
      <div class="prose">
        ${paragraphs.map((text) => html`<p>${text}</p>`)}
        <p>${contact} <bdi>${address === undefined ? given : html`<a href="${address}">${given}</a>`}</bdi></p>
      </div>`,
  };
}
