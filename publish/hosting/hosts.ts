// Hosts that take a site as a folder: their limits, as their own pages gave them in 2026, and the files that set headers and error
// pages there. The files set a cache time only for paths that never change: such a host purges its own cache with each upload.
import { typeOf } from "../../site/draft.ts";
import { rowNames } from "../../site/paths.ts";
import { slots, tree } from "../../site/tree.ts";
import { immutable } from "../state/headers.ts";

export interface Host {
  readonly name: string;
  readonly mostFiles?: number;
  readonly mostFilesInFolder?: number;
  readonly mostBytes?: number;
  readonly mostFileBytes?: number;
  /** Its own files, by their paths. */
  readonly files: Readonly<Record<string, string>>;
}

/** The rules of both hosts that read such a file; rows of the table whose ending alone would give another type have theirs. */
function headersFile(): string {
  const typed = rowNames.flatMap((row): [string, string][] => {
    const { path, isFeed } = tree[row];
    if (isFeed !== true && !/\.(?:d\.ts|webmanifest)$/.test(path)) return [];
    const address = `/${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
    const filled = path.replaceAll("{language}", "en").replaceAll("{sign}", slots.sign[0]);
    return [[address, `Content-Type: ${typeOf(filled)}`]];
  });
  const rules: [string, string][] = [
    ["/*", "X-Content-Type-Options: nosniff"],
    ["/*", "Referrer-Policy: strict-origin-when-cross-origin"],
    ["/v1/*", "Access-Control-Allow-Origin: *"],
    ["/assets/*", "Access-Control-Allow-Origin: *"],
    ["/v1/manifests/*", `Cache-Control: ${immutable}`],
    ["/assets/theme/*", `Cache-Control: ${immutable}`],
    ...typed,
  ];
  const byAddress = Map.groupBy(rules, ([address]) => address);
  return [...byAddress]
    .map(([address, own]) => [address, ...own.map(([, line]) => `  ${line}`), ""].join("\n"))
    .join("");
}

/** The error page of each language; a file that is there comes first. */
const redirectsFile = slots.language.map((one) => `/${one}/* /${one}/404.html 404`).join("\n");

const headers = { _headers: headersFile() };

// oxfmt-ignore
export const hosts = {
  "cloudflare-pages": { name: "Cloudflare Pages on the free plan", mostFiles: 20_000, mostFileBytes: 25 * 1024 ** 2, files: headers },
  "cloudflare-pages-paid": { name: "Cloudflare Pages", mostFiles: 100_000, mostFileBytes: 25 * 1024 ** 2, files: headers },
  "github-pages": { name: "GitHub Pages", mostBytes: 1_000_000_000, files: { ".nojekyll": "" } },
  netlify: { name: "Netlify", mostFilesInFolder: 54_000, files: { ...headers, _redirects: `${redirectsFile}\n` } },
} as const satisfies Readonly<Record<string, Host>>;
export type HostName = keyof typeof hosts;
