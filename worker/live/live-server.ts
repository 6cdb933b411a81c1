// Serves the live preview. Each page gets a script that reloads it when a file is saved, and a banner with the origin of its texts. Only
// the previewed page's policy allows that script; the published one does not.
import type { ServerResponse } from "node:http";
import { createHash } from "node:crypto";
import { siteRootOf } from "../../site/address.ts";
import { type ServedFile, startSiteServer } from "../site-server.ts";
import { type LivePreview, problemsIn, type LiveFile, type LiveOrigin } from "./live-site.ts";
import { html } from "../../site/html.ts";

const pageType = "text/html; charset=utf-8";

/** Listens on exactly this port, or on a free one if it is 0. */
export async function startLiveServer(preview: LivePreview, wished: number) {
  const open = new Set<ServerResponse>();
  const ended = preview.onChange(() => {
    for (const response of open) response.write("data: changed\n\n");
  });
  const site = {
    root: () => siteRootOf(preview.now.url).root,
    read: (path: string) => shown(preview, path),
    failed: (error: unknown) => ({
      body: problemsPage(problemsIn(error), preview.now.version),
      type: pageType,
    }),
    takes: ({ url = "/" }: { readonly url?: string }, response: ServerResponse) => {
      const requested = URL.parse(url, "http://preview");
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
  return { body: file.type === pageType ? livePage(file, now.version) : file.bytes, type: file.type };
}

export const changesPath = "/.almanac/changes";

const marks: Readonly<Record<LiveOrigin, string>> = {
  kept: "Preview: nothing here is published.",
  invented: "Preview with invented texts, because the vault has no readings yet. Nothing here is published.",
  published:
    "Preview: this archived page is shown as published. To render it again, run almanac render --from.",
};

/** `version` is the number of changes seen before the page was rendered. */
export function livePage({ bytes, origin }: LiveFile, version: number): string {
  return withReload(new TextDecoder().decode(bytes), marks[origin], version);
}

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
  return withReload(page.toString(), "Preview: fix the errors to see this page.", version);
}

function withReload(page: string, mark: string, version: number) {
  const script = scriptFor(version);
  const source = `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  const marked = html`<aside id="almanac-preview" aria-label="Preview" data-version="${version}"><p>${mark}</p></aside>`;
  return page
    .replace(
      /(http-equiv="content-security-policy" content=")([^"]*)"/,
      (_, start: string, policy: string) => {
        return `${start}${withSource(policy, source)}"`;
      },
    )
    .replace("</body>", () => `${String(marked)}<script>${script}</script></body>`);
}

function withSource(policy: string, source: string) {
  const known = /(?<=^|;)script-src [^;]*/;
  return known.test(policy)
    ? policy.replace(known, (found) => `${found} ${source}`)
    : `${policy};script-src ${source}`;
}

/** Styled by script, because the page's policy does not allow our styles. */
function scriptFor(version: number) {
  const style =
    "position:fixed;inset-block-end:0;inset-inline:0;padding:.4rem 1rem;background:#5b2333;color:#fff;font:1rem/1.4 sans-serif;z-index:9;text-align:center";
  return `document.getElementById("almanac-preview").style.cssText="${style}";new EventSource("${changesPath}?after=${version}").onmessage=()=>location.reload()`;
}
