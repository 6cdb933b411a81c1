// Addresses of stores: their meanings, and errors for wrong ones.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { always } from "../../store/store.ts";
import { openStore, WrongStoreAddress } from "../../store/kinds.ts";
import { startProxy } from "../support/s3-proxy.ts";
import { bytes, keysOf } from "../support/stores.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-open-"));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (address: string) =>
  openStore(address).write("a/b.txt", bytes("here"), { type: "text/plain" }, always);

test("an absolute file address is that folder, created by the first write", async () => {
  await write(`file://${folder}/vault/deep`);
  expect(await readFile(join(folder, "vault/deep/a/b.txt"), "utf8")).toBe("here");
});

test("a relative file address is relative to the working directory", async () => {
  const path = relative(process.cwd(), folder);
  await write(`file:./${path}/vault`);
  await write(`file:${path}/site`);
  expect(await readFile(join(folder, "vault/a/b.txt"), "utf8")).toBe("here");
  expect(await readFile(join(folder, "site/a/b.txt"), "utf8")).toBe("here");
});

test("blanks and letters of any script in a folder's name are taken as they are, and percent signs as in a URL", async () => {
  await write(`file:${folder}/मेरी साइट`);
  await write(`file:${folder}/a%23b`);
  expect(await readFile(join(folder, "मेरी साइट/a/b.txt"), "utf8")).toBe("here");
  expect(await readFile(join(folder, "a#b/a/b.txt"), "utf8")).toBe("here");
  expect(await keysOf(openStore(pathToFileURL(join(folder, "मेरी साइट")).href), "")).toEqual(["a/b.txt"]);
});

test("opening and reading a missing folder creates nothing", async () => {
  const store = openStore(`file:${folder}/vault`);
  expect(await store.read("a.txt")).toBeUndefined();
  expect(await keysOf(store, "")).toEqual([]);
  await store.remove(["a.txt"]);
  expect(await keysOf(openStore(`file:${folder}`), "")).toEqual([]);
  await expect(readFile(join(folder, "vault"))).rejects.toThrow("ENOENT");
});

test.each([
  ["s3://bucket", "s3://bucket"],
  ["s3://bucket/", "s3://bucket"],
  ["s3://my.bucket-1/www.example.org/site", "s3://my.bucket-1/www.example.org/site"],
])("%s is a bucket and a prefix, and nothing is asked of it when it is opened", async (address, place) => {
  // This endpoint makes every call fail.
  const store = openStore(address, { endpoint: "no address" });
  await expect(store.read("a.txt")).rejects.toThrow(`cannot read a.txt in ${place}: `);
});

test("S3 settings reach the bucket, and a folder ignores them", async () => {
  const server = await startProxy();
  server.plan("PUT", { answer: { status: 200, headers: { etag: '"1"' } } });
  vi.stubEnv("AWS_ACCESS_KEY_ID", "id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "key");
  vi.stubEnv("AWS_REGION", "us-east-1");
  const settings = { endpoint: server.endpoint, pathStyle: true, encryption: "AES256" } as const;
  for (const address of ["s3://bucket/site", `file:${folder}`]) {
    await openStore(address, settings).write("a.txt", bytes("here"), { type: "text/plain" }, always);
  }
  expect(server.calls).toMatchObject([{ headers: { "x-amz-server-side-encryption": "AES256" } }]);
  expect(server.calls[0]?.url).toMatch(/^\/bucket\/site\/a\.txt/);
  await server.close();
  vi.unstubAllEnvs();
});

test.each([
  ["", "file:./folder"],
  ["s3:bucket", "s3://bucket/prefix"],
  ["s3://", "3 to 63 lower-case letters"],
  ["s3://Bucket", "3 to 63 lower-case letters"],
  ["s3://my_bucket/site", "3 to 63 lower-case letters"],
  ["s3://bucket//site", "single slashes"],
  ["s3://bucket/../site", "single slashes"],
  ["s3://bucket/a b", "single slashes"],
  ["s3://bucket/site?region=eu", "single slashes"],
  [`s3://bucket/${"p".repeat(121)}`, "at most 120"],
  ["file:", "file:./folder"],
  ["./vault", "Did you mean file:./vault?"],
  ["/srv/site", "Did you mean file:/srv/site?"],
  ["vault", "Did you mean file:vault?"],
  ["file://srv/site", "Did you mean file:///srv/site?"],
  ["file:./a#b", "%23"],
  ["file:./a?b", "%3F"],
])("refuses %j and says what to write", (address, advice) => {
  expect(() => openStore(address)).toThrow(WrongStoreAddress);
  expect(() => openStore(address)).toThrow(advice);
});

test("shows no password from an invalid address", () => {
  const wrong = ["s3://key:hunter2@bucket/x", "s3://key:hun@hunter2@bucket", "https://key:hunter2@[bad"];
  for (const address of wrong) {
    expect(() => openStore(address)).toThrow(/is not a storage URL/);
    expect(() => openStore(address)).not.toThrow(/hunter2/);
  }
});

test("no other file of the product tests an address for its kind", async () => {
  const rooms = ["store", "vault", "service", "publish", "insight", "activities", "worker", "scripts"];
  const files = await Promise.all(
    rooms.map(async (room) => {
      const names = await readdir(room, { recursive: true });
      return names.filter((name) => name.endsWith(".ts")).map((name) => join(room, name));
    }),
  );
  const knowing = await Promise.all(
    files.flat().map(async (file) => {
      const code = await readFile(file, "utf8");
      return /(?:startsWith\(|===? )["'](?:s3|file|memory):/.test(code) ? [file] : [];
    }),
  );
  expect(knowing.flat()).toEqual(["store/kinds.ts"]);
});
