// `almanac deploy folder`: copies the published state to a folder, for hosts that serve one. A copy replaces the previous one only
// when it is complete.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type HostName, hosts, copyState, NotCopied, type PutFile } from "../publish/site-copy.ts";
import { pointerPath } from "../publish/state/state.ts";
import { pathOf } from "../site/paths.ts";
import { openSite, requireOwnVault } from "../worker/opened-site.ts";
import { publishedState } from "../worker/published-state.ts";
import { addSubcommand, type Define } from "./terminal/command.ts";
import { oneOf } from "./terminal/options.ts";
import { counted, printAs, sizeInWords } from "./terminal/output.ts";
import { progressOf } from "./terminal/progress.ts";

const hostNames = Object.keys(hosts).filter(isHostName);

function isHostName(text: string): text is HostName {
  return Object.hasOwn(hosts, text);
}

export const define: Define = (command) => {
  command.addHelpText(
    "after",
    "\nExample: prepare a copy for a static host:\n  almanac deploy folder public",
  );
  addSubcommand(command, "folder", "Copy the published site to a folder")
    .argument("<folder>", "New or empty folder, or an earlier copy, which is replaced")
    .option(
      "--host <name>",
      `Check the limits of a host, and add the files that it needs: ${hostNames.join(", ")}`,
      oneOf("host", hostNames, "; omit `--host` for any other host"),
    )
    .option(
      "--with-objects",
      "Also copy v1/objects/, for clients that fetch files by hash, such as the WordPress plugin",
    )
    .addHelpText(
      "after",
      `
It checks every file against its hash, and changes neither vault nor site. Upload the folder with the host's own tool
(docs/hosting.md).

Example: copy the published site for Cloudflare Pages:
  almanac deploy folder public --host cloudflare-pages`,
    )
    .action(async (folder, { host: name, withObjects }, self) => {
      const opening = await requireOwnVault(await openSite());
      const { pointer, refusal } = await publishedState(opening);
      if (refusal !== undefined) throw refusal;
      if (pointer === undefined)
        throw new NotCopied("nothing is published yet. Run `almanac local` or `almanac nightly`");
      const host = name && hosts[name];
      using progress = progressOf("copied");
      const place = await realpath(folder).catch(() => resolve(folder)); // a link is not replaced
      const { files, bytes } = await replaceFolder(place, (put) =>
        copyState(opening.site, pointer, { host, withObjects, put, onProgress: progress.show }),
      );
      const { version, manifest } = pointer;
      printAs(
        self.optsWithGlobals().json,
        { folder, host: name ?? null, version, manifest, files, bytes },
        `copied version ${version} to ${folder}: ${counted(files, "file")}, ${sizeInWords(bytes)}`,
      );
    });
};

/** Fills a folder next to the target, and moves it into place when it is complete. */
async function replaceFolder<Result>(folder: string, fill: (put: PutFile) => Promise<Result>) {
  const old = join(dirname(folder), `.${basename(folder)}.next-old`);
  const restore = async () => {
    if (existsSync(old) && !existsSync(folder)) await rename(old, folder);
  };
  await restore(); // if a command was killed between its renames
  const isThere = existsSync(folder);
  if (isThere) await requireReplaceable(folder);
  const next = await newFolderNextTo(folder);
  try {
    const result = await fill(writerIn(next));
    if (isThere) await rename(folder, old);
    await rename(next, folder);
    return result;
  } finally {
    await restore();
    for (const left of [next, old]) await rm(left, { recursive: true, force: true });
  }
}

/** Only a copy is replaced: it has a pointer, and neither a marker, which every site's own store has, nor a repository. */
async function requireReplaceable(folder: string): Promise<void> {
  const isEmpty = (await readdir(folder)).length === 0;
  const isMore = [pathOf({ row: "marker" }), ".git"].some((path) => existsSync(join(folder, path)));
  if (isEmpty || (existsSync(join(folder, pointerPath)) && !isMore)) return;
  throw new NotCopied(
    `${folder} contains files that are not a copy of a site, and a copy replaces the whole folder. Name a new or empty folder`,
  );
}

/** A temporary folder on the same disk, so that it can be renamed. Removes the leftovers of killed commands. */
async function newFolderNextTo(folder: string): Promise<string> {
  const [around, prefix] = [dirname(folder), `.${basename(folder)}.next-`];
  await mkdir(around, { recursive: true });
  const left = (await readdir(around)).filter((name) => name.startsWith(prefix));
  await Promise.all(left.map((name) => rm(join(around, name), { recursive: true, force: true })));
  return mkdtemp(join(around, prefix));
}

function writerIn(folder: string): PutFile {
  const made = new Map<string, Promise<unknown>>();
  return async (path, bytes) => {
    const place = join(folder, path);
    const around = dirname(place);
    const making = made.get(around) ?? mkdir(around, { recursive: true });
    made.set(around, making);
    await making;
    await writeFile(place, bytes, { flag: "wx" });
  };
}
