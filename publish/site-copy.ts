// Copies the published state for a host that takes a folder: its public paths with pointer, manifest and parts, byte for byte, and
// if requested, its objects. Each file is checked against its hash as it is read, so that a copy is whole or fails.
import { inParallel, type Store } from "../store/store.ts";
import { UnreadableFile, sha256, canonical } from "../vault/files.ts";
import type { FileEntry, Pointer } from "../site/manifest.schema.ts";
import { allFiles, createPartReader } from "./state/parts.ts";
import { manifestPath, objectPath, pointerPath, readHashed, readManifest } from "./state/state.ts";
import { typeOf } from "../site/edition.ts";
import type { Language } from "../readings/tables.ts";
import { parsePath, rowNames } from "../site/paths.ts";
import { shiftPeriod } from "../readings/calendar.ts";
import { slots, tree } from "../site/tree.ts";
import { immutable } from "./state/headers.ts";

export type PutFile = (path: string, bytes: Uint8Array) => Promise<void>;

interface CopySettings {
  /** The host's limits are checked before a file is copied, and its own files are added. */
  readonly host?: Host | undefined;
  readonly withObjects?: boolean;
  /** Takes the files of the copy, each once, the pointer last. */
  readonly put: PutFile;
  readonly onProgress?: (done: number, of: number) => void;
}

/** Thrown if the requested copy can't be made. */
export class NotCopied extends Error {
  override readonly name = "NotCopied";
}

export async function copyState(site: Store, pointer: Pointer, settings: CopySettings) {
  const { host, withObjects = false, put, onProgress } = settings;
  const files = await filesToCopy(site, pointer, withObjects);
  const last = inMemory(pointerPath, canonical(pointer));
  const added = { ...host?.files, ...host?.filesFor?.(files.map(({ path }) => path)) };
  const own = Object.entries(added).map(([path, text]) => inMemory(path, new TextEncoder().encode(text)));
  const all = [...files, ...own, last];
  if (host !== undefined) requireWithin(host, all);
  let done = 0;
  const copy = async ({ path, read }: FileToCopy) => {
    await put(path, await read());
    onProgress?.((done += 1), all.length);
  };
  await inParallel([...files, ...own], copy);
  await copy(last); // same order as a publish: a reader who sees the pointer finds all its files
  return { files: all.length, bytes: bytesOf(all) };
}

interface FileToCopy {
  readonly path: string;
  readonly size: number;
  readonly read: () => Promise<Uint8Array>;
}

/** Manifest, parts, public paths and, if requested, objects. */
async function filesToCopy(site: Store, pointer: Pointer, withObjects: boolean): Promise<FileToCopy[]> {
  const manifest = await readManifest(site, pointer.manifest);
  if (manifest === undefined) throw lost(manifestPath(pointer.manifest), "missing");
  const entries = [...(await allFiles(createPartReader(site), manifest))];
  const hashes = new Set([...Object.values(manifest.parts), pointer.manifest]);
  const records = await inParallel(hashes, async (hash) => {
    const bytes = await readHashed(site, hash);
    if (bytes === undefined) throw lost(manifestPath(hash), "missing");
    return inMemory(manifestPath(hash), bytes);
  });
  const publicFiles = entries.map(([path, entry]) =>
    fromSite(site, path, objectPath(entry.object, path), entry),
  );
  const keys = new Map(entries.map(([path, entry]) => [objectPath(entry.object, path), entry]));
  const objects = withObjects ? [...keys].map(([key, entry]) => fromSite(site, key, key, entry)) : [];
  return [...records, ...publicFiles, ...objects];
}

function inMemory(path: string, bytes: Uint8Array): FileToCopy {
  return { path, size: bytes.length, read: () => Promise.resolve(bytes) };
}

function fromSite(site: Store, path: string, key: string, { object, size }: FileEntry): FileToCopy {
  const read = async () => {
    const stored = await site.read(key);
    if (stored !== undefined && sha256(stored.body) === object) return stored.body;
    throw lost(key, stored === undefined ? "missing" : "damaged");
  };
  return { path, size, read };
}

function lost(path: string, fault: string) {
  return new UnreadableFile(`${path} of the published version is ${fault}. Run \`almanac repair\``);
}

/** Throws with every limit of the host that the copy exceeds. */
function requireWithin(host: Host, all: readonly FileToCopy[]): void {
  const folders = Map.groupBy(all, ({ path }) => path.slice(0, path.lastIndexOf("/") + 1));
  const largest = (sizes: Iterable<number>) =>
    Iterator.from(sizes).reduce((most, one) => Math.max(most, one), 0);
  const limits: [is: number, most: number | undefined, of: string][] = [
    [all.length, host.mostFiles, "files"],
    [largest(folders.values().map(({ length }) => length)), host.mostFilesInFolder, "files in one folder"],
    [bytesOf(all), host.mostBytes, "bytes"],
    [largest(all.map(({ size }) => size)), host.mostFileBytes, "bytes in one file"],
  ];
  const over = limits.flatMap(([is, most, of]) =>
    most === undefined || is <= most ? [] : [`${figure(is)} ${of}, but ${host.name} allows ${figure(most)}`],
  );
  if (over.length === 0) return;
  throw new NotCopied(
    `the copy has ${over.join("; ")}. Choose another host or plan, or publish fewer languages or operations`,
  );
}

function bytesOf(files: readonly FileToCopy[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function figure(count: number): string {
  return count.toLocaleString("en");
}

export interface Host {
  readonly name: string;
  readonly mostFiles?: number;
  readonly mostFilesInFolder?: number;
  readonly mostBytes?: number;
  readonly mostFileBytes?: number;
  /** Its own files, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** Further files, which depend on the paths of the copy. */
  readonly filesFor?: (paths: readonly string[]) => Readonly<Record<string, string>>;
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

/** The error pages of each language, first those of dated pages; existing files take precedence. */
const redirectsFile = slots.language.flatMap(redirectsIn).join("\n");

function redirectsIn(language: Language): string[] {
  const dated = [...slots.kind, "archive"].map((kind) => `${kind}/:sign/:date`).concat("newsletter/:date");
  const gone = dated.map((form) => `/${language}/${form} /${language}/410.html 410`);
  return gone.concat(`/${language}/* /${language}/404.html 404`);
}

/** Each month takes four of the 100 rules with placeholders that Cloudflare Pages allows. */
const mostMonths = 24;

/** Leads pages of the months before the oldest one to the current pages: Cloudflare Pages knows no 410, and redirects existing files too. */
function redirectsBefore(paths: readonly string[]): Readonly<Record<string, string>> {
  const months = paths.flatMap((path) => {
    const at = parsePath(path);
    return at?.row === "archivePage" ? at.month : [];
  });
  const [oldest] = months.sort();
  if (oldest === undefined) return {};
  const rules = Array.from({ length: mostMonths }, (_, by) => {
    const month = shiftPeriod("monthly", oldest, -by - 1);
    const lead = (kind: string, to: string) =>
      `/:language/${kind}/:sign/${month}* /:language/${kind}/${to} 302\n`;
    return lead("archive", "") + ["daily", "weekly", "monthly"].map((kind) => lead(kind, ":sign/")).join("");
  });
  return { _redirects: rules.join("") };
}

const headers = { _headers: headersFile() };

// oxfmt-ignore
export const hosts = {
  "cloudflare-pages": { name: "Cloudflare Pages on the free plan", mostFiles: 20_000, mostFileBytes: 25 * 1024 ** 2, files: headers,
    filesFor: redirectsBefore },
  "cloudflare-pages-paid": { name: "Cloudflare Pages", mostFiles: 100_000, mostFileBytes: 25 * 1024 ** 2, files: headers, filesFor: redirectsBefore },
  "github-pages": { name: "GitHub Pages", mostBytes: 1_000_000_000, files: { ".nojekyll": "" } },
  netlify: { name: "Netlify", mostFilesInFolder: 54_000, files: { ...headers, _redirects: `${redirectsFile}\n` } },
} as const satisfies Readonly<Record<string, Host>>;
export type HostName = keyof typeof hosts;
