// Hosts that take a site as a folder: how much each takes, as its own pages said in 2026, and the files by which it is told about
// headers and errors. They set no times for caches but of what never changes: such a host knows itself what a new folder changes.
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
  folder: { name: "a folder", files: {} },
  "cloudflare-pages": { name: "Cloudflare Pages", mostFiles: 20_000, mostFileBytes: 25 * 1024 ** 2, files: headers },
  "github-pages": { name: "GitHub Pages", mostBytes: 1_000_000_000, files: { ".nojekyll": "" } },
  netlify: { name: "Netlify", mostFilesInFolder: 54_000, files: { ...headers, _redirects: `${redirectsFile}\n` } },
} as const satisfies Readonly<Record<string, Host>>;
export type HostName = keyof typeof hosts;
