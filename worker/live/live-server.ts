// Serves the live preview. Each page gets a bar, and a script that reloads the page after each change. Both are added to the response:
// only its policy allows them, and the file itself stays as it will be published. The bar is in a shadow tree, out of reach of the
// page's styles.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createHash } from "node:crypto";
import { siteRootOf } from "../../site/address.ts";
import { type ServedFile, startSiteServer } from "../site-server.ts";
import { type LivePreview, problemsIn } from "./live-preview.ts";
import { type Content, html, ownMarkup } from "../../site/html.ts";

const pageType = "text/html; charset=utf-8";

/** Listens on exactly this port, or on a free one if it is 0. */
export async function startLiveServer(preview: LivePreview, wished: number) {
  const open = new Set<ServerResponse>();
  const ended = preview.onChange(() => {
    for (const response of open) response.write("data: changed\n\n");
  });
  const site = {
    isPublic: false,
    root: () => siteRootOf(preview.now.url).root,
    read: (path: string) => shown(preview, path),
    failed: (error: unknown) => ({
      body: problemsPage(problemsIn(error), preview.now.version),
      type: pageType,
    }),
    takes: ({ url = "/", method }: IncomingMessage, response: ServerResponse) => {
      const requested = URL.parse(url, "http://preview");
      if (requested?.pathname === updatePath && method === "POST") {
        void preview.refresh();
        response.writeHead(202).end();
        return true;
      }
      if (requested?.pathname !== changesPath) return false;
      listen(preview, Number(requested.searchParams.get("after")), response, open);
      return true;
    },
  };
  const server = await startSiteServer(site, wished);
  return {
    url: server.url,
    async close(): Promise<void> {
      ended();
      await server.close();
    },
  };
}

/** Notifies a page at once if it was rendered before the latest change. */
function listen(preview: LivePreview, after: number, response: ServerResponse, open: Set<ServerResponse>) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(after < preview.now.version ? "data: changed\n\n" : ": listening\n\n");
  open.add(response);
  response.on("close", () => open.delete(response));
}

async function shown({ now }: LivePreview, path: string): Promise<ServedFile | undefined> {
  const file = await now.site().file(path);
  if (file === undefined) return undefined;
  const { bytes, type } = file;
  if (type !== pageType) return { body: bytes, type };
  return { body: withBar(new TextDecoder().decode(bytes), await file.bar(), now.version), type };
}

export const changesPath = "/.almanac/changes";
const updatePath = "/.almanac/update";

/** Makes the preview again, for example after a decision. The pages reload then. */
export const updateButton = html`<button type="button">Update</button>`;

/** Error page, shown instead of every page while the theme or the configuration has errors. */
export function problemsPage(problems: readonly string[], version: number): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>Fix these errors</title>
      </head>
      <body>
        <h1>Fix these errors</h1>
        <ul>
          ${problems.map((problem) => html`<li>${problem}</li>`)}
        </ul>
      </body>
    </html> `;
  return withBar(page.toString(), html`<p>Preview: fix the errors to see this page.</p>`, version);
}

/** `version` is the number of changes seen before the page was rendered. */
export function withBar(page: string, bar: Content, version: number): string {
  const script = scriptFor(version);
  const marked = html`<aside id="almanac-preview" lang="en" dir="ltr" aria-label="Preview" data-version="${version}">
    <template shadowrootmode="open">${ownMarkup(`<style>${style}</style>`)}<div>${bar}</div></template>
  </aside>`;
  return page
    .replace(
      /(http-equiv="content-security-policy" content=")([^"]*)"/,
      (_, start: string, policy: string) =>
        `${start}${withSource(withSource(policy, "script-src", script), "style-src", style)}"`,
    )
    .replace("</body>", () => `${String(marked)}<script>${script}</script></body>`);
}

function withSource(policy: string, directive: string, text: string) {
  const source = `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const known = new RegExp(`(?<=^|;)${directive} [^;]*`);
  return known.test(policy)
    ? policy.replace(known, (found) => `${found} ${source}`)
    : `${policy};${directive} ${source}`;
}

/** At the end of the page, so that it covers none of it there. */
const style = `:host { all: initial !important; display: block !important; position: sticky !important; inset-block-end: 0 !important;
  z-index: 9 !important; }
@media print { :host { display: none !important; } }
div { padding: .4rem 1rem; max-block-size: 70vh; overflow: auto; background: #5b2333; color: #fff;
  font: 1rem/1.4 system-ui, sans-serif; }
p, details { margin: 0; padding-block: .3rem; overflow-wrap: anywhere; }
summary { cursor: pointer; }
h2 { font-size: 1rem; margin: .8rem 0 0; }
ul { margin: 0; padding-inline-start: 1.2rem; }
li { margin-block: .4rem; }
code { user-select: all; font-size: .92em; background: #0004; padding: .1rem .3rem; }
button { float: inline-end; margin-inline-start: .5rem; font: inherit; color: inherit; background: #0004; border: 1px solid; border-radius: .3rem; padding: .3rem .8rem; }
:focus-visible { outline: 2px solid; outline-offset: -2px; }`;

/** Nothing that has the focus is behind the bar. */
function scriptFor(version: number) {
  return `{const bar=document.getElementById("almanac-preview"),update=bar.shadowRoot?.querySelector("button");
document.documentElement.style.scrollPaddingBlockEnd=bar.offsetHeight+"px";
if(update)update.onclick=()=>{update.textContent="Updating…";fetch("${updatePath}",{method:"POST"})};
new EventSource("${changesPath}?after=${version}").onmessage=()=>location.reload()}`;
}
