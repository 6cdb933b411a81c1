// Serves the live preview, and notifies open pages when a file is saved.
import type { ServerResponse } from "node:http";
import { siteRootOf } from "../../site/address.ts";
import { type ServedFile, startSiteServer } from "../site-server.ts";
import { changesPath, livePage, problemsPage } from "./live-page.ts";
import { type LivePreview, problemsIn } from "./live-preview.ts";

const page = "text/html; charset=utf-8";

/** Listens on exactly this port, or on a free one if it is 0. */
export async function startLiveServer(preview: LivePreview, wished: number) {
  const open = new Set<ServerResponse>();
  const ended = preview.onChange(() => {
    for (const response of open) response.write("data: changed\n\n");
  });
  const site = {
    root: () => siteRootOf(preview.now.url).root,
    read: (path: string) => shown(preview, path),
    failed: (error: unknown) => ({ body: problemsPage(problemsIn(error), preview.now.version), type: page }),
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
  return { body: file.type === page ? livePage(file, now.version) : file.bytes, type: file.type };
}
