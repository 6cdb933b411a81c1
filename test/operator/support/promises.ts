// Invariants after every step: a command's output matches the files; the page matches the list of withdrawn texts; `almanac why`
// matches the page; and no language stays unchanged unless `almanac status` says so.
import { isDeepStrictEqual } from "node:util";
import { why } from "../../../insight/why.ts";
import { objectPath, readManifest } from "../../../publish/state/state.ts";
import { addDays } from "../../../readings/calendar.ts";
import { type RequestKey, requestKey, requestsOf } from "../../../readings/request.ts";
import { signs } from "../../../readings/tables.ts";
import { dataPathOf } from "../../../site/paths.ts";
import { labelsIn } from "../../../site/labels.ts";
import { readingFrom } from "../../../vault/stored-readings.ts";
import type { Pin } from "../../../vault/withheld.ts";
import { requestAt } from "../../publish/support/published-site.ts";
import { keysOf, textAt } from "../../support/stores.ts";
import { deep } from "../../support/deep.ts";
import type { Desk, Done } from "./desk.ts";
import { type Shown, shownBy, shownOn } from "./shown.ts";
import { type Step, wordsOf } from "./steps.ts";

export class Untrue extends Error {
  override readonly name = "Untrue";
}

export function require(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new Untrue(what);
}

type Withheld = Awaited<ReturnType<Desk["withheld"]>>;

/** Everything known at one moment. */
export interface Moment {
  readonly shown: Shown;
  readonly withheld: Withheld;
  /** Languages that `almanac status` reports as unchanged. */
  readonly frozen: ReadonlySet<string>;
}

export async function momentOf(desk: Desk): Promise<Moment> {
  const held = await desk.status();
  const frozen = new Set<string>(held.flatMap(({ pin }) => (pin.date >= desk.today ? [pin.language] : [])));
  return { shown: await shownOn(desk.site.site), withheld: await desk.withheld(), frozen };
}

const keyOf = (language: string, date: string, sign: string) =>
  `daily/${date}/${language}/daily-horoscope/${sign}`;

/** Checks a step against its output and the current files. */
export async function requireTrue(step: Step, done: Done, before: Moment, desk: Desk): Promise<Moment> {
  const after = await momentOf(desk);
  const { shown, withheld } = after;
  require(shown.version >= before.shown.version, "the version went back");
  if (done.kind === "refused") {
    require(isDeepStrictEqual(shown.paths, before.shown.paths), "a refused command changed the site");
    require(isDeepStrictEqual(withheld.note, before.withheld.note), "a refused command changed the note");
    require(step.kind !== "undo" || done.error === undefined, `an undo was refused: ${String(done.error)}`);
    return after;
  }
  requirePages(after);
  await requireWithdrawnWords(after, desk);
  requireStays(step, before, after);
  await requireWords(step, done.text, before, after, desk);
  await requireWhy(after, desk);
  return after;
}

/** A set has all of its signs, except the withdrawn ones, which are on the list. */
function requirePages({ shown, withheld }: Moment): void {
  for (const [name, { texts, withdrawn }] of shown.sets) {
    const [language = "", date = ""] = name.split("/");
    const listed = signs.filter((sign) => withheld.isWithdrawn(keyOf(language, date, sign)));
    require(isDeepStrictEqual(
      withdrawn,
      listed.toSorted(),
    ), `${name} calls [${withdrawn.join(" ")}] withdrawn, and the list has [${listed.join(" ")}]`);
    const whole = signs.every((sign) => texts.has(sign) !== withdrawn.includes(sign));
    require(whole, `${name} is not whole`);
  }
}

/** The current page of Leo says that its text is withdrawn if it is, and otherwise shows it. */
async function requireWithdrawnWords({ shown, withheld }: Moment, desk: Desk): Promise<void> {
  for (const [language, date] of shown.dates) {
    if (language !== "en" || !shown.sets.has(`${language}/${date}`)) continue;
    const path = `${language}/daily/leo/index.html`;
    const object = objectPath(shown.paths.get(path) ?? "", path);
    const page = (await textAt(desk.site.site, object)) ?? "";
    const isListed = withheld.isWithdrawn(keyOf(language, date, "leo"));
    require(page.includes(labelsIn("en").withdrawn) ===
      isListed, `the page of Leo is wrong: is it withdrawn? ${isListed}`);
    const words = shown.sets.get(`${language}/${date}`)?.texts.get("leo");
    require(words === undefined || page.includes(words.slice(0, 9)), "the page of Leo shows another text");
  }
}

/** A language that is frozen, or a set that is held, changes with no run. */
function requireStays({ kind }: Step, before: Moment, after: Moment): void {
  if (["rollback", "render", "withdraw", "undo", "day", "hindi in or out"].includes(kind)) return;
  for (const language of before.frozen)
    require(isDeepStrictEqual(
      pathsOf(language, before.shown),
      pathsOf(language, after.shown),
    ), `${language} is frozen, and ${kind} changed it`);
  for (const { language, sets } of before.withheld.note.pins) {
    for (const set of sets) {
      const name = `${language}/${set.split("/")[1] ?? ""}`;
      const [was, is] = [before.shown.sets.get(name)?.texts, after.shown.sets.get(name)?.texts];
      require(isDeepStrictEqual(was, is), `${name} is pinned, and ${kind} changed it`);
    }
  }
}

function pathsOf(language: string, { paths }: Shown): ReadonlyMap<string, string> {
  const own = [...paths].filter(
    ([path]) => path.startsWith(`${language}/`) || path.startsWith(`v1/${language}/`),
  );
  return new Map(own);
}

/** A command's output matches the files. */
async function requireWords(
  step: Step,
  text: string,
  before: Moment,
  after: Moment,
  desk: Desk,
): Promise<void> {
  const { version } = after.shown;
  for (const [, said] of text.matchAll(/(?:[Tt]he site stays at|published) version (\d+)/g))
    require(Number(said) === version, `it says version ${said}, and the site is at ${version}`);
  if (/[Tt]he site stays at version/.test(text))
    require(isDeepStrictEqual(
      before.shown.paths,
      after.shown.paths,
    ), "it says that the site stays, and it does not");
  switch (step.kind) {
    case "withdraw":
      return requireWithdrawal(text, before, after);
    case "undo":
      return requireUndo(text, before, after);
    case "rollback":
      return requireRollback(text, before, after, desk);
    case "render":
      return requireRender(step.language === undefined ? desk.languages : [step.language], text, after, desk);
    case "night":
    case "publish":
      for (const language of desk.languages) {
        if (after.frozen.has(language)) continue;
        await requireToday(language, step.kind === "night", after, desk);
      }
      return;
    case "accept":
    case "retry": {
      const [key = ""] = text.split(" ");
      require(!(await desk.site.publishing.vault.inQuarantine("")).includes(
        key,
      ), "it is in quarantine still");
      const response = await desk.site.publishing.vault.response(key);
      require((response?.accepted !== undefined) ===
        text.includes(" accepted by "), "it says accepted, and it is not");
      return;
    }
    case "repair":
      require(text.endsWith("nothing to repair"), `a sound site was repaired: ${text}`);
      return;
    case "gc": {
      const objects = new Set(await keysOf(desk.site.site, "v1/objects/"));
      const isThere = (object: string) => [...objects].some((key) => key.includes(object));
      for (const object of new Set(pathsOf("en", after.shown).values()))
        require(isThere(object), `the clean-up took ${object}`);
      return;
    }
    default:
  }
}

function requireWithdrawal(text: string, before: Moment, after: Moment): void {
  const key = after.withheld.note.withdrawn.at(-1)?.key ?? "";
  require(text.includes(key), "it names another text");
  require(wordsAt(key, after.shown) === undefined, `${key} is withdrawn, and the site shows it`);
  if (text.includes("the site does not show it and stays")) return;
  require(before.shown.version < after.shown.version, "nothing was published");
}

async function requireUndo(text: string, before: Moment, after: Moment): Promise<void> {
  const gone = before.withheld.note.withdrawn.filter(({ key }) => !after.withheld.isWithdrawn(key));
  const [record] = gone;
  require(gone.length === 1 && record !== undefined, "the list has not lost one entry");
  const isShown = wordsAt(record.key, after.shown) !== undefined;
  require(text.includes(`${record.key} restored: `) ===
    isShown, `${record.key}: is it shown? ${isShown}. ${text}`);
  require(isShown || text.includes("the site does not show it"), text);
  const [last] = await after.withheld.entries();
  const { by, kind, subject } = last?.decision ?? {};
  require(by === "chief" &&
    kind === "restore" &&
    subject !== undefined &&
    "key" in subject &&
    subject.key === record.key, "the journal does not name the person who brought it back");
}

async function requireRollback(text: string, before: Moment, after: Moment, desk: Desk): Promise<void> {
  if (text.includes("nothing to roll back")) {
    require(isDeepStrictEqual(before.withheld.note, after.withheld.note), "it changed nothing but the note");
    return;
  }
  const [, old] = /the files of version (\d+)/.exec(text) ?? [];
  const target = await stateOf(Number(old), after, desk);
  const known = new Set(before.withheld.note.pins.map(({ at }) => at));
  const own = after.withheld.note.pins.filter(({ at }) => !known.has(at));
  for (const { language } of own) requireTree(language, target, after);
  for (const language of new Set([...before.shown.dates.keys(), ...after.shown.dates.keys()])) {
    const changed = !isDeepStrictEqual(pathsOf(language, before.shown), pathsOf(language, after.shown));
    const isPinned = own.some((pin: Pin) => pin.language === language);
    require(changed === isPinned, `${language}: has it changed? ${changed}. Is it pinned? ${isPinned}`);
    require(!isPinned || text.includes(language), `it does not say that ${language} is pinned`);
  }
}

/** A language as it was in a state, with only today's withdrawn texts missing. */
function requireTree(language: string, target: Shown, { shown, withheld }: Moment): void {
  require(target.dates.get(language) === shown.dates.get(language), `${language} has another date`);
  for (const [name, { texts }] of target.sets) {
    if (!name.startsWith(`${language}/`)) continue;
    for (const [sign, words] of texts) {
      if (withheld.isWithdrawn(keyOf(language, name.slice(language.length + 1), sign))) continue;
      require(shown.sets.get(name)?.texts.get(sign) === words, `${name}/${sign} is another text`);
    }
  }
  for (const name of shown.sets.keys())
    require(!name.startsWith(`${language}/`) || target.sets.has(name), `${name} was not there then`);
}

async function stateOf(version: number, { shown }: Moment, desk: Desk): Promise<Shown> {
  let manifest = shown.manifest;
  while (manifest !== undefined && manifest.version > version && manifest.parent !== null)
    manifest = await readManifest(desk.site.site, manifest.parent);
  require(manifest?.version === version, `version ${version} is gone`);
  return shownBy(desk.site.site, manifest);
}

async function requireRender(
  languages: readonly string[],
  text: string,
  after: Moment,
  desk: Desk,
): Promise<void> {
  for (const language of languages) {
    const isPinned = after.withheld.note.pins.some((pin) => pin.language === language);
    require(!isPinned, `${language} is pinned after a render`);
    await requireToday(language, true, after, desk);
  }
}

/** A language that is not pinned shows today's date once its set is complete and, after a render, the vault's content. */
export async function requireToday(
  language: string,
  isRendered: boolean,
  { shown, withheld }: Moment,
  desk: Desk,
) {
  const words = await vaultWords(language, desk);
  const request = requestAt(keyOf(language, desk.today, "leo"));
  if (words === undefined || withheld.isSetPinned(request)) return;
  const name = `${language}/${desk.today}`;
  require(shown.sets.has(
    name,
  ), `${name} is in the vault, and ${language} stays at ${shown.dates.get(language)}`);
  if (!isRendered) return;
  for (const [sign, said] of words) {
    if (withheld.isWithdrawn(keyOf(language, desk.today, sign))) continue;
    require(shown.sets.get(name)?.texts.get(sign) === said, `${name}/${sign} is not the vault's text`);
  }
}

/** The render that status named has brought the sets that were held, if the vault has them. */
export async function requireBack({ language, sets }: Pin, { shown, withheld }: Moment, desk: Desk) {
  require(!withheld.note.pins.some((one) => one.language === language), `${language} is pinned still`);
  for (const set of sets) {
    const date = set.split("/")[1] ?? "";
    const held = await desk.site.publishing.vault.held(`daily/${date}/${language}/`);
    const isWhole = signs.every((sign) => held.includes(keyOf(language, date, sign)));
    const isAhead = date > desk.today;
    const isAll = signs.every((sign) => withheld.isWithdrawn(keyOf(language, date, sign)));
    if (isWhole && !isAhead && !isAll)
      require(shown.sets.has(`${language}/${date}`), `${language}/${date} did not come back`);
  }
}

/** The first words of today's twelve texts; undefined where the vault lacks one. */
async function vaultWords(language: string, desk: Desk): Promise<ReadonlyMap<string, string> | undefined> {
  const { vault } = desk.site.publishing;
  const words = new Map<string, string>();
  const { language: own } = requestAt(keyOf(language, desk.today, "leo"));
  const { note } = await desk.withheld();
  for (const request of requestsOf("daily-horoscope", own, desk.today)) {
    const key = requestKey(request);
    const response = await vault.response(key);
    if (response === undefined && note.withdrawn.some((one) => one.key === key)) continue;
    if (response === undefined || !("sign" in request)) return undefined;
    const { reading } = readingFrom(response);
    if (reading.family === "horoscope") words.set(request.sign, reading.sections.personal[0] ?? "");
  }
  return words;
}

function wordsAt(key: RequestKey, { sets }: Shown): string | undefined {
  const [, date = "", language = "", , sign = ""] = key.split("/");
  return sets.get(`${language}/${date}`)?.texts.get(sign);
}

/** `almanac why` agrees with the site: about one text after each step, and about all texts with test:deep. */
async function requireWhy(moment: Moment, desk: Desk): Promise<void> {
  const dates = [0, -1, 1].map((by) => addDays(desk.today, by));
  const keys = desk.languages.flatMap((language) => dates.map((date) => keyOf(language, date, "leo")));
  const turn = desk.now.getUTCMinutes() % keys.length;
  for (const key of deep ? keys : keys.slice(turn, turn + 1)) await requireWhyOf(key, moment, desk);
}

async function requireWhyOf(key: RequestKey, { shown, withheld, frozen }: Moment, desk: Desk): Promise<void> {
  const { configuration, vault, now } = desk.site.publishing;
  const request = requestAt(key);
  const path = dataPathOf(request) ?? "";
  const asked = { configuration, vault, site: desk.site.site, now: now() };
  const facts = await why({ path }, asked);
  const says = facts.find(({ about }) => about === "reason")?.is;
  const isThere = facts.some(({ about }) => about === "object");
  const isShown = wordsAt(key, shown) !== undefined;
  require(isThere === isShown, `why ${path}: is it there? ${isShown}`);
  require((says === undefined) === isShown, `why ${path} gives ${says}`);
  if (says === undefined) return;
  const isWithdrawn = withheld.isWithdrawn(key);
  require((says === "withdrawn") === isWithdrawn, `why ${path}: ${says}; is it withdrawn? ${isWithdrawn}`);
  const isFrozen = frozen.has(request.language) && request.period === desk.today;
  const isPinned = withheld.isSetPinned(request) || isFrozen;
  require(says !== "rolled back" || isPinned, `why ${path} says that it is rolled back, and it is not held`);
  require(says !== "waiting for the next publish" ||
    !isPinned, `why ${path} says that it waits, and it is pinned`);
}

/** Description of the steps, for readers of a failing sequence. */
export function playedWords(step: Step, done: Done): string {
  const said =
    done.kind === "printed"
      ? done.text
      : `refused: ${done.error instanceof Error ? done.error.message : "there is nothing to do it to"}`;
  return `> ${wordsOf(step)}\n${said.replaceAll(/^/gm, "  ")}`;
}
