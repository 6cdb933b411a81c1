#!/usr/bin/env node
// Brings the JSON of a published site into a folder, for whatever builds pages from files: checked, of one state of the site,
// and never worse than what is there. `node almanac-pull.js --help`; see docs/json-api.md. Node 20 or later.
import { existsSync, realpathSync } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { AlmanacError, createAlmanac, isPublishedPath } from "./almanac.js";

const noteName = "pulled.json";
const nextName = ".pulled-next"; // not `.next`, the name of a folder of Next.js
const callsAtOnce = 8;
const mostBytes = 4 * 2 ** 30;
const dayMs = 86_400_000;
const patienceMs = 14 * dayMs;

/**
 * If the site can't be had or is refused, the files stay as they are: the answer is then `stale`, with the reason. Unchanged
 * files are not written, so that a generator that watches them builds no page again.
 */
export async function pull({ url, folder, reset, ...options }) {
  const address = String(url);
  const had = await finished(folder, await noteIn(folder));
  const isSame = had !== undefined && !reset;
  if (isSame && had.url !== address)
    throw new AlmanacError("OtherSite", `${folder} contains the files of ${had.url}. Name another folder`);
  let seen = isSame ? had.seen : undefined;
  const storage = { getItem: () => JSON.stringify(seen), setItem: (_, text) => (seen = JSON.parse(text)) };
  try {
    const state = await chosenState({ url, ...options, storage });
    const wanted = Object.keys(state.files);
    const files = tableOf(wanted.map((path) => [path, state.files[path].object]));
    const isThere = (path) => had?.files[path] === files[path] && existsSync(join(folder, path));
    const changed = wanted.filter((path) => !isThere(path));
    const next = await gather(state, changed, folder);
    const { version, key, expires, unpublished } = state;
    const note = { format: 1, url: address, version, key, expires, seen, pulledAt: timeOf(options), files };
    const removed = await settle(folder, next, note, had);
    if (removed === undefined) return pull({ url, folder, reset, ...options });
    return { version, stale: false, files: wanted.length, changed, removed, unpublished };
  } catch (reason) {
    if (had === undefined || !(reason instanceof AlmanacError)) throw reason;
    const { version, pulledAt } = had;
    const passes = willPass(reason, pulledAt, timeOf(options)) && isTrusted(had.key, options);
    const files = Object.keys(had.files).length;
    return { version, stale: true, passes, reason, files, changed: [], removed: [], unpublished: [] };
  }
}

/** Whether the cause is expected to end without action: an outage of less than two weeks, or a publish in progress. */
export function willPass({ name }, pulledAt, now = Date.now()) {
  return (name === "Unreachable" || name === "Mixed") && !(now - pulledAt > patienceMs);
}

/** Whether one of the pinned keys signed it. Without keys, everything is trusted. */
export function isTrusted(key, { keys }) {
  return keys === undefined || keys.some((one) => one.replace(/-----[^-]+-----|\s/g, "") === key);
}

const timeOf = ({ now = Date.now }) => now();

/** The published paths in a folder, from its note. */
export async function pulledPaths(folder) {
  return Object.keys((await noteIn(folder))?.files ?? {});
}

/** The chosen part of the current state. The `storage` has the newest version that was seen. */
export async function chosenState({ languages, since, ...options }) {
  const isOfLanguage = (one) => languages === undefined || languages.includes(one);
  const isNear = (month) => since !== undefined && month >= since.slice(0, 4);
  const state = await createAlmanac(options).state((part) => {
    const [language, of = ""] = part.split("/");
    return (
      language.startsWith("shared") || (isOfLanguage(language) && (of.startsWith("current") || isNear(of)))
    );
  });
  const wanted = Object.entries(state.files).filter(([path]) => isWanted(path, isOfLanguage, since));
  const bytes = wanted.reduce((sum, [, { size }]) => sum + size, 0);
  if (!(bytes <= mostBytes))
    throw new AlmanacError("TooLarge", `${bytes} bytes. Choose fewer languages or a later date`);
  const isPublished = (language) => wanted.some(([path]) => path.startsWith(`v1/${language}/`));
  const unpublished = (languages ?? []).filter((language) => !isPublished(language));
  return { ...state, files: tableOf(wanted), unpublished };
}

/** The current texts and, with `since`, those of later dates; indexes, but not schemas. */
function isWanted(path, isOfLanguage, since) {
  const [top, language, name] = path.split("/");
  if (top !== "v1" || !path.endsWith(".json")) return false;
  if (name === undefined) return language === "index.json" || language === "status.json";
  if (language === "schemas" || !isOfLanguage(language)) return false;
  const [date] = /(?<=\/)\d{4}(-\d\d){0,2}(?=[/.])/.exec(path) ?? [];
  return date === undefined || (since !== undefined && date >= since.slice(0, date.length));
}

/** A map without a prototype: a file may have the name of an object's property. */
const tableOf = (entries) => Object.assign(Object.create(null), Object.fromEntries(entries));

/** Reads these documents, several at the same time. */
export async function eachDocument(state, paths, take) {
  const left = paths.values();
  let isOver = false;
  const lane = async () => {
    for (const path of left) if (!isOver) await take(path, withSafeNames(await state.document(path)));
  };
  const lanes = Array.from({ length: callsAtOnce }, () => lane().finally(() => (isOver = true)));
  await Promise.allSettled(lanes);
  await Promise.all(lanes);
}

/** Checks names at every depth: generators merge documents by path, and name pages by keys and by these fields. */
function withSafeNames(document) {
  JSON.stringify(document, (name, value) => {
    const isName = /^(language|operation|period|sign[12]?)$/.test(name);
    if (!/^[\w$-]*$/.test(isName ? name + value : name))
      throw new AlmanacError("UnknownFormat", `not a name: ${name}`);
    return value;
  });
  return document;
}

/** Writes all changes next to the existing files first, so a network failure halfway leaves no trace. */
async function gather(state, paths, folder) {
  await mkdir(folder, { recursive: true });
  await removeLeftovers(folder);
  const next = await mkdtemp(join(folder, `${nextName}-`));
  const keep = async (path, document) => {
    await mkdir(dirname(join(next, path)), { recursive: true });
    await write(join(next, path), document);
  };
  const clear = () => removeFolder(next);
  await eachDocument(state, paths, keep).catch(async (error) => {
    await clear();
    throw error;
  });
  return next;
}

const removeFolder = (path) => rm(path, { recursive: true, force: true });

/** Folders of killed pulls. A younger folder can belong to a pull in progress. */
async function removeLeftovers(folder) {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${nextName}-`)) continue;
    const { mtimeMs } = await lstat(join(folder, name)).catch(() => ({}));
    if (Date.now() - mtimeMs > dayMs) await removeFolder(join(folder, name));
  }
}

/**
 * From here on nothing is fetched: the next call completes an interrupted one. Undefined if another pull changed the folder
 * meanwhile: unchanged files may then be of another version.
 */
async function settle(folder, next, note, had) {
  const removed = Object.keys(had?.files ?? {}).filter((path) => !Object.hasOwn(note.files, path));
  await write(join(next, noteName), { ...note, removed });
  const isSame = (await noteIn(folder))?.pulledAt === had?.pulledAt;
  const isMoved = () => rename(next, join(folder, nextName)).then(() => true, passOver("ENOTEMPTY"));
  if (isSame && (await isMoved())) {
    await finished(folder, undefined);
    return removed;
  }
  await removeFolder(next);
  return undefined;
}

async function finished(folder, had) {
  const next = join(folder, nextName);
  const isThere = existsSync(next);
  const { removed, ...note } = (await noteIn(next).catch(() => {})) ?? {};
  if (removed === undefined) {
    if (isThere) await removeFolder(next);
    return had;
  }
  const paths = Object.keys(note.files);
  await makeFolders(folder, [...paths, ...removed]);
  for (const path of paths) await rename(join(next, path), join(folder, path)).catch(passOver("ENOENT")); // unchanged, or moved already
  for (const path of removed) await rm(join(folder, path), { force: true });
  await write(join(folder, noteName), note);
  await removeFolder(next);
  return note;
}

/** Creates the folders above these paths. None may be a link, so nothing is written or removed outside of the folder. */
async function makeFolders(folder, paths) {
  const above = (path) => (path === "." ? [] : [...above(dirname(path)), path]);
  for (const path of new Set(paths.flatMap((one) => above(dirname(one))))) {
    const place = join(folder, path);
    await mkdir(place).catch(passOver("EEXIST"));
    if (!(await lstat(place)).isDirectory()) throw new Error(`${place} is not a folder. Remove it`);
  }
}

/** The note is untrusted input: only published paths are read from it. */
async function noteIn(folder) {
  const path = join(folder, noteName);
  const text = await readFile(path, "utf8").catch(passOver("ENOENT"));
  if (text === undefined) return undefined;
  try {
    const { files, removed, ...note } = JSON.parse(text);
    if (note.format !== 1 || typeof note.url !== "string") throw new Error("it has another format");
    note.seen ??= { version: note.version, key: note.key }; // earlier versions wrote it like this
    note.files = tableOf(Object.entries(files).filter(([one]) => isPublishedPath(one)));
    return removed === undefined ? note : { ...note, removed: removed.filter(isPublishedPath) };
  } catch (cause) {
    throw new Error(`${path} is unreadable (${cause.message}). Remove ${folder}, then pull again`, { cause });
  }
}

/** Writes the file atomically, and not through a link. */
async function write(path, value) {
  await rm(`${path}~`, { force: true });
  await writeFile(`${path}~`, `${JSON.stringify(value)}\n`, { flag: "wx" }); // indented, a deep document fills the disk
  await rename(`${path}~`, path);
}

function passOver(code) {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

/** A one-line summary of a pull. */
export function summaryOf({ version, stale, passes, reason, ...counts }, folder) {
  const { files, changed, removed, unpublished } = counts;
  const lacking = unpublished.length > 0 ? `. The site does not publish ${unpublished.join(", ")}` : "";
  if (!stale)
    return `${folder} has version ${version}: ${files} files, ${changed.length} changed, ${removed.length} removed${lacking}`;
  const kept = `${folder} keeps version ${version}, because the site failed verification: ${reason}`;
  if (passes) return kept;
  return `${kept}. This needs a fix. ${remedies[reason.name] ?? "Ask the site's owner to run `almanac verify`"}`;
}

const remedies = {
  Forged: "Compare your key with the owner's public key. If the site is not signed, pull without a key",
  Frozen: "Check this machine's clock, and ask the site's owner whether publishing stopped",
  RolledBack: "To accept the site as it is now, add --reset",
  UnknownFormat: "Update Almanac, or download almanac.js and almanac-pull.js again",
};

/** The text of a public key, from a PEM file or as base64; undefined if it is neither. */
export function keyIn(given) {
  return readFile(given, "utf8").catch(() => (/^[A-Za-z0-9+/]{59}=$/.test(given) ? given : undefined));
}

export const keyProblem = (given) =>
  `cannot read the key ${given}. Name a PEM file, or pass the public key as base64`;

const help = `Usage: node almanac-pull.js <url> <folder>

Downloads the JSON of a published site to a folder. All files are verified and belong to one version of the site.

If the site is unreachable or fails verification, the folder keeps its files. The exit code is then 0 for an outage of less
than two weeks or a publish in progress, and 1 for any other reason or an empty folder. It is 2 for a wrong command line.

  --key <key>            Require a signature by this public key: base64 or a PEM file. Repeat it for several keys
  --languages <list>     Languages, such as en,hi. Default: all
  --since <date>         Also download dated readings from this date. Default: only the current ones
  --strict               Fail if the folder can't be updated to the current version, whatever the reason
  --reset                Accept the current version even if the folder contains a newer version or a different site

Example: before each build of a site
  node almanac-pull.js https://almanac.example data/almanac --key site-key.pem --languages en,hi
`;

const flags = {
  key: { type: "string", multiple: true },
  languages: { type: "string" },
  since: { type: "string" },
  strict: { type: "boolean" },
  reset: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

async function main(words) {
  const { values, positionals } = parseArgs({ args: words, options: flags, allowPositionals: true });
  const { key: named, languages, since, strict, reset } = values;
  const [url, folder, ...more] = positionals;
  if (values.help) return say(help, 0);
  if (folder === undefined || more.length > 0)
    return say(`missing arguments: <url> and <folder>\n\n${help}`, 2);
  if (!URL.canParse(url)) return say(`"${url}" is not a URL such as https://almanac.example`, 2);
  if (since !== undefined && !/^\d{4}-\d\d-\d\d$/.test(since))
    return say(`--since must be a date such as 2026-11-01, not "${String(since)}"`, 2);
  const keys = named && (await Promise.all(named.map(keyIn)));
  const unknown = keys?.indexOf(undefined) ?? -1;
  if (unknown >= 0) return say(keyProblem(named[unknown]), 2);
  const done = await pull({ url, folder, keys, languages: languages?.split(","), since, reset });
  const summary = summaryOf(done, folder);
  return done.stale ? say(summary, done.passes && !strict ? 0 : 1) : console.log(summary);
}

function say(text, code) {
  if (code === 0 && text === help) console.log(text);
  else console.error(text);
  process.exitCode = code;
}

const [, started] = process.argv;
if (started !== undefined && realpathSync(started) === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).catch((error) => {
    const isUsage = `${error.code}`.startsWith("ERR_PARSE_ARGS");
    say(isUsage ? `${error.message}\n\n${help}` : `nothing was downloaded: ${error}`, isUsage ? 2 : 1);
  });
}
