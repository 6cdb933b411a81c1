// One point of the crash test: a scenario whose nth store call fails in one of the four ways, then the reader's view, then the
// retry and its result.
import { brokenPromises, follow, wrongPaths, usedTwice } from "./look.ts";
import { Calls, type Outcome, Publisher, type Way, ways } from "./publisher.ts";
import { type Open, openMemories, type WatchedStores } from "./resettable.ts";
import type { Scenario } from "./scenarios.ts";
import { disagreements } from "../../support/journal.ts";
import { keysOf, type Stores } from "../../support/stores.ts";

/** Time of the retry. */
const laterMs = 2 * 60_000;

interface Undisturbed {
  readonly calls: number;
  /** Every tree that a reader may see meanwhile; undefined before the first publish. */
  readonly trees: ReadonlySet<string | undefined>;
  readonly end: string;
}

const onMemory = openMemories();
const known = new Map<Scenario, Promise<Undisturbed>>();

/** Result in memory, which the other stores must match. */
export function undisturbed(scenario: Scenario): Promise<Undisturbed> {
  const before = known.get(scenario) ?? runUndisturbed(scenario, onMemory);
  known.set(scenario, before);
  return before;
}

async function runUndisturbed(scenario: Scenario, open: Open): Promise<Undisturbed> {
  const trees = new Set<string | undefined>();
  // Covers each order of the publishers, because each has different states in between.
  for (const order of orders(scenario.publishers)) {
    const stores = await open(scenario);
    trees.add((await follow(stores.eyes))?.tree);
    for (const work of order) {
      await work(new Publisher(stores, new Calls(), () => scenario.at).place);
      trees.add((await follow(stores.eyes))?.tree);
    }
  }
  const stores = await open(scenario);
  const calls = new Calls();
  await runAll(scenario, stores, calls, scenario.at);
  return { calls: calls.count, trees, end: await endOf(scenario, stores) };
}

/** Number of points that passed: of every nth call, in each of the ways, until the scenario passes untouched. */
export async function points(
  scenario: Scenario,
  open: Open,
  each = 1,
  tried: readonly Way[] = ways,
): Promise<number> {
  const every = each * (scenario.every ?? 1);
  const whole = await undisturbed(scenario);
  let held = 0;
  for (const way of tried) {
    // The ways begin at different calls, so that together they strike all along however few there are of each.
    let at = 1 + Math.floor((ways.indexOf(way) * every) / ways.length);
    for (; await strike(scenario, open, whole, at, way); at += every) held += 1;
  }
  return held;
}

/** False when the scenario made fewer calls than that. */
async function strike(
  scenario: Scenario,
  open: Open,
  { trees, end }: Undisturbed,
  at: number,
  way: Way,
): Promise<boolean> {
  const stores = await open(scenario);
  const calls = new Calls(at, way);
  const outcomes = await runAll(scenario, stores, calls, scenario.at);
  if (calls.struck === undefined) return false;
  const point = `${scenario.name}, call ${at} (${calls.struck}) ${way}`;
  const hurt = outcomes.filter((outcome) => outcome !== "done");
  if (hurt.length > 1) throw new Error(`${point}: the others fail as well: ${hurt.map(String).join("; ")}`);

  const meanwhile = await follow(stores.eyes).catch((error: unknown) => told(point, error));
  if (!trees.has(meanwhile?.tree))
    throw new Error(`${point}: a reader sees neither the old state nor a new one`);

  const broken = await brokenPromises({ site: stores.eyes, vault: stores.vault });
  if (broken.length > 0) throw new Error(`${point}: the record does not know of: ${broken.join(", ")}`);
  await requireJournal(point, stores);

  const again = await runAll(scenario, stores, new Calls(), new Date(scenario.at.getTime() + laterMs));
  if (again.some((outcome) => outcome !== "done"))
    throw new Error(`${point}: the retry: ${again.map(String).join()}`);
  const twice = await usedTwice({ site: stores.eyes, vault: stores.vault });
  if (twice.length > 0) throw new Error(`${point}: ${twice.join(", ")}`);
  await requireJournal(point, stores);
  const ends = await endOf(scenario, stores).catch((error: unknown) => told(point, error));
  if (ends !== end) throw new Error(`${point}: ${differenceOf(ends, end)}`);
  return true;
}

async function requireJournal(point: string, { vault }: Stores): Promise<void> {
  const wrong = await disagreements(vault);
  if (wrong.length > 0) throw new Error(`${point}: ${wrong.join(", ")}`);
}

/** Difference between two ends: the parts that only one of them has. */
function differenceOf(ends: string, end: string): string {
  const [here, there] = [new Set(ends.split(",")), new Set(end.split(","))];
  const words = (pieces: ReadonlySet<string>) => [...pieces].join("\n") || "nothing";
  return `the retry alone ends in\n${words(here.difference(there))}\nand the undisturbed run alone in\n${words(there.difference(here))}`;
}

function told(point: string, error: unknown): never {
  throw new Error(`${point}: ${String(error)}`, { cause: error });
}

async function runAll({ publishers }: Scenario, stores: Stores, calls: Calls, at: Date): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const work of publishers) outcomes.push(await new Publisher(stores, calls, () => at).run(work));
  return outcomes;
}

/**
 * Bytes that a run and its undisturbed twin must share: everything that readers can reach, except the pointer's times. If a
 * rollback has its own instant, the status, which shows it, is excluded too, and so is the index of sitemaps. These nights do not
 * render that index, so it shows who wrote last (test/publish/sitemaps.test.ts checks it).
 */
async function endOf({ varies = [], everyKey }: Scenario, { eyes: site }: WatchedStores): Promise<string> {
  const seen = await follow(site);
  if (seen === undefined) throw new Error("nothing is published");
  const wrong = await wrongPaths(site, seen);
  if (wrong.length > 0) throw new Error(`the public paths do not show the manifest: ${wrong.join(", ")}`);
  const { parent, asOf, version, run, parts, ...rest } = seen.manifest;
  const { shared, ...languages } = parts;
  const isTold = (line: string) =>
    varies.includes("asOf") && /^(?:v1\/status\.json|status\/|sitemap\.xml)/.test(line);
  if (seen.pointer.version !== version) throw new Error("pointer and manifest are of two versions");
  const kept = Object.entries({ parent, asOf, version, run }).filter(
    ([name]) => !varies.some((one) => one === name),
  );
  return JSON.stringify({
    ...rest,
    parts: varies.includes("asOf") ? languages : { ...languages, shared },
    ...Object.fromEntries(kept),
    tree: seen.tree.split("\n").filter((line) => !isTold(line)),
    ...(everyKey === true ? { keys: await keysOf(site) } : {}),
  });
}

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
