// 2,000 states of damage and their repairs: each file in each way, pairs of files, and losses of all files of a kind. `repair`
// (with its remedies), or a withdrawal and then `repair`, and one night give a sound site. A client that has the key never shows a
// forged or withdrawn text, and no public path has one after `repair`; no version is used twice; no page is lost.
import { expect, test } from "vitest";
import { seededRandom } from "../../packages/sandbox/random.ts";
import { deep } from "../support/deep.ts";
import { type Damage, damageOf, ways } from "./support/damages.ts";
import { type Course, history, wrongAfter } from "./support/damaged-site.ts";

const wanted = 2_000;
const quickly = 8;

async function eachFile(): Promise<Damage[]> {
  const past = await history();
  const found: Damage[] = [];
  for (const store of ["site", "vault"] as const) {
    for (const key of past[store].now.keys()) {
      for (const way of ways) {
        const damage = damageOf(store, key, way, past[store], found.length);
        if (damage !== undefined) found.push(damage);
      }
    }
  }
  return found;
}

function pairsOf(singles: readonly Damage[], count: number): Damage[][] {
  const random = seededRandom(18);
  const pick = (from: readonly Damage[]) => from[Math.floor(from.length * random())];
  // Files that lead to many others are damaged more often than the others.
  const leading = singles.filter(({ key }) =>
    /^(v1\/(pointer|manifests)|sites\/almanac\/(lease|record|manifests|decisions|standing|backlog))/.test(
      key,
    ),
  );
  const pairs: Damage[][] = [];
  while (pairs.length < count) {
    const [one, other] = [pick(leading), pick(random() < 0.5 ? leading : singles)];
    if (one !== undefined && other !== undefined && one.key !== other.key) pairs.push([one, other]);
  }
  return pairs;
}

/** All files of one or several kinds, damaged in the same way. */
const losses: readonly RegExp[] = [
  /^site v1\/manifests\//,
  /^site v1\/(manifests\/|pointer)/,
  /^site v1\/objects\//,
  /^site (?!v1\/(manifests|objects|pointer))/,
  /^site v1\/(objects|pointer)/,
  /^site v1\/(?!manifests)/,
  /^vault sites\/almanac\/manifests\//,
  /^vault sites\/almanac\/(record|manifests)\//,
  /^vault sites\/almanac\/record\//,
  /^vault sites\/almanac\/decisions\/[12]/,
  /^vault sites\/almanac\/(record|standing|decisions\/1)/,
  /^(vault sites\/almanac\/record|site v1\/pointer)/,
  /^vault responses\//,
];

function lossesOf(singles: readonly Damage[]): Damage[][] {
  return losses.flatMap((kinds) =>
    (["deleted", "garbage", "emptied"] as const).map((wayOf) =>
      singles.filter(({ store, key, way }) => way === wayOf && kinds.test(`${store} ${key}`)),
    ),
  );
}

/** Combinations where the last published state is unknown, and the pointer is lost or old. */
function meetingsOf(singles: readonly Damage[]): Damage[][] {
  const records = singles.filter(({ key }) => key.startsWith("sites/almanac/record/"));
  const pointers = singles.filter(({ key }) => key === "v1/pointer.json");
  return records.flatMap((record) => pointers.map((pointer) => [record, pointer]));
}

async function statesOfDamage(): Promise<Damage[][]> {
  const singles = await eachFile();
  const states = [...lossesOf(singles), ...meetingsOf(singles), ...singles.map((damage) => [damage])];
  return [...states, ...pairsOf(singles, wanted - states.length)];
}

test.each<Course>(["repair", "withdraw"])(
  "after any damage %s and one night give a sound site, and no reader sees what is not ours",
  async (course) => {
    const all = await statesOfDamage();
    expect(all.length).toBeGreaterThanOrEqual(wanted);
    const every = Math.ceil(all.length / quickly);
    const states = deep ? all : all.filter((_, index) => index % every === (course === "repair" ? 0 : 1));
    const wrong: string[] = [];
    for (const damages of states) wrong.push(...(await wrongAfter(damages, course)));
    console.log(`${states.length} states of damage, then ${course}: ${wrong.length} wrong`);
    expect(wrong).toEqual([]);
  },
  deep ? 3_600_000 : undefined,
);
