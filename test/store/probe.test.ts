// The probe of a store: its results for good stores, and for each kind of unusable one.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Condition, type Store, StoreFailure, always, refused } from "../../store/store.ts";
import { kindOf, type StoreSettings } from "../../store/kinds.ts";
import { openFolder } from "../../store/folder.ts";
import { openMemory } from "../support/memory.ts";
import { lacksConditions, probe, type Probe } from "../../store/probe.ts";
import { s3Error, startProxy } from "../support/s3-proxy.ts";
import { s3ForTests } from "../support/s3.ts";
import { keysOf } from "../support/stores.ts";

const s3 = await s3ForTests();
const names = ["write", "read back", "delete", "conditional create", "conditional write", "listing"];

const wrongOf = (probes: readonly Probe[]) => probes.filter(({ ok }) => !ok);

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-probe-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Serves a function's result for each path. */
async function webServer(
  answer: (path: string) => Promise<{ status: number; type: string; body: Uint8Array }>,
) {
  const reply = async (path: string, response: ServerResponse) => {
    const { status, type, body } = await answer(path);
    response.writeHead(status, { "content-type": type }).end(body);
  };
  const server = createServer((request, response) => void reply(request.url ?? "", response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

const serving =
  (store: Store, type = "application/json; charset=utf-8") =>
  async (path: string) => {
    const stored = await store.read(path.slice(1));
    return { status: stored ? 200 : 404, type, body: stored?.body ?? Buffer.from("nothing there") };
  };

describe("a probe", () => {
  test.each([
    ["memory", async () => openMemory()],
    ["a folder", async () => openFolder(await temporaryFolder())],
    ["a bucket", async () => s3.open()],
  ])("finds all well with %s, and leaves nothing there", async (_, open) => {
    const store = await open();
    const probes = await probe(store);
    expect(wrongOf(probes)).toEqual([]);
    expect(probes.map(({ name }) => name)).toEqual(names);
    expect(lacksConditions(probes)).toBe(false);
    expect(await keysOf(store, "")).toEqual([]);
  });

  test("names a missing bucket, and stops there", async () => {
    const probes = await probe(s3.open({ bucket: `${s3.bucket}-not` }));
    expect(probes).toEqual([
      {
        name: "write",
        ok: false,
        seen: expect.stringContaining("the bucket does not exist"),
        remedy: expect.stringContaining("create it"),
      },
    ]);
  });
});

describe("a probe of a store without working conditions", () => {
  /** The memory store with other conditional writes. */
  const judging = (
    judge: (store: Store, key: string, when: Condition) => Promise<Condition | typeof refused>,
  ): Store => {
    const store = openMemory();
    const write: Store["write"] = async (key, body, headers, when) => {
      const judged = await judge(store, key, when);
      return judged.kind === "refused" ? refused : store.write(key, body, headers, judged);
    };
    return { ...store, write };
  };

  test.each([
    ["ignores them", async () => always, ["conditional create", "conditional write"]],
    [
      "obeys only the one for creating",
      async (_: Store, __: string, when: Condition) => (when.kind === "absent" ? when : always),
      ["conditional write"],
    ],
    [
      "looks first and writes later",
      async (store: Store, key: string, when: Condition) => {
        const current = (await store.read(key))?.version;
        const holds =
          when.kind === "always" ||
          (when.kind === "absent" ? current === undefined : current === when.version);
        await new Promise((settle) => setImmediate(settle));
        return holds ? always : refused;
      },
      ["conditional write"],
    ],
    [
      "refuses whatever has one",
      async (_: Store, __: string, when: Condition) => (when.kind === "always" ? when : refused),
      ["conditional create", "conditional write"],
    ],
  ])("that %s names it", async (_, judge, wrong) => {
    const probes = await probe(judging(judge));
    expect(wrongOf(probes).map(({ name }) => name)).toEqual(wrong);
    for (const { remedy } of wrongOf(probes))
      expect(remedy).toMatch(
        /does not honor conditional writes.*you can set ALMANAC_S3_CONDITIONS=none instead/,
      );
    expect(lacksConditions(probes)).toBe(true);
  });
});

describe("a probe of a store that", () => {
  const facts = { key: "a.json", place: "s3://bucket", seen: "access denied", remedy: "allow it" } as const;
  const denied = (doing: "remove" | "list") => {
    throw new StoreFailure({ ...facts, doing });
  };

  test("keeps deleted files reports that", async () => {
    const store: Store = { ...openMemory(), remove: async () => {} };
    expect(wrongOf(await probe(store)).map(({ name }) => name)).toContain("delete");
  });

  test("denies deleting or listing shows the store's own message", async () => {
    const store: Store = {
      ...openMemory(),
      remove: async () => denied("remove"),
      list: () => denied("list"),
    };
    const wrong = wrongOf(await probe(store));
    expect(wrong).toContainEqual({ name: "delete", ok: false, seen: facts.seen, remedy: facts.remedy });
    expect(wrong).toContainEqual({ name: "listing", ok: false, seen: facts.seen, remedy: facts.remedy });
  });

  test("returns old values, or lists nothing, is reported", async () => {
    const store = openMemory();
    let first: Awaited<ReturnType<Store["read"]>>;
    const stale: Store = { ...store, read: async (key) => (first ??= await store.read(key)) };
    expect(wrongOf(await probe(stale)).map(({ name }) => name)).toContain("conditional write");
    const blind: Store = { ...store, list: async function* list() {} };
    expect(wrongOf(await probe(blind))).toMatchObject([
      { name: "listing", seen: expect.stringContaining("has nothing") },
    ]);
  });

  test("fails in a way that no store should lets the failure through", async () => {
    const store: Store = { ...openMemory(), read: () => Promise.reject(new TypeError("our own error")) };
    await expect(probe(store)).rejects.toThrow("our own error");
  });
});

describe("a probe of what readers get", () => {
  const publicOf = async (store: Store, publicUrl: string) => (await probe(store, { publicUrl })).at(-1);

  test("reads it over HTTP as they do", async () => {
    const folder = await temporaryFolder();
    const url = await webServer(async (path) => ({
      status: 200,
      type: "application/json",
      body: await readFile(join(folder, "site", path)),
    }));
    const found = await publicOf(openFolder(join(folder, "site")), `${url}/`);
    expect(found).toMatchObject({
      name: "public read",
      ok: true,
      seen: expect.stringContaining(`${url}/probe/`),
    });
  });

  test.each([
    ["nothing", async () => ({ status: 404, type: "text/html", body: Buffer.from("") }), "answers 404"],
    [
      "another page",
      async () => ({ status: 200, type: "text/html", body: Buffer.from("hi") }),
      "other content",
    ],
  ])("says when they get %s, and where to look", async (_, answer, seen) => {
    const url = await webServer(answer);
    const found = await publicOf(openMemory(), url);
    expect(found).toMatchObject({ ok: false, seen: expect.stringContaining(seen) });
    expect(found?.remedy).toContain(`configure the web server or CDN at ${url} to serve this store`);
  });

  test("reports a wrong content type", async () => {
    const store = openMemory();
    const found = await publicOf(store, await webServer(serving(store, "text/plain")));
    expect(found).toMatchObject({ ok: false, seen: expect.stringContaining("is served as text/plain") });
  });

  test("reports a missing response", async () => {
    const found = await publicOf(openMemory(), "http://127.0.0.1:1");
    expect(found).toMatchObject({ ok: false, seen: expect.stringContaining("does not answer: ") });
  });
});

describe("the check whether strangers can read a vault", () => {
  const address = `s3://${s3.bucket}/vault`;
  const exposureOf = (settings: StoreSettings) => kindOf(address).exposureOf(address, settings);
  const vault = () => exposureOf({ pathStyle: true });
  const allowing = (Action: string, Resource: string) => {
    const Statement = [{ Effect: "Allow", Principal: "*", Action, Resource }];
    const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
    return s3.client.putBucketPolicy({ Bucket: s3.bucket, Policy });
  };

  test("asks the bucket without a key, and leaves nothing there", async () => {
    expect(await vault()).toMatchObject({ kind: "private", seen: expect.stringContaining("are refused") });
    const arn = `arn:aws:s3:::${s3.bucket}`;
    for (const [action, resource, seen] of [
      ["s3:GetObject", `${arn}/*`, "anyone can read s3://"],
      ["s3:ListBucket", arn, "anyone can list s3://"],
    ] as const) {
      await allowing(action, resource);
      const exposure = { kind: "public", seen: expect.stringContaining(seen) };
      const remedy = `remove the public policy or access list from the bucket ${s3.bucket}, or move ALMANAC_VAULT to a separate bucket`;
      expect(await vault()).toEqual({ ...exposure, seen: expect.stringContaining(seen), remedy });
    }
    await s3.client.deleteBucketPolicy({ Bucket: s3.bucket }); // follows the remedy
    expect(await vault()).toMatchObject({ kind: "private" });
    expect(await keysOf(s3.open({ prefix: "vault" }), "")).toEqual([]);
  });

  test("leaves the answer to the operator if the server neither allows nor refuses", async () => {
    const proxy = await startProxy(s3.endpoint);
    proxy.plan("GET", { answer: s3Error(404, "NoSuchBucket") });
    const exposure = await exposureOf({ pathStyle: true, endpoint: proxy.endpoint });
    const remedy = "check yourself that nobody else can read it";
    expect(exposure).toEqual({
      kind: "unknown",
      seen: expect.stringContaining("answered with NoSuchBucket"),
      remedy,
    });
  });
});
