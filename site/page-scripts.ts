// The small scripts of pages, from site/scripts/: each adds to a page that works without it, stands in the page itself, and is let in
// by its hash. None asks the network for anything but the site's own files, and none keeps anything but on the reader's device.
// One is no script but rules by which a browser that knows them fetches the page that a reader is about to open.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Markup, ownMarkup } from "./html.ts";

const scriptNames = ["share", "birthday", "draw"] as const;
export type PageScript = (typeof scriptNames)[number] | "onward";

interface MadeScript {
  readonly element: Markup;
  /** As a content security policy names it. */
  readonly source: string;
}

/**
 * A page of the site is fetched when the pointer goes down on a link to it, not before: most links are never followed. It is not
 * opened, so that what an owner's theme measures counts no page that nobody saw.
 */
const onward = JSON.stringify({
  prefetch: [{ where: { href_matches: "/*" }, eagerness: "conservative" }],
});

const scripts = new Map<PageScript, MadeScript>([
  ...scriptNames.map((name) => [name, made(scriptIn(name))] as const),
  ["onward", made(onward, ' type="speculationrules"')],
]);

function scriptIn(name: (typeof scriptNames)[number]) {
  return readFileSync(new URL(`scripts/${name}.js`, import.meta.url), "utf8")
    .replaceAll(/^\s*\/\/.*\n/gm, "")
    .replaceAll(/^\s+/gm, "")
    .trim();
}

function made(text: string, attributes = ""): MadeScript {
  const hash = createHash("sha256").update(text).digest("base64");
  return { element: ownMarkup(`<script${attributes}>${text}</script>`), source: `'sha256-${hash}'` };
}

/** The script as it stands in a page, which has to name it in `scripts`. */
export function scriptElement(name: PageScript): Markup | undefined {
  return scripts.get(name)?.element;
}

export function scriptSources(names: readonly PageScript[]): string[] {
  return names.flatMap((name) => scripts.get(name)?.source ?? []);
}
