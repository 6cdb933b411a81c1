// The S3 store on a bad way to a real server: lost answers, conflicts, throttling, silence.
import { createServer } from "node:http";
import { promisify } from "node:util";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Condition, type Store, StoreFailure, absent, always, LeaseLost } from "../../store/store.ts";
import { createFence, fenced } from "../../store/lease.ts";
import { s3Limits } from "../../store/s3-client.ts";
import { listen } from "../support/ends.ts";
import { s3Error, startProxy } from "../support/s3-proxy.ts";
import { s3ForTests } from "../support/s3.ts";
import { bytes, keysOf, textAt } from "../support/stores.ts";

const s3 = await s3ForTests();
const proxy = await startProxy(s3.endpoint);

const limits = { firstWaitMs: 2 };
let prefixes = 0;
let store: Store;
/** The same bucket through an undisturbed connection. */
let direct: Store;
beforeEach(() => {
  proxy.clear();
  const prefix = `attempts/${(prefixes += 1)}`;
  store = s3.open({ prefix, endpoint: proxy.endpoint, limits });
  direct = s3.open({ prefix });
});

const headers = { type: "application/json" };
const write = (by: Store, content: string, when: Condition, key = "a.json") =>
  by.write(key, bytes(content), headers, when);
const versionOf = async (by: Store) => (await by.read("a.json"))?.version ?? "nothing is there";

async function failureOf(doing: Promise<unknown>): Promise<StoreFailure> {
  const error: unknown = await doing.then(
    () => "it did not fail",
    (reason: unknown) => reason,
  );
  if (error instanceof StoreFailure) return error;
  throw new Error(`no StoreFailure: ${String(error)}`, { cause: error });
}

const conflict = { answer: s3Error(409, "ConditionalRequestConflict") };
const slowDown = { answer: s3Error(503, "SlowDown", "Please reduce your request rate.") };
const internalError = { answer: s3Error(500, "InternalError", "We encountered an internal error.") };

describe("a write whose response was lost", () => {
  test("is recognized as our own after a creation", async () => {
    proxy.plan("PUT", "lost", "pass");
    const written = await write(store, "mine", absent);
    expect(written).toEqual({ kind: "written", version: await versionOf(direct) });
    expect(await textAt(direct, "a.json")).toBe("mine");
    expect(proxy.methods()).toBe("PUT PUT GET");
  });

  test("is recognized as our own after a swap", async () => {
    await write(direct, "old", always);
    const version = await versionOf(direct);
    proxy.plan("PUT", "lost", "lost", "pass");
    const written = await write(store, "mine", { kind: "version", version });
    expect(written).toEqual({ kind: "written", version: await versionOf(direct) });
    expect(await textAt(direct, "a.json")).toBe("mine");
  });

  test("is recognized if the server executed it and reported a failure", async () => {
    proxy.plan("PUT", { ...internalError, done: true }, "pass");
    expect(await write(store, "mine", absent)).toMatchObject({ kind: "written" });
  });

  test("is recognized even if reading back fails at first", async () => {
    proxy.plan("PUT", "lost", "pass");
    proxy.plan("GET", "unsent", slowDown, "half", "pass");
    expect(await write(store, "mine", absent)).toMatchObject({ kind: "written" });
  });

  test("is recognized if no response arrived in time", async () => {
    const hasty = s3.open({ endpoint: proxy.endpoint, limits: { ...limits, attemptMs: 500 } });
    proxy.plan("PUT", "silent", "pass");
    expect(await write(hasty, "mine", absent)).toMatchObject({ kind: "written" });
    // A slow machine may exceed the short limit more than once.
    expect(proxy.methods()).toMatch(/^PUT( PUT GET)+$/);
  });

  test("is refused if others' bytes are there, whether it was executed or not", async () => {
    proxy.plan("PUT", "unsent", { after: () => write(direct, "others", always) });
    expect(await write(store, "mine", absent)).toEqual({ kind: "refused" });
    proxy.plan("PUT", "lost", { after: () => write(direct, "built on mine", always) });
    const version = await versionOf(direct);
    expect(await write(store, "mine", { kind: "version", version })).toEqual({ kind: "refused" });
    expect(await textAt(direct, "a.json")).toBe("built on mine");
  });

  test("is refused if the file no longer exists", async () => {
    await write(direct, "old", always);
    const version = await versionOf(direct);
    proxy.plan("PUT", "lost", { after: () => direct.remove(["a.json"]) });
    expect(await write(store, "mine", { kind: "version", version })).toEqual({ kind: "refused" });
  });

  test("counts as written if another writer put the same bytes, because only the state is promised", async () => {
    proxy.plan("PUT", "unsent", { after: () => write(direct, "equal", absent) });
    expect(await write(store, "equal", absent)).toMatchObject({ kind: "written" });
  });
});

describe("a write that was refused", () => {
  test("at its first attempt is lost, even if the same bytes are there, and nothing is read back", async () => {
    await write(direct, "equal", always);
    expect(await write(store, "equal", absent)).toEqual({ kind: "refused" });
    expect(proxy.methods()).toBe("PUT");
  });

  test("after attempts that the server said no to is lost as well", async () => {
    proxy.plan(
      "PUT",
      conflict,
      { answer: s3Error(400, "RequestTimeout") },
      {
        after: () => write(direct, "equal", always),
      },
    );
    expect(await write(store, "equal", absent)).toEqual({ kind: "refused" });
    expect(proxy.methods()).toBe("PUT PUT PUT");
  });

  test("as a version that is no longer there is lost, where the server answers 404 as Amazon does", async () => {
    proxy.plan("PUT", { answer: s3Error(404, "NoSuchKey") });
    expect(await write(store, "mine", { kind: "version", version: '"1"' })).toEqual({ kind: "refused" });
    expect((await failureOf(write(store, "mine", always))).message).toContain("404 NoSuchKey");
  });
});

describe("a call with a transient failure", () => {
  const passing = [slowDown, conflict, internalError, "unsent"] as const;

  test("is repeated, whatever its operation", async () => {
    proxy.plan("PUT", ...passing, "pass");
    expect(await write(store, "mine", always)).toMatchObject({ kind: "written" });
    proxy.plan("GET", ...passing, "pass");
    expect(await textAt(store, "a.json")).toBe("mine");
    proxy.plan("GET", ...passing, "pass");
    expect(await keysOf(store, "")).toEqual(["a.json"]);
    proxy.plan("POST", ...passing, "pass");
    await store.remove(["a.json"]);
    expect(await direct.read("a.json")).toBeUndefined();
    expect(proxy.calls).toHaveLength(4 * 5);
  });

  test("is repeated if the response breaks off, and half a response never counts", async () => {
    await write(direct, "x".repeat(10_000), always);
    proxy.plan("GET", "half", "half", "pass");
    expect((await store.read("a.json"))?.body.length).toBe(10_000);
    proxy.plan("GET", "half", "half", "pass");
    expect(await keysOf(store, "")).toEqual(["a.json"]);
    proxy.plan("GET", "half");
    expect((await failureOf(store.read("a.json"))).facts.seen).toMatch(/^the connection broke/);
    expect((await failureOf(keysOf(store, ""))).facts.seen).toMatch(/^the connection broke/);
  });

  test("is repeated if the bytes were damaged in transit", async () => {
    await write(direct, "undamaged", always);
    const damaged = { "content-type": "application/json", etag: '"1"', "x-amz-checksum-crc32": "AAAAAA==" };
    proxy.plan("GET", { answer: { status: 200, headers: damaged, body: "damaged" } }, "pass");
    expect(await textAt(store, "a.json")).toBe("undamaged");
  });

  test("is repeated if a write's success contains an error", async () => {
    const { body } = s3Error(200, "InternalError");
    proxy.plan("PUT", { answer: { status: 200, headers: { etag: '"1"' }, body } }, "pass");
    expect(await write(store, "mine", always)).toEqual({
      kind: "written",
      version: await versionOf(direct),
    });
  });

  test("fails after five attempts, with the remedy", async () => {
    proxy.plan("PUT", slowDown);
    const failure = await failureOf(write(store, "mine", always));
    expect(failure.message).toBe(
      `cannot write a.json in s3://${s3.bucket}/attempts/${prefixes}: the store limits the rate ` +
        "(HTTP 503 SlowDown: Please reduce your request rate.); lower the concurrency, or try again later",
    );
    expect(proxy.calls).toHaveLength(5);
  });

  test("waits longer each time", async () => {
    const started = performance.now();
    const patient = s3.open({ endpoint: proxy.endpoint, limits: { firstWaitMs: 40, attempts: 4 } });
    proxy.plan("PUT", slowDown);
    await failureOf(write(patient, "mine", always));
    expect(performance.now() - started).toBeGreaterThan(0.5 * (40 + 80 + 160));
  });

  test("waits a second if the server allows one write per second and key", async () => {
    const started = performance.now();
    const patient = s3.open({ endpoint: proxy.endpoint, limits: { firstWaitMs: 2 } });
    proxy.plan("PUT", { answer: s3Error(429, "TooManyRequests") }, "pass");
    expect(await write(patient, "mine", always)).toMatchObject({ kind: "written" });
    expect(performance.now() - started).toBeGreaterThan(990);
  });
});

describe("a server that is silent", () => {
  test.each(["hang", "stall"] as const)("is not waited for, and is named (%s)", async (fault) => {
    await write(direct, "x".repeat(10_000), always);
    const prefix = `attempts/${prefixes}`;
    const hasty = s3.open({
      prefix,
      endpoint: proxy.endpoint,
      limits: { ...limits, attemptMs: 1_000, attempts: 2 },
    });
    for (const method of ["GET", "PUT", "POST"] as const) proxy.plan(method, fault);
    const calls: Promise<unknown>[] = [hasty.read("a.json"), keysOf(hasty, ""), hasty.remove(["b.json"])];
    if (fault === "hang") calls.push(write(hasty, "mine", absent)); // the answer to a write has no body to stop in
    for (const failure of await Promise.all(calls.map(failureOf))) {
      expect(failure.message).toMatch(/: it timed out \(no response within 1 s\); check the network/);
    }
    expect(proxy.calls).toHaveLength(2 * calls.length);
  });
});

describe("a server that hangs now and then", () => {
  const hasty = { ...limits, attemptMs: 60_000, hastyMs: 100 };

  test("costs a read, a listing and a write the time that answers take there, and not that of a whole attempt", async () => {
    const weak = s3.open({ endpoint: proxy.endpoint, limits: hasty });
    expect(await write(weak, "mine", absent)).toMatchObject({ kind: "written" });
    const began = performance.now();
    for (const method of ["GET", "PUT"] as const) proxy.plan(method, "hang", "pass");
    expect(await textAt(weak, "a.json")).toBe("mine");
    expect(await write(weak, "yours", always, "b.json")).toMatchObject({ kind: "written" });
    proxy.plan("GET", "hang", "hang", "pass");
    expect(await keysOf(weak, "")).toEqual(["a.json", "b.json"]);
    proxy.plan("PUT", "silent", "pass");
    expect(await write(weak, "mine again", absent, "c.json")).toMatchObject({ kind: "written" });
    expect(performance.now() - began).toBeLessThan(hasty.attemptMs);
  });

  test("waits the full time for a removal, because a repeat could remove a newer write", async () => {
    const weak = s3.open({ endpoint: proxy.endpoint, limits: { ...hasty, attemptMs: 600 } });
    await write(weak, "mine", absent);
    proxy.plan("POST", "silent", "pass");
    const began = performance.now();
    await weak.remove(["a.json"]);
    expect(performance.now() - began).toBeGreaterThan(590);
  });
});

describe("a fenced write", () => {
  /** A fence of a lease that lets so many attempts begin, and the lifetimes that it was asked for. */
  function fenceFor(attempts = Infinity) {
    const asked: number[] = [];
    const ends: (() => void)[] = [];
    const loss = Promise.withResolvers<never>();
    const lease = {
      async enough(ms: number) {
        asked.push(ms);
        if (asked.length > attempts) await loss.promise;
      },
    };
    const after = (_: number, then: () => void) => {
      ends.push(then);
      return () => {};
    };
    const fence = createFence(lease, { after });
    return {
      fence,
      asked,
      lose: () => loss.reject(new LeaseLost("sites/almanac/lease.json", "another process has it")),
      /** Ends the lifetime of all attempts. */
      passLifetimes: () => ends.splice(0).forEach((end) => end()),
    };
  }
  const isIdle = async ({ idle }: { idle: () => Promise<void> }) => {
    const later = new Promise((settle) => setImmediate(settle, "busy"));
    return (await Promise.race([idle().then(() => "idle"), later])) === "idle";
  };

  test("checks the fence before each attempt, for the lifetime of one", async () => {
    const { fence, asked } = fenceFor();
    proxy.plan("PUT", "unsent", slowDown, "pass");
    expect(await write(fenced(store, fence), "mine", always)).toMatchObject({ kind: "written" });
    expect(asked).toEqual([s3Limits.fencedMs, s3Limits.fencedMs, s3Limits.fencedMs]);
  });

  test("is not tried again after the lease has ended", async () => {
    const { fence, asked, lose } = fenceFor(1);
    proxy.plan("PUT", slowDown, "pass");
    const writing = expect(write(fenced(store, fence), "mine", always)).rejects.toThrow(LeaseLost);
    await expect.poll(() => asked.length).toBe(2);
    lose();
    await writing;
    expect(proxy.methods()).toBe("PUT");
    expect(await direct.read("a.json")).toBeUndefined();
  });

  test("keeps the fence busy for the lifetime of an unanswered attempt, even if the next one succeeded", async () => {
    const { fence, passLifetimes } = fenceFor();
    proxy.plan("PUT", "lost", "pass");
    await write(fenced(store, fence), "mine", always);
    expect(await isIdle(fence)).toBe(false);
    passLifetimes();
    await fence.idle();
  });

  test("that was abandoned keeps the fence busy until its response arrives", async () => {
    const { fence } = fenceFor();
    const hasty = s3.open({ endpoint: proxy.endpoint, limits: { ...limits, hastyMs: 100 } });
    await write(hasty, "known answer times", always, "other.json");
    const answer = Promise.withResolvers<void>();
    proxy.plan("PUT", { after: () => answer.promise }, "pass");
    await write(fenced(hasty, fence), "mine", always);
    expect(await isIdle(fence)).toBe(false);
    answer.resolve();
    await fence.idle();
  });

  test("leaves the fence idle once each attempt has been answered, also by a refusal", async () => {
    const { fence } = fenceFor();
    proxy.plan("PUT", conflict, { answer: s3Error(429, "TooManyRequests") }, "pass");
    await write(fenced(store, fence), "mine", absent);
    expect(await write(fenced(store, fence), "yours", absent)).toEqual({ kind: "refused" });
    expect(await isIdle(fence)).toBe(true);
  });

  test("ends within its lifetime, connection included", async () => {
    const { fence } = fenceFor();
    const short = { ...limits, attemptMs: 60_000, fencedMs: 300, attempts: 1 };
    const weak = s3.open({ endpoint: proxy.endpoint, limits: short });
    proxy.plan("PUT", "hang");
    const { seen } = (await failureOf(write(fenced(weak, fence), "mine", always))).facts;
    expect(seen).toContain("it timed out (no response within 0.3 s)");
  });
});

describe("an abandoned call", () => {
  const hasty = { attemptMs: 300, attempts: 1 };

  test("leaves no connection to a server that never responds", async () => {
    const silent = createServer(() => undefined);
    const port = await listen(silent, (end) => onTestFinished(end));
    const lost = s3.open({ endpoint: `http://127.0.0.1:${port}`, limits: hasty });
    await Promise.all([failureOf(write(lost, "mine", always)), failureOf(lost.read("a.json"))]);
    const connections = () => promisify(silent.getConnections.bind(silent))();
    await expect.poll(connections).toBe(0);
  });

  test("is never sent if the credentials arrive too late", async () => {
    const giving = Promise.withResolvers<void>();
    const Expiration = new Date(Date.now() + 3_600_000).toISOString();
    const given = JSON.stringify({ AccessKeyId: "test", SecretAccessKey: "test", Token: "test", Expiration });
    const helper = createServer((_, answer) => {
      void giving.promise.then(() => answer.end(given));
    });
    const port = await listen(helper, (end) => onTestFinished(end));
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) vi.stubEnv(name, undefined);
    vi.stubEnv("AWS_CONTAINER_CREDENTIALS_FULL_URI", `http://127.0.0.1:${port}/`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const late = s3.open({ endpoint: proxy.endpoint, limits: hasty });
    const failure = await failureOf(write(late, "mine", always));
    expect(failure.message).toContain("no response within 0.3 s");
    giving.resolve();
    // The server refuses these credentials, which is an answer.
    const seen = async () => (await failureOf(late.read("a.json"))).facts.seen;
    await expect.poll(seen).toContain("credentials are refused");
    expect(proxy.methods()).toMatch(/^GET( GET)*$/);
  });
});

describe("a removal", () => {
  const result = (...errors: string[]) =>
    ({ status: 200, body: `<DeleteResult>${errors.join("")}</DeleteResult>` }) as const;
  const notRemoved = (key: string, code: string) =>
    `<Error><Key>attempts/${prefixes}/${key}</Key><Code>${code}</Code><Message>why</Message></Error>`;

  test("repeats only the keys that were not removed", async () => {
    for (const key of ["a.json", "b.json", "c.json"]) await write(direct, key, always, key);
    proxy.plan(
      "POST",
      { answer: result(notRemoved("b.json", "InternalError"), notRemoved("c.json", "SlowDown")), done: true },
      "pass",
    );
    await store.remove(["a.json", "b.json", "c.json"]);
    const [first, second] = proxy.calls.map(({ body }) => body.toString());
    expect(first).toContain("a.json");
    expect(second).toMatch(/b\.json.*c\.json/);
    expect(second).not.toContain("a.json");
    expect(await keysOf(direct, "")).toEqual([]);
  });

  test("counts a key that somebody else removed as removed", async () => {
    proxy.plan("POST", { answer: result(notRemoved("b.json", "NoSuchKey")) });
    await store.remove(["a.json", "b.json"]);
    expect(proxy.calls).toHaveLength(1);
  });

  test("fails and names a key that may not be removed", async () => {
    proxy.plan("POST", {
      answer: result(notRemoved("b.json", "AccessDenied"), notRemoved("c.json", "AccessDenied")),
    });
    const failure = await failureOf(store.remove(["a.json", "b.json", "c.json"]));
    expect(failure.message).toMatch(
      /^cannot remove a\.json and 2 more in .*: access denied \(.*b\.json: AccessDenied, why; and 1 more\); allow s3:DeleteObject/,
    );
    expect(proxy.calls).toHaveLength(1);
  });
});

describe("a listing", () => {
  const page = (inner: string) => ({
    answer: { status: 200, body: `<ListBucketResult>${inner}</ListBucketResult>` },
  });
  const entry = (key: string) =>
    `<Contents><Key>attempts/${prefixes}/${key}</Key><LastModified>2026-11-21T03:05:00Z</LastModified><Size>1</Size></Contents>`;

  test.each([
    [
      "ends without saying how to go on",
      "<IsTruncated>true</IsTruncated>",
      "a truncated listing with no new continuation token",
    ],
    ["does not report whether it is complete", "", "a listing that does not report whether it is complete"],
  ])("that %s throws, and gives nothing of what it had", async (_, flag, reason) => {
    proxy.plan("GET", page(`${entry("a.json")}${flag}`));
    const given: string[] = [];
    const listing = async () => {
      for await (const { key } of store.list("")) given.push(key);
    };
    expect((await failureOf(listing())).facts.seen).toContain(`the server is not an S3 store (${reason})`);
    expect(given).toEqual([]);
  });

  test("that goes in circles throws", async () => {
    const more = "<IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>";
    proxy.plan("GET", page(entry("a.json") + more));
    expect((await failureOf(keysOf(store, ""))).message).toContain("a truncated listing");
  });

  test("that fails at its second page throws", async () => {
    const more = "<IsTruncated>true</IsTruncated><NextContinuationToken>next</NextContinuationToken>";
    proxy.plan("GET", page(entry("a.json") + more), { answer: s3Error(403, "AccessDenied") });
    expect((await failureOf(keysOf(store, ""))).facts.seen).toMatch(/^access denied/);
  });
});
