// Tries on a real store all that publishing relies on, for `almanac check`. It writes one throw-away key, which is removed at
// the end whatever happens.
import { randomBytes } from "node:crypto";
import { type Condition, type Store, StoreFailure, absent, always } from "./store.ts";

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

interface ProbeOptions {
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
  "this store does not honor conditional writes, so two concurrent publishers could overwrite each other: " +
  "use one that honors them (Amazon S3, Cloudflare R2, MinIO, a folder). For a site's store, you can set ALMANAC_S3_CONDITIONS=none instead";
const untrue =
  "this store is unsuitable for a site. Look for a cache or proxy in front of it, or use another store";
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
    await store.remove([key]).catch(() => {}); // the probe of deleting reports a failure
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
    if (version === undefined) throw new Wrong("an unconditional write was refused", untrue);
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
  if (stored?.text !== text) throw new Wrong("a read after a write returns other content", untrue);
  if (stored.version !== version) throw new Wrong("a read returns another version than the write", untrue);
  return "a read returns written content at once";
}

async function deletes(at: ProbedKey) {
  await at.store.remove([at.key]);
  if ((await at.read()) !== undefined) throw new Wrong("a deleted file can still be read", untrue);
  return "a deleted file is gone";
}

async function createsOnce(at: ProbedKey) {
  await at.store.remove([at.key]);
  const created = await at.write(absent);
  if (created.version === undefined) {
    throw new Wrong("creating a missing file was refused", noConditions);
  }
  const again = await at.write(absent);
  if (again.version !== undefined || (await at.read())?.text !== created.text) {
    throw new Wrong("creating an existing file was accepted", noConditions);
  }
  return "creating a file is accepted if it is missing, and refused if it exists";
}

const oneWriteAtATime =
  "replacing a stale version is refused. Two concurrent writes may both succeed, so the lease in the vault admits one publisher";

async function writesFromCurrent(at: ProbedKey) {
  const stale = await at.put();
  const current = await at.put();
  const lost = await at.write({ kind: "version", version: stale.version });
  if (lost.version !== undefined || (await at.read())?.text !== current.text) {
    throw new Wrong("replacing a stale version was accepted", noConditions);
  }
  return current.version;
}

async function oneOfTwoWrites(at: ProbedKey, current: string) {
  const now = { kind: "version", version: current } as const;
  const answers = await Promise.all([at.write(now), at.write(now)]);
  const won = answers.filter(({ version }) => version !== undefined).length;
  if (won === 0) throw new Wrong("replacing the current version was refused", noConditions);
  if (won > 1) throw new Wrong("two concurrent replacements of one version were both accepted", noConditions);
  return "replacing a stale version is refused, and one of two concurrent replacements succeeds";
}

async function lists(at: ProbedKey) {
  const { text } = await at.put();
  const listed = await Array.fromAsync(
    at.store.list(at.key),
    ({ key, sizeBytes }) => `${key} of ${sizeBytes} bytes`,
  );
  const expected = `${at.key} of ${text.length} bytes`;
  if (listed.join() !== expected) {
    throw new Wrong(`the listing has ${listed.join(", ") || "nothing"} instead of ${expected}`, untrue);
  }
  return "a new file is listed with its size";
}

async function isPublic(at: ProbedKey, publicUrl: string) {
  const { text } = await at.put();
  const url = `${publicUrl.replace(/\/+$/, "")}/${at.key}`;
  const remedy = `configure the web server or CDN at ${publicUrl} to serve this store from its root, or correct site.url`;
  const signal = AbortSignal.timeout(publicTimeoutMs);
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    throw new Wrong(`${url} does not answer: ${reasonOf(error)}`, remedy);
  });
  const body = await response.text();
  if (!response.ok) throw new Wrong(`${url} answers ${response.status}`, remedy);
  if (body !== text) throw new Wrong(`${url} serves other content than was written`, remedy);
  const type = response.headers.get("content-type") ?? "no type";
  if (!type.startsWith("application/json")) {
    throw new Wrong(
      `${url} is served as ${type}`,
      "configure the server to send application/json for .json files",
    );
  }
  return `${url} serves it publicly`;
}

/** An error in one line; where the network failed, with its own reason, which says more than "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
