// The words that the project has given up do not come back: in identifiers, file names, commands, keys and JSON fields. Prose may
// use the English ones among them.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));

interface OldWord {
  /** Matched against a name in kebab case: `mostSetAsideListed` is `most-set-aside-listed`. */
  readonly old: RegExp;
  readonly use: string;
  /** Names in kebab case that have the word in another meaning. */
  readonly unless?: RegExp;
  /** Files that have the word in another meaning. */
  readonly outside?: RegExp;
}

/** A gate of a test, through which calls pass one by one, and pictures of gates. */
const otherGates = /^(?:packages\/sandbox\/(?:decks|faces)|test\/(?:pictures|publish|worker)\/)/;

/** Code that is bundled: the workflows, a package, a page of somebody else. */
const codeBundles =
  /^(?:worker\/|deploy\/package\/|bench\/peers\/|docs\/site\/|test\/(?:deploy|nights|pictures|publish|real|support|worker|workflows)\/|test\/client\/)/;

/** A person, another server than the service, and tests. */
const askedPeople =
  /^(?:bench|test|packages|docs\/site)\/|^scripts\/(?:init\/|terminal\/(?:interview|run-words)|quarantine|correct|review)|^worker\/(?:checks\/(?:checks|notifiers)|shutdown|temporal|monitor|notifiers)|^store\//;

/** Keys that a test presses. */
const keyboards = /^test\/(?:browser|real)\//;

/** Links from page to page, cards, turns of tests and of the calendar. */
const turningPages = /^(?:test|packages|site|bench\/(?:peers|nights))\//;

const oldWords: readonly OldWord[] = [
  {
    old: /\bpress(?:es|ed|ing)?\b/,
    use: "render",
    unless: /\bword-press\b|^press-example$/,
    outside: keyboards,
  },
  {
    old: /\bprint(?:s|ed|ing)?\b/,
    use: "render",
    unless: /\bprint-color-adjust\b/,
    outside: /^(?!site\/|publish\/)/,
  },
  { old: /\bturn(?:s|ed|ing)?\b/, use: "publish", outside: turningPages },
  { old: /\brejudg(?:es?|ed|ing)\b/, use: "revalidate" },
  { old: /\bpatrol/, use: "scrub" },
  { old: /\bwitness(?:es|ed)?\b/, use: "time source" },
  { old: /\b(?:not-)?mend(?:s|ed|ing)?\b/, use: "repair, or fix" },
  { old: /\bstrays?\b/, use: "orphaned" },
  {
    old: /\bholds?\b/,
    use: "pin",
    outside: /^(?!publish\/(?:history|archive)|vault\/(?:decisions|withheld)\.)/,
  },
  {
    old: /\bholds-(?:edition|set)\b|\brollback-holds?\b|\bholds?-(?:lines|in-force)\b/,
    use: "pin",
  },
  {
    old: /\b(?:publishing|wrong|another|own|backup)-place\b|\bplace-(?:guard|header|field|identity|word|on-machine)\b/,
    use: "installation, location, or context",
  },
  {
    old: /\bplaces?\b/,
    use: "installation, or context",
    outside:
      /^(?!publish\/(?:step|history|backup|repair)\/|vault\/installation|worker\/(?:installation|temporal\/(?:runs|schedules|pollers)))/,
  },
  { old: /\bsheets?\b/, use: "set", unless: /\bstyle-sheets?\b/ },
  { old: /\bcaptur(?:es?|ed)\b/, use: "stored response", unless: /\bcapture-screenshot$/ },
  { old: /\bstand-ins?\b/, use: "superseded response" },
  { old: /\bset-aside\b/, use: "skipped, or quarantined" },
  { old: /\bput-aside\b/, use: "damaged" },
  { old: /\bkept-(?:readings?|reader|answers?|and-damaged)\b|\breadings-kept\b/, use: "stored" },
  {
    old: /\bgates?\b/,
    use: "rule, or breaker",
    unless: /\btemporal-gate\b|\b(?:readiness|scheduling)-gates?$/,
    outside: otherGates,
  },
  {
    old: /\bservice-address(?:es)?\b|\b(?:per|by)-address\b|\baddress-(?:figures|down|forecast|count)\b/,
    use: "endpoint",
    outside: /^publish\/site-copy\./,
  },
  { old: /\bbundles?\b/, use: "batch", outside: codeBundles },
  { old: /\bpublish-batch(?:es)?\b/, use: "publish group" },
  { old: /\bstable-paths?\b/, use: "public path" },
  {
    old: /\bswap(?:s|ped)?\b/,
    use: "compare-and-swap, or conditional write",
    unless: /\bcompare-and-swap\b/,
    outside:
      /^(?:site\/theme\/theme|worker\/theme\/theme\.schema|site\/pages\/pair-pages|test\/store\/store-conformance\.test)\.ts$/,
  },
  { old: /\b(?:un)?told\b/, use: "notified, or reported", outside: /^(?:test|bench)\// },
  { old: /\bnot-told\b/, use: "not-notified" },
  {
    old: /\bletter-(?:text|data|html|style|entry|programs)\b|\bsign-letter\b|\bfollow-letter\b/,
    use: "newsletter",
  },
  { old: /\bmistakes?\b/, use: "error, or problem" },
  { old: /\banew\b/, use: "again" },
  { old: /\bbesides?\b/, use: "next to, or also", outside: /^test\// },
  { old: /\bso-far\b/, use: "until now" },
  { old: /\b(?:un)?heed(?:s|ed)?\b/, use: "obey" },
  { old: /\breckon(?:s|ed|ing)?\b/, use: "estimate" },
  { old: /\bask(?:s|ed|ing|er)?\b/, use: "request, or call", outside: askedPeople },
];

/** Names of other projects, texts, and code that is made of ours. */
const isForeign =
  /^(?:package-lock\.json|packages\/sandbox\/prose\/|test\/readings\/shapes\/|test\/words\.)|\.min\.js$|ngrams/;

function inKebabCase(name: string): string {
  const parts = name.replaceAll(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3-$2$4");
  return parts.replaceAll(/[^A-Za-z\d]+/g, "-").toLowerCase();
}

/** Counted by name, because most names occur often. */
const known = new Map<string, readonly OldWord[]>();

function oldWordsIn(name: string, path: string): OldWord[] {
  let found = known.get(name);
  if (found === undefined) {
    const plain = inKebabCase(name);
    found = oldWords.filter(({ old, unless }) => old.test(plain) && unless?.test(plain) !== true);
    known.set(name, found);
  }
  return found.filter(({ outside }) => outside?.test(path) !== true);
}

/** Identifiers, and strings of one word: a key, a kind, a command or its option. */
function collectNames(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) collectNames(one, found);
  if (typeof value !== "object" || value === null) return;
  if ("name" in value && typeof value.name === "string") found.add(value.name);
  if ("value" in value && typeof value.value === "string" && /^[\w.-]+$/.test(value.value))
    found.add(value.value);
  for (const one of Object.values(value)) collectNames(one, found);
}

/** Keys of JSON and YAML, variables and keys of PHP, metrics, classes and functions. */
const namePatterns = [
  /"([\w.-]+)"\s*:/g,
  /^[\s-]*([\w.-]+):/gm,
  /\$(\w+)/g,
  /'([\w-]+)'\s*=>/g,
  /\b(almanac_\w+)/g,
  /(?:class|function)[= ]"?([\w-]+)/g,
];

function namesIn(path: string): Set<string> {
  const text = readFileSync(root + path, "utf8");
  // Most files have none of the words, not even in a comment, and need not be parsed.
  const words = new Set(text.match(/[A-Za-z_$][\w$-]*/g));
  if (!words.values().some((word) => oldWordsIn(word, path).length > 0)) return new Set();
  if (!/\.[cm]?[jt]s$/.test(path))
    return new Set(
      namePatterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name)),
    );
  const found = new Set<string>();
  collectNames(parseSync(path, text).program, found);
  return found;
}

test("no name contains a word that the project has given up", () => {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  const own = files.filter((path) => path !== "" && !isForeign.test(path) && existsSync(root + path));
  const found = own.flatMap((path) => {
    const isText = /\.(?:[cm]?[jt]s|json|ya?ml|php|html|css|gotmpl|txt)$/.test(path);
    const names = [path, ...(isText ? namesIn(path) : [])];
    return names.flatMap((name) => oldWordsIn(name, path).map(({ use }) => `${path}: ${name} (use: ${use})`));
  });
  expect(found).toEqual([]);
});
