// Every writing command is killed repeatedly between its first and its last write, at times drawn from a seed: readers see one
// complete state, the next ordinary run gives a sound site, and no stored reading is lost or requested again. Only deaths between
// the two writes count. Then workers are killed during nights.
import { cp, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownOf } from "../support/places.ts";
import { planFor } from "../../insight/plan.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { type Random, seededRandom } from "../../packages/sandbox/random.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { openFolder } from "../../store/folder.ts";
import { inParallel } from "../../store/store.ts";
import { follow, wrongPaths, usedTwice } from "../publish/support/look.ts";
import { configured, newSite, type PublishedSite, requestAt } from "../publish/support/published-site.ts";
import { storedResponseOf } from "../support/stored-responses.ts";
import { almanac, environmentFor } from "../support/cli.ts";
import { deep } from "../support/deep.ts";
import { killedRun } from "../support/killed.ts";
import { daysAgo, testClock } from "../support/noon.ts";
import {
  responsesIn as responsesOf,
  isStable,
  quickService,
  runPublish,
  sandboxKey,
} from "../support/looks.ts";
import { countsIn, createWorld, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";
import { contentOf, damage, type Stores } from "../support/stores.ts";

const configuration: ConfigurationInput = {
  ...configured,
  languages: ["en", "hi"],
  operations: ["daily-tarot"],
  zones: { en: "UTC", hi: "UTC" },
  people: [],
  pairs: [],
  publishing: { unusualShare: 1 },
};

/** Configuration of the workers' nights: about 30 requests. */
const nightly: ConfigurationInput = {
  languages: ["hi"],
  operations: ["daily-horoscope", "daily-tarot", "love-compatibility"],
  pairs: [
    ["aries", "leo"],
    ["leo", "aries"],
  ],
  people: [],
  service: quickService,
};
const renamed = { site: { ...configured.site, name: "Renamed" } };

const at = (back: number) => daysAgo(back).toISOString();
const dateOf = (back: number) => at(back).slice(0, 10);
const quarantined = `daily/${dateOf(1)}/hi/daily-tarot/reading`;

interface Place extends Stores {
  readonly folder: string;
  readonly site: Stores["site"];
  readonly published: PublishedSite;
}

interface Scenario {
  readonly name: string;
  readonly words: string;
  /** Preparation of the site; the same for all kills. */
  readonly prepare?: (place: Place) => Promise<void>;
  /** Whether readers have no complete site before it ends. */
  readonly isBroken?: true;
  /** Whether the next run is the same command again, as its user would run it. */
  readonly again?: true;
  /** Deaths of it in `npm test`, and its share with test:deep. */
  readonly quick?: true;
}

const typed = (place: Place, words: string) =>
  almanac(words.split(" "), { cwd: place.folder, env: envOf(place.folder) });

const scenarios: readonly Scenario[] = [
  {
    name: "render",
    words: "render --yes",
    prepare: (place) => configure(place, renamed),
  },
  { name: "withdraw", words: "withdraw /en/daily-tarot/ --reason complaint", quick: true },
  {
    name: "withdraw --undo",
    words: "withdraw /en/daily-tarot/ --undo",
    prepare: async (place) => void (await typed(place, "withdraw /en/daily-tarot/ --reason complaint")),
  },
  { name: "rollback", words: "rollback 2" },
  { name: "repair", words: "repair --yes", prepare: hurt, isBroken: true, again: true },
  { name: "gc", words: "gc --yes", prepare: age, quick: true },
  { name: "quarantine accept", words: `quarantine accept ${quarantined} --reason whole --by editor --yes` },
  { name: "revalidate --apply", words: "revalidate --apply" },
  { name: "backup", words: "backup file:./copies", again: true },
  {
    name: "restore",
    words: "restore file:./copies",
    prepare: lose,
    isBroken: true,
    again: true,
  },
];

let root: string;
const prepared = new Map<string, { readonly folder: string; readonly writes: number }>();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "almanac-killed-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

function envOf(folder: string) {
  const nowhere = "http://127.0.0.1:9/";
  const endpoints = { english: nowhere, translator: nowhere, legacy: nowhere };
  return {
    ...testClock,
    ...environmentFor({ endpoints, token: "token", apiKey: "key" }), // no command here makes a call
    ALMANAC_CONFIG: join(folder, "almanac.config.ts"),
    ALMANAC_VAULT: pathToFileURL(join(folder, "vault")).href,
    ALMANAC_SITE: pathToFileURL(join(folder, "site")).href,
  };
}

function openPlace(folder: string, more = {}): Place {
  const stores = { site: openFolder(join(folder, "site")), vault: openFolder(join(folder, "vault")) };
  const published = newSite({ ...configuration, ...more }, stores);
  published.setClock(at(0));
  return { folder, ...stores, published };
}

async function configure({ folder }: Place, more = {}): Promise<void> {
  const content = `export default ${JSON.stringify({ ...configuration, ...more })};\n`;
  await writeFile(join(folder, "almanac.config.ts"), content);
}

/** Three nights; an answer of the second was skipped. */
async function template(): Promise<Place> {
  const folder = join(root, "template");
  await mkdir(folder);
  const place = openPlace(folder);
  await configure(place);
  const { published } = place;
  await published.gather(dateOf(3), dateOf(-1));
  const { vault } = published.publishing;
  await vault.displace(quarantined);
  await vault.quarantine({
    format: 1,
    key: quarantined,
    type: "Unfit",
    rule: "language",
    reason: "it is in no language",
    at: at(1),
    tries: 4,
    run: "almanac-nightly",
    address: "http://127.0.0.1/",
    body: storedResponseOf(requestAt(quarantined)).body,
  });
  for (const back of [2, 1, 0]) {
    published.setClock(at(back));
    await published.night();
  }
  return place;
}

let first: Promise<Place> | undefined;

/** The site as this command finds it, created once, and the number of the command's writes without faults. */
async function preparedFor(scenario: Scenario) {
  const before = prepared.get(scenario.name);
  if (before !== undefined) return before;
  const { folder: from } = await (first ??= template());
  const folder = join(root, `before ${scenario.name}`.replaceAll(" ", "-"));
  await cp(from, folder, { recursive: true, preserveTimestamps: true });
  await scenario.prepare?.(openPlace(folder));
  const whole = await copyOf(folder, `whole-${scenario.name}`);
  const { code, writes, stderr } = await killedRun(scenario.words.split(" "), {
    cwd: whole,
    env: envOf(whole),
  });
  if (code !== 0) throw new Error(`${scenario.name} ends with ${code}: ${stderr}`);
  if (writes < 3) throw new Error(`${scenario.name} makes ${writes} writes: it can't be killed between them`);
  await rm(whole, { recursive: true });
  const made = { folder, writes };
  prepared.set(scenario.name, made);
  return made;
}

async function copyOf(folder: string, name: string): Promise<string> {
  const copy = join(root, name.replaceAll(" ", "-"));
  await cp(folder, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

/** The pointer, an object with all that shows it, and some public paths are gone or damaged. */
async function hurt({ site }: Place): Promise<void> {
  const { files } = (await follow(site)) ?? never();
  const pages = [...files.keys()].filter((path) => path.endsWith(".html"));
  for (const path of pages.slice(0, 40)) await damage(site, path);
  await site.remove([pointerPath, ...pages.slice(40, 80)]);
}

/** Makes everything so old that earlier states than the last have expired. */
async function age({ folder }: Place): Promise<void> {
  const old = daysAgo(40);
  for (const kind of ["objects", "manifests"]) {
    const where = join(folder, "site", "v1", kind);
    for (const name of await readdir(where)) await utimes(join(where, name), old, old);
  }
}

async function lose(place: Place): Promise<void> {
  const { code, stderr } = await typed(place, "backup file:./copies");
  if (code !== 0) throw new Error(stderr);
  for (const name of ["vault", "site"]) await rm(join(place.folder, name), { recursive: true });
}

function never(): never {
  throw new Error("nothing is published");
}

async function responsesIn({ vault }: Stores): Promise<Map<string, string>> {
  const kept = [...(await contentOf(vault))].filter(([key]) => key.startsWith("responses/"));
  return new Map(kept.map(([key, body]) => [key, new TextDecoder().decode(body)]));
}

/** Requests that a night would send to the service now. */
async function askedIn({ published }: Place): Promise<Set<string>> {
  const request = { asOf: at(0) };
  const input = { kind: "nightly", request, run: "next", start: "1" } as const;
  return new Set((await planFor(input, published.publishing)).due.map(({ key }) => key));
}

interface Truth {
  readonly responses: ReadonlyMap<string, string>;
  readonly asked: ReadonlySet<string>;
}

/** One life: killed at some point, inspected, and resumed. False if it ended, or had not begun to write. */
async function live(scenario: Scenario, number: number, random: Random, truth: Truth): Promise<boolean> {
  const { folder: from, writes } = await preparedFor(scenario);
  const afterWrites = 1 + Math.floor(random() * (writes - 1));
  const afterMs = random() < 0.5 ? "at once" : 4 * random();
  const what = `${scenario.name}, killed ${afterMs} after write ${afterWrites} of ${writes}`;
  const folder = await copyOf(from, `life-${number}`);
  try {
    const place = openPlace(folder, scenario.name === "render" ? renamed : {});
    const env = { cwd: folder, env: envOf(folder) };
    const died = await killedRun(scenario.words.split(" "), env, { afterWrites, afterMs });
    if (!died.isKilled || died.writes < 1 || died.writes >= writes) return false;
    if (scenario.isBroken !== true) expect(await follow(place.site), what).toBeDefined();
    if (scenario.again === true) {
      const { code, stderr } = await typed(place, scenario.words);
      expect({ code, stderr, what }).toEqual({ code: 0, stderr: expect.any(String), what });
    }
    await place.published.publishDue();
    await place.published.night();
    const seen = (await follow(place.site)) ?? never();
    // A clean-up that died may have removed a part of an expired state before its manifest.
    const twice = scenario.name === "gc" ? [] : await usedTwice(place);
    expect([...(await wrongPaths(place.site, seen)), ...twice], what).toEqual([]);
    const responses = await responsesIn(place);
    for (const [key, body] of truth.responses)
      expect(responses.get(key) === body, `${what}: ${key}`).toBe(true);
    expect((await askedIn(place)).difference(truth.asked), what).toEqual(new Set());
    if (scenario.name === "withdraw") {
      const { note } = await readWithheld(ownOf(place.vault));
      expect(seen.files.has(`v1/en/daily-tarot/${dateOf(0)}.json`), what).toBe(note.withdrawn.length === 0);
    }
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 }); // a lock may still be let go of
  }
}

const deaths = deep ? 440 : 2;

test(
  `${deaths} real deaths between the first and the last write of a command cost nothing`,
  { timeout: 3_600_000 },
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const place = await (first ??= template());
    const truth = { responses: await responsesIn(place), asked: await askedIn(place) };
    const tried = scenarios.filter(({ quick }) => deep || quick === true);
    const counts = new Map(tried.map(({ name }) => [name, 0]));
    for (const scenario of tried) await preparedFor(scenario);
    const each = Math.ceil(deaths / tried.length);
    let number = 0;
    let tries = 0;
    await inParallel(
      tried.flatMap((scenario) => Array.from({ length: each }, () => scenario)),
      async (scenario) => {
        const own = (number += 1); // the other lane counts on
        const random = seededRandom(seed + own);
        for (let once = 0; once < 20; once += 1) {
          tries += 1;
          if (!(await live(scenario, own * 100 + once, random, truth))) continue;
          counts.set(scenario.name, (counts.get(scenario.name) ?? 0) + 1);
          return;
        }
        throw new Error(`${scenario.name} was not killed between its writes in 20 tries`);
      },
      2,
    );
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    console.log(
      `killed (seed ${seed}): ${all} deaths between first and last write, of ${tries} kills: ${[...counts].map(([name, count]) => `${name} ${count}`).join(", ")}`,
    );
    expect(all).toBeGreaterThanOrEqual(deaths);
  },
);

const workers = { worlds: 6, deathsEach: 10 };
const longestMs = 3_000_000;

/** A night whose workers die repeatedly, each after some writes, and a final worker that completes it. */
async function deadlyNight(world: World, random: Random) {
  await world.sandbox.latency({
    english: { fixedMs: 50, jitterMs: 200 },
    translator: { fixedMs: 50, jitterMs: 200 },
  });
  const over = new AbortController();
  const run = await world.nightly();
  const ended = run.result().finally(() => over.abort());
  let kills = 0;
  const states = [];
  for (let counted = 0; counted < workers.deathsEach && !over.signal.aborted;) {
    const [afterWrites, afterMs] = [
      1 + Math.floor(120 * random() ** 2),
      random() < 0.5 ? "at once" : 5 * random(),
    ] as const;
    const place = { cwd: world.folder, env: world.env };
    const died = await killedRun(["worker"], place, { afterWrites, afterMs, over: over.signal });
    if (over.signal.aborted) break;
    if (!died.isKilled) throw new Error(`the worker ended by itself: ${died.stderr}`);
    kills += 1;
    counted += 1;
    states.push({ responses: await responsesOf(world), asked: (await world.sandbox.stats()).byRequest });
  }
  await world.worker();
  const progress = await ended;
  await runPublish(world);
  return { progress, kills, states };
}

test.runIf(deep)(
  `${workers.worlds * workers.deathsEach} real deaths of workers in mid-night lose nothing that was kept, and ask for none of it again`,
  { timeout: longestMs },
  async () => {
    const temporal = await sharedTemporal();
    const seed = Math.floor(Math.random() * 2 ** 32);
    const numbers = Array.from({ length: workers.worlds }, (_, index) => index);
    const lives = await inParallel(
      numbers,
      async (number) => {
        const world = await createWorld(temporal, nightly);
        const life = await deadlyNight(world, seededRandom(seed + number));
        return { world, ...life };
      },
      workers.worlds,
    );
    for (const { world, progress, states } of lives) {
      expect(progress, `seed ${seed}`).toMatchObject({ state: "done", broken: {} });
      expect(countsIn(progress)).toMatchObject({ skipped: 0 });
      expect(await world.held()).toHaveLength(progress.planned);
      const seen = (await follow(world.site)) ?? never();
      const stores = { site: world.site, vault: world.vault.store };
      expect([...(await wrongPaths(world.site, seen)), ...(await usedTwice(stores, world.id))]).toEqual([]);
      const [after, asked] = [await responsesOf(world), (await world.sandbox.stats()).byRequest];
      for (const state of states) {
        for (const [key, { bodyHash }] of state.responses) {
          expect(after.get(key)?.bodyHash, `${key} was kept and is another now`).toBe(bodyHash);
          const calls = (when: typeof asked) => when[sandboxKey(key)]?.calls;
          if (isStable(key)) expect(calls(asked), `${key} was kept and asked again`).toBe(calls(state.asked));
        }
      }
    }
    const kills = lives.reduce((sum, one) => sum + one.kills, 0);
    console.log(`killed (seed ${seed}): ${kills} workers between the first and the last write of a night`);
    expect(kills).toBeGreaterThanOrEqual(workers.worlds * workers.deathsEach);
  },
);
