// Tries on a real store all that publishing relies on, for `almanac check`. It writes one throw-away key, which is removed at
// the end whatever happens.
import { type Condition, type Store, StoreFailure, absent, always } from "./store.ts";
import { randomBytes } from "node:crypto";

export interface Probe {
  readonly name:
    | "write"
    | "read back"
    | "delete"
    | "conditional create"
    | "conditional write"
    | "listing"
    | "public read";
  readonly ok: boolean;
  readonly seen: string;
  /** Action to take; undefined if all is well. */
  readonly remedy: string | undefined;
}

export interface ProbeOptions {
  /** The site's address, where readers get the store's files over HTTP. */
  readonly publicUrl?: string;
  /** Whether one publisher at a time stands in for conditions: of two writers at once both may succeed. */
  readonly oneAtATime?: boolean;
}

/** Whether conditional writes were not shown to hold. */
export function lacksConditions(probes: readonly Probe[]): boolean {
  return probes.some(
    ({ name, ok }) => !ok && (name === "conditional create" || name === "conditional write"),
  );
}

/** Action to take if the store ignores conditional writes. */
export const noConditions =
  "this store has no working conditional writes, so two publishers at once can lose one another's night: " +
  "use one that has them (Amazon S3, Cloudflare R2, MinIO, a folder), or set ALMANAC_S3_CONDITIONS=none, which a site's store allows: the lease is in the vault then";
const untrue = "this is no store to keep a site in: look for a cache or a proxy before it, else use another";
const publicTimeoutMs = 10_000; // a web server that needs longer for a small file is no use to readers

/** Thrown by a step of the probe, with what is wrong with the store. */
class Wrong extends Error {
  override readonly name = "Wrong";
  readonly facts: { readonly seen: string; readonly remedy: string };
  constructor(seen: string, remedy: string) {
    super(seen);
    this.facts = { seen, remedy };
  }
}

export async function probe(
  store: Store,
  { publicUrl, oneAtATime = false }: ProbeOptions = {},
): Promise<Probe[]> {
  const key = `probe/${randomBytes(8).toString("hex")}.json`;
  const probes: Probe[] = [];
  const run = async (name: Probe["name"], work: () => Promise<string>) => {
    const result = await judged(name, work);
    probes.push(result);
    return result.ok;
  };
  const at = writing(store, key);
  try {
    if (!(await run("write", () => canWrite(at)))) return probes; // nothing else would say more
    await run("read back", () => readsBack(at));
    await run("delete", () => deletes(at));
    await run("conditional create", () => createsOnce(at));
    await run("conditional write", async () => {
      const current = await writesFromCurrent(at);
      return oneAtATime ? oneWriteAtATime : oneOfTwoWrites(at, current);
    });
    await run("listing", () => lists(at));
    if (publicUrl !== undefined) await run("public read", () => isPublic(at, publicUrl));
  } finally {
    await store.remove([key]).catch(() => {}); // where it cannot, the probe of deleting has said so
  }
  return probes;
}

async function judged(name: Probe["name"], work: () => Promise<string>): Promise<Probe> {
  try {
    return { name, ok: true, seen: await work(), remedy: undefined };
  } catch (error) {
    if (!(error instanceof StoreFailure || error instanceof Wrong)) throw error;
    const { seen, remedy } = error.facts;
    return { name, ok: false, seen, remedy };
  }
}

type ProbedKey = ReturnType<typeof writing>;

/** Writes to the one key; each text is new, so that no write can be taken for the one before. */
function writing(store: Store, key: string) {
  let count = 0;
  const headers = { type: "application/json", cacheControl: "no-store" };
  /** The version is undefined where the write is refused. */
  const write = async (when: Condition) => {
    const text = JSON.stringify({ probe: key, count: (count += 1) });
    const answer = await store.write(key, Buffer.from(text), headers, when);
    return { text, version: answer.kind === "written" ? answer.version : undefined };
  };
  const put = async () => {
    const { text, version } = await write(always);
    if (version === undefined) throw new Wrong("a write without condition was refused", untrue);
    return { text, version };
  };
  const read = async () => {
    const stored = await store.read(key);
    return stored && { text: Buffer.from(stored.body).toString(), version: stored.version };
  };
  return { key, store, write, put, read };
}

async function canWrite(at: ProbedKey) {
  await at.put();
  return `${at.key} was written`;
}

async function readsBack(at: ProbedKey) {
  const { text, version } = await at.put();
  const stored = await at.read();
  if (stored?.text !== text) throw new Wrong("a read after a write does not give what was written", untrue);
  if (stored.version !== version) throw new Wrong("a read gives another version than the write did", untrue);
  return "a read gives at once what was written";
}

async function deletes(at: ProbedKey) {
  await at.store.remove([at.key]);
  if ((await at.read()) !== undefined) throw new Wrong("what was deleted can still be read", untrue);
  return "what was deleted is gone";
}

async function createsOnce(at: ProbedKey) {
  await at.store.remove([at.key]);
  const created = await at.write(absent);
  if (created.version === undefined) {
    throw new Wrong("a create where nothing is was refused", noConditions);
  }
  const again = await at.write(absent);
  if (again.version !== undefined || (await at.read())?.text !== created.text) {
    throw new Wrong("a create where something is was accepted", noConditions);
  }
  return "a create is accepted where nothing is, and refused where something is";
}

const oneWriteAtATime =
  "a conditional write is refused from a stale version; of two at once both might get in, so the lease in the vault lets in one publisher";

async function writesFromCurrent(at: ProbedKey) {
  const stale = await at.put();
  const current = await at.put();
  const lost = await at.write({ kind: "version", version: stale.version });
  if (lost.version !== undefined || (await at.read())?.text !== current.text) {
    throw new Wrong("a conditional write from a version that is no longer there was accepted", noConditions);
  }
  return current.version;
}

async function oneOfTwoWrites(at: ProbedKey, current: string) {
  const now = { kind: "version", version: current } as const;
  const answers = await Promise.all([at.write(now), at.write(now)]);
  const won = answers.filter(({ version }) => version !== undefined).length;
  if (won === 0)
    throw new Wrong("a conditional write from the version that is there was refused", noConditions);
  if (won > 1)
    throw new Wrong("two conditional writes from the same version were both accepted", noConditions);
  return "a conditional write is refused from a stale version, and of two at once from the right one, one is accepted";
}

async function lists(at: ProbedKey) {
  const { text } = await at.put();
  const listed = await Array.fromAsync(
    at.store.list(at.key),
    ({ key, sizeBytes }) => `${key} of ${sizeBytes} bytes`,
  );
  const expected = `${at.key} of ${text.length} bytes`;
  if (listed.join() !== expected) {
    throw new Wrong(`the listing shows ${listed.join(", ") || "nothing"} in place of ${expected}`, untrue);
  }
  return "the listing shows it with its size";
}

async function isPublic(at: ProbedKey, publicUrl: string) {
  const { text } = await at.put();
  const url = `${publicUrl.replace(/\/+$/, "")}/${at.key}`;
  const remedy = `let the web server or CDN at ${publicUrl} serve this store from its root, or correct the site's address`;
  const signal = AbortSignal.timeout(publicTimeoutMs);
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    throw new Wrong(`${url} does not answer: ${reasonOf(error)}`, remedy);
  });
  const body = await response.text();
  if (!response.ok) throw new Wrong(`${url} answers ${response.status}`, remedy);
  if (body !== text) throw new Wrong(`${url} answers something else than was written`, remedy);
  const type = response.headers.get("content-type") ?? "no type";
  if (!type.startsWith("application/json")) {
    throw new Wrong(
      `${url} comes as ${type}`,
      "let it be served as application/json, by the extension .json",
    );
  }
  return `${url} gives it to everyone`;
}

/** An error in one line; where the network failed, with its own reason, which says more than "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
