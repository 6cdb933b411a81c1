#!/usr/bin/env node
// Brings the JSON of a published site into a folder, for whatever builds pages from files: checked, of one state of the site,
// and never worse than what is there. `node almanac-pull.js --help`; docs/consumers.md tells more. Node 20 or later.
import { existsSync, realpathSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { AlmanacError, createAlmanac } from "./almanac.js";

const noteName = "pulled.json";
const callsAtOnce = 8;

/**
 * What is there is left as it is where the site can't be had or is refused: the answer is then `stale`, with the reason. Files
 * that have not changed are not written, so that a generator that looks at them makes no page anew.
 */
export async function pull({ url, folder, ...options }) {
  const had = await finished(folder, await noteIn(folder, noteName));
  if (had !== undefined && had.url !== String(url))
    throw new AlmanacError("OtherSite", `${folder} has what was pulled from ${had.url}: name another folder`);
  try {
    const state = await chosenState({ url, ...options }, had?.version);
    const wanted = Object.keys(state.files);
    const files = Object.fromEntries(wanted.map((path) => [path, state.files[path].object]));
    const isThere = (path) => had?.files[path] === files[path] && existsSync(join(folder, path));
    const changed = wanted.filter((path) => !isThere(path));
    await gather(state, changed, join(folder, ".next"));
    const { version, key, expires } = state;
    const note = { format: 1, url: String(url), version, key, expires, files };
    const removed = await settle(folder, note, had?.files ?? {});
    return { version, stale: false, files: wanted.length, changed, removed };
  } catch (reason) {
    if (had === undefined || !(reason instanceof AlmanacError)) throw reason;
    const files = Object.keys(had.files).length;
    return { version: had.version, stale: true, reason, files, changed: [], removed: [] };
  }
}

/** What is published now, as far as it was asked for; none that is older than `version`. */
export async function chosenState({ languages, since, ...options }, version = 0) {
  const isOfLanguage = (one) => languages === undefined || languages.includes(one);
  const isNear = (month) => since !== undefined && month >= since.slice(0, 4);
  const state = await createAlmanac(options).state((part) => {
    const [language, of = ""] = part.split("/");
    return (
      language.startsWith("shared") || (isOfLanguage(language) && (of.startsWith("current") || isNear(of)))
    );
  });
  if (state.version < version) throw new AlmanacError("RolledBack", `${state.version} after ${version}`);
  const wanted = Object.entries(state.files).filter(([path]) => isWanted(path, isOfLanguage, since));
  return { ...state, files: Object.fromEntries(wanted) };
}

/** The current texts, and with `since` those of dates from then on; indexes, but not how they are described. */
function isWanted(path, isOfLanguage, since) {
  const [, language] = /^v1\/([a-z]+)\/.+\.json$/.exec(path) ?? [];
  if (language === undefined) return path === "v1/index.json" || path === "v1/status.json";
  if (language === "schemas" || !isOfLanguage(language)) return false;
  const [date] = /(?<=\/)\d{4}(-\d\d){0,2}(?=[/.])/.exec(path) ?? [];
  return date === undefined || (since !== undefined && date >= since.slice(0, date.length));
}

/** Reads these documents, some at once. */
export async function eachDocument(state, paths, take) {
  const left = paths.values();
  const lane = async () => {
    for (const path of left) await take(path, await state.document(path));
  };
  await Promise.all(Array.from({ length: callsAtOnce }, lane));
}

/** All that changed, beside what is there: a network that fails in the middle leaves no trace. */
async function gather(state, paths, next) {
  await rm(next, { recursive: true, force: true });
  await eachDocument(state, paths, (path, document) => write(join(next, path), document));
}

/** From here on nothing is fetched: what breaks off is finished by the next call. */
async function settle(folder, note, had) {
  const removed = Object.keys(had).filter((path) => !Object.hasOwn(note.files, path));
  await write(join(folder, ".next", noteName), { ...note, removed });
  await finished(folder, undefined);
  return removed;
}

async function finished(folder, had) {
  const next = join(folder, ".next");
  const { removed, ...note } = (await noteIn(next, noteName)) ?? {};
  if (removed === undefined) return had;
  for (const path of Object.keys(note.files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await rename(join(next, path), join(folder, path)).catch(passOver("ENOENT")); // unchanged, or moved already
  }
  for (const path of removed) await rm(join(folder, path), { force: true });
  await write(join(folder, noteName), note);
  await rm(next, { recursive: true });
  return note;
}

async function noteIn(folder, name) {
  const text = await readFile(join(folder, name), "utf8").catch(passOver("ENOENT"));
  return text === undefined ? undefined : JSON.parse(text);
}

/** Whole or not at all. */
async function write(path, value) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}~`, `${JSON.stringify(value, null, 2)}\n`);
  await rename(`${path}~`, path);
}

function passOver(code) {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

const help = `node almanac-pull.js <address> <folder>

Brings the JSON of a published site into a folder, checked and of one state. Where the site can't be had, what is there stays,
and the exit code is 0: 1 where there is nothing yet, 2 for a wrong command line.

  --key <key>            an Ed25519 public key that must have signed the site: base64 or a PEM file; several may be named
  --languages <list>     such as en,hi (all unless said)
  --since <date>         also the texts of dates from then on, such as 2026-11-01 (the current ones alone unless said)
  --strict               exit with 1 where the site can't be had

Example: before each build of a site
  node almanac-pull.js https://almanac.example data/almanac --languages en,hi
`;

const flags = {
  key: { type: "string", multiple: true },
  languages: { type: "string" },
  since: { type: "string" },
  strict: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

async function main(words) {
  const { values, positionals } = parseArgs({ args: words, options: flags, allowPositionals: true });
  const { key: named, languages, since, strict } = values;
  const [url, folder, ...more] = positionals;
  if (values.help) return say(help, 0);
  if (folder === undefined || more.length > 0) return say(`an address and a folder are wanted\n\n${help}`, 2);
  if (!URL.canParse(url)) return say(`"${url}" is no address such as https://almanac.example`, 2);
  if (since !== undefined && !/^\d{4}-\d\d-\d\d$/.test(since))
    return say(`--since takes a date such as 2026-11-01, not "${String(since)}"`, 2);
  const keys = named && (await Promise.all(named.map((key) => readFile(key, "utf8").catch(() => key))));
  const done = await pull({ url, folder, keys, languages: languages?.split(","), since });
  const kept = `${folder} keeps version ${done.version}, because ${url} was refused: ${done.reason}`;
  if (done.stale) return say(kept, strict ? 1 : 0);
  const counts = `${done.files} files, ${done.changed.length} changed, ${done.removed.length} gone`;
  return console.log(`${folder} has version ${done.version}: ${counts}`);
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
    say(isUsage ? `${error.message}\n\n${help}` : `nothing was pulled: ${error}`, isUsage ? 2 : 1);
  });
}
