// Damage to a file by a disk, or by somebody who can write to a store: eight kinds, each deterministic for its seed.
import { seededRandom } from "../../../packages/sandbox/random.ts";
import { always, type Store } from "../../../store/store.ts";
import { bytes, type Content } from "../../support/stores.ts";

export const ways = [
  "deleted",
  "emptied",
  "cut",
  "one bit",
  "another file's",
  "an older version's",
  "altered",
  "garbage",
] as const;
export type Way = (typeof ways)[number];

/** Words that nobody of ours has written. */
export const forgery = "Send your savings to the stars";

/** A store as it is, and as it was. */
export interface Times {
  readonly now: Content;
  readonly before: readonly Content[];
}

export interface Damage {
  readonly store: "site" | "vault";
  readonly key: string;
  readonly way: Way;
  /** Undefined: the file goes. */
  readonly body: Uint8Array | undefined;
}

type Random = () => number;

/** Undefined where this way leaves the file as it is, as of one that has no older version. */
export function damageOf(
  store: Damage["store"],
  key: string,
  way: Way,
  times: Times,
  seed: number,
): Damage | undefined {
  const whole = times.now.get(key);
  if (whole === undefined) return undefined;
  if (way === "deleted") return { store, key, way, body: undefined };
  const body = harmed(key, whole, way, times, seededRandom(seed));
  const isSame = body === undefined || Buffer.compare(body, whole) === 0;
  return isSame ? undefined : { store, key, way, body };
}

function harmed(
  key: string,
  whole: Uint8Array,
  way: Exclude<Way, "deleted">,
  times: Times,
  random: Random,
): Uint8Array | undefined {
  switch (way) {
    case "emptied":
      return new Uint8Array();
    case "cut":
      return whole.slice(0, Math.floor(whole.length * random()));
    case "one bit": {
      const body = whole.slice();
      const at = Math.floor(body.length * random());
      body[at] = (body[at] ?? 0) ^ (1 << Math.floor(8 * random()));
      return body;
    }
    case "another file's":
      return times.now.get(pick(alike(key, times.now), random) ?? "");
    case "an older version's":
      return times.before
        .map((one) => one.get(key))
        .findLast((one) => one !== undefined && !same(one, whole));
    case "altered":
      return altered(whole, random);
    case "garbage":
      return Uint8Array.from({ length: 1 + Math.floor(300 * random()) }, () => Math.floor(256 * random()));
  }
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function pick<Value>(from: readonly Value[], random: Random): Value | undefined {
  return from[Math.floor(from.length * random())];
}

/** The other files of its folder, or all other files if it is the only one there. */
function alike(key: string, content: Content): string[] {
  const folder = key.slice(0, key.lastIndexOf("/") + 1);
  const others = [...content.keys()].filter((one) => one !== key);
  const near = others.filter((one) => one.startsWith(folder));
  return near.length > 0 ? near : others;
}

/** Changes the file but keeps it readable: in JSON another value, in other files other words. */
function altered(whole: Uint8Array, random: Random): Uint8Array {
  const text = new TextDecoder().decode(whole);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const at = Math.floor(text.length * random());
    return bytes(`${text.slice(0, at)}${forgery}${text.slice(at)}`);
  }
  const leaves: Leaf[] = [];
  collect(value, leaves);
  const leaf = pick(leaves, random);
  if (leaf !== undefined) leaf.owner[leaf.name] = anotherValue(leaf.owner[leaf.name], random);
  return bytes(JSON.stringify(value));
}

interface Leaf {
  readonly owner: Record<string, unknown>;
  readonly name: string;
}

function collect(value: unknown, leaves: Leaf[]): void {
  if (!isOwner(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === "object" && inner !== null && Object.keys(inner).length > 0) collect(inner, leaves);
    else leaves.push({ owner: value, name });
  }
}

function isOwner(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function anotherValue(value: unknown, random: Random): unknown {
  if (typeof value === "number") return value + 1 + Math.floor(9 * random());
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return [];
  const isHash = /^[0-9a-f]{64}$/.test(value);
  if (isHash) return (value.startsWith("0") ? "1" : "0") + value.slice(1);
  const isTime = /^\d{4}-\d\d-\d\d/.test(value);
  return isTime ? `2099${value.slice(4)}` : `${forgery}: ${value}`;
}

export async function strike(store: Store, { key, body }: Damage): Promise<void> {
  if (body === undefined) await store.remove([key]);
  else await store.write(key, body, { type: "application/octet-stream" }, always);
}

export function inWords({ store, key, way }: Damage): string {
  return `${store}/${key} ${way}`;
}
