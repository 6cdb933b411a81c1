// The S3 store on a real S3 server: features of buckets that other stores lack.
import { S3 } from "@aws-sdk/client-s3";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Store, StoreFailure, absent, always } from "../../store/store.ts";
import { type Call, startProxy } from "../support/s3-proxy.ts";
import { s3ForTests } from "../support/s3.ts";
import { bytes, keysOf, textAt } from "../support/stores.ts";

const s3 = await s3ForTests();

const put = (store: Store, key: string, content = "text") =>
  store.write(key, bytes(content), { type: "text/plain; charset=utf-8" }, always);

describe("S3 store and its bucket", () => {
  test("serves readers the content type and cache rule of each write", async () => {
    const proxy = await startProxy(s3.endpoint);
    const store = s3.open({ endpoint: proxy.endpoint });
    const headers = { type: "text/html; charset=utf-8", cacheControl: "public, max-age=300" };
    await store.write("en/index.html", bytes("<p>"), headers, always);
    await store.read("en/index.html");
    expect(proxy.calls.at(-1)).toMatchObject({
      method: "GET",
      answered: {
        "content-type": headers.type,
        "cache-control": headers.cacheControl,
        "content-length": "3",
      },
    });
  });

  test("gives caches the tags that a file was written with, as metadata, and none without", async () => {
    const proxy = await startProxy(s3.endpoint);
    const store = s3.open({ endpoint: proxy.endpoint });
    const headers = {
      type: "text/html; charset=utf-8",
      tags: ["stars", "stars.en", "stars.en.daily-horoscope"],
    };
    await store.write("en/index.html", bytes("<p>"), headers, always);
    await store.read("en/index.html");
    const tagged = { "x-amz-meta-cache-tag": "stars,stars.en,stars.en.daily-horoscope" };
    expect(proxy.calls.at(-1)).toMatchObject({ method: "GET", answered: tagged });
    await store.write("en/index.html", bytes("<p>"), { type: headers.type }, always);
    await store.read("en/index.html");
    expect(proxy.calls.at(-1)?.answered).not.toHaveProperty("x-amz-meta-cache-tag");
  });

  test("reports the server's time with each response", async () => {
    const told: [string, string][] = [];
    const store = s3.open({ onTime: (address, date) => void told.push([address, date]) });
    await put(store, "time.txt");
    await store.read("time.txt");
    expect(told).toHaveLength(2);
    for (const [address, date] of told) {
      expect(address).toBe(`http://${new URL(s3.endpoint).hostname}`);
      expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(60_000);
    }
  });

  test("stays within its prefix: neighbors in the bucket neither see nor affect each other", async () => {
    const [site, sites, whole] = ["isolated/site", "isolated/sites", ""].map((prefix) => s3.open({ prefix }));
    if (site === undefined || sites === undefined || whole === undefined)
      throw new Error("three were opened");
    await put(site, "a.txt", "site");
    await put(sites, "a.txt", "sites");
    expect(await keysOf(site, "")).toEqual(["a.txt"]);
    expect(await keysOf(sites, "")).toEqual(["a.txt"]);
    expect(await keysOf(whole, "isolated/")).toEqual(["isolated/site/a.txt", "isolated/sites/a.txt"]);
    await site.remove(["a.txt"]);
    expect(await textAt(sites, "a.txt")).toBe("sites");
  });

  test("skips foreign objects, such as folders made by a console", async () => {
    const store = s3.open({ prefix: "strangers" });
    await put(store, "a/b.txt");
    for (const name of ["a/", "no-extension", "a b.txt", "a/.hidden.txt"]) {
      await s3.client.putObject({ Bucket: s3.bucket, Key: `strangers/${name}`, Body: Buffer.alloc(0) });
    }
    expect(await keysOf(store, "")).toEqual(["a/b.txt"]);
  });

  test("removes in calls of a thousand keys at most", async () => {
    const proxy = await startProxy(s3.endpoint);
    const store = s3.open({ endpoint: proxy.endpoint });
    await put(store, "kept.txt");
    await put(store, "old/1100.txt");
    await store.remove(Array.from({ length: 1150 }, (_, index) => `old/${index}.txt`));
    const sizes = proxy.calls
      .filter(({ method }) => method === "POST")
      .map(({ body }) => body.toString().split("<Key>").length - 1);
    expect(sizes).toEqual([1000, 150]);
    expect(await keysOf(store, "")).toEqual(["kept.txt"]);
  });

  test("has its bytes checked on the way there and back, or only where a check is required, by MD5 then", async () => {
    const proxy = await startProxy(s3.endpoint);
    const headersOf = async (checksums: "when-supported" | "when-required" | undefined) => {
      proxy.clear();
      const store = s3.open({ endpoint: proxy.endpoint, checksums });
      await put(store, "a.txt");
      expect(await textAt(store, "a.txt")).toBe("text");
      await store.remove(["a.txt"]);
      expect(await store.read("a.txt")).toBeUndefined();
      const named = /^x-amz-checksum-|^content-md5$/;
      return proxy.calls.map(({ headers }) => Object.keys(headers).find((name) => named.test(name)));
    };
    const [sent, asked] = ["x-amz-checksum-crc32", "x-amz-checksum-mode"];
    expect(await headersOf(undefined)).toEqual([sent, asked, sent, asked]);
    expect(await headersOf("when-supported")).toEqual([sent, asked, sent, asked]);
    expect(await headersOf("when-required")).toEqual([undefined, undefined, "content-md5", undefined]);
    for (const { headers } of proxy.calls) expect(headers).not.toHaveProperty("x-amz-sdk-checksum-algorithm");
  });

  test("requests the configured encryption, and none otherwise", async () => {
    const proxy = await startProxy();
    proxy.plan("PUT", { answer: { status: 200, headers: { etag: '"1"' } } });
    const { endpoint } = proxy;
    await put(s3.open({ endpoint }), "a.txt");
    await put(s3.open({ endpoint, encryption: "AES256" }), "a.txt");
    await put(s3.open({ endpoint, encryption: "aws:kms", kmsKey: "alias/site" }), "a.txt");
    const [algorithm, key] = ["x-amz-server-side-encryption", "x-amz-server-side-encryption-aws-kms-key-id"];
    expect(proxy.calls.map(({ headers }) => [headers[algorithm ?? ""], headers[key ?? ""]])).toEqual([
      [undefined, undefined],
      ["AES256", undefined],
      ["aws:kms", "alias/site"],
    ]);
  });

  test("writes with the headers of the SDK's own client, and signs the same ones", async () => {
    vi.stubEnv("AWS_SESSION_TOKEN", "session");
    const proxy = await startProxy();
    proxy.plan("PUT", { answer: { status: 200, headers: { etag: '"1"' } } });
    const endpoint = `${proxy.endpoint}/base`;
    const sdk = new S3({ endpoint, forcePathStyle: true });
    onTestFinished(() => {
      vi.unstubAllEnvs();
      sdk.destroy();
    });
    const store = s3.open({ endpoint, prefix: "a=b", encryption: "aws:kms", kmsKey: "alias/site" });
    const headers = { type: "text/plain", cacheControl: "no-cache", tags: ["one", "two"] };
    await store.write("a@b/c+d.txt", bytes("text"), headers, { kind: "version", version: '"1"' });
    await store.write("empty.txt", bytes(""), { type: "text/plain" }, absent);
    const encryption = { ServerSideEncryption: "aws:kms", SSEKMSKeyId: "alias/site" } as const;
    const same = { Bucket: s3.bucket, ContentType: "text/plain", ...encryption };
    const more = { CacheControl: "no-cache", Metadata: { "cache-tag": "one,two" }, IfMatch: '"1"' };
    await sdk.putObject({ ...same, ...more, Key: "a=b/a@b/c+d.txt", Body: bytes("text") });
    await sdk.putObject({ ...same, IfNoneMatch: "*", Key: "a=b/empty.txt", Body: bytes("") });
    const [ours, oursEmpty, sdks, sdksEmpty] = proxy.calls.map(withoutCounters);
    expect(ours).toEqual(sdks);
    expect(oursEmpty).toEqual(sdksEmpty);
    expect(ours).toMatchObject({
      path: expect.stringContaining("/base/"),
      "x-amz-security-token": "session",
    });
  });

  /** A call without the parts that differ from call to call. */
  function withoutCounters({ url, headers: { authorization = "", ...headers } }: Call) {
    const changing = /^(?:amz-sdk-|x-amz-date$|user-agent$|connection$)/;
    const [, scope, signed = ""] = /Credential=(\S+), SignedHeaders=(\S+),/.exec(authorization) ?? [];
    return {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => !changing.test(name))),
      path: url.split("?")[0],
      scope,
      signed: signed.split(";").filter((name) => !changing.test(name)),
    };
  }

  test("asks before it sends a large body", async () => {
    const proxy = await startProxy(s3.endpoint);
    const store = s3.open({ endpoint: proxy.endpoint });
    await put(store, "small.txt");
    await put(store, "large.txt", "x".repeat(2 * 1024 * 1024));
    const asked = proxy.calls.map(({ headers, body }) => [headers.expect, body.length]);
    expect(asked).toEqual([
      [undefined, 4],
      ["100-continue", 2 * 1024 * 1024],
    ]);
  });
});

describe("S3 store that may not or cannot", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  /** Failures of each operation. */
  async function failuresOf(store: Store): Promise<string[]> {
    const calls = [store.read("a.txt"), put(store, "a.txt"), keysOf(store, ""), store.remove(["a.txt"])];
    const outcomes = await Promise.allSettled([
      ...calls,
      store.write("a.txt", bytes(""), { type: "text/plain" }, absent),
    ]);
    return outcomes.map((outcome) => {
      if (outcome.status === "fulfilled") return "done";
      return outcome.reason instanceof StoreFailure
        ? outcome.reason.message
        : `no StoreFailure: ${outcome.reason}`;
    });
  }

  test("names a bucket that is not there", async () => {
    for (const message of await failuresOf(s3.open({ bucket: `${s3.bucket}-not`, prefix: "site" }))) {
      expect(message).toMatch(
        / in s3:\/\/almanac-test-\w+-not\/site: the bucket does not exist \(HTTP 404 NoSuchBucket/,
      );
      expect(message).toMatch(/; create it, or correct its name/);
    }
  });

  test.each([
    ["AWS_SECRET_ACCESS_KEY", /: the credentials are refused \(HTTP 403 SignatureDoesNotMatch/],
    [
      "AWS_ACCESS_KEY_ID",
      /: the credentials are refused \(HTTP (?:403 InvalidAccessKeyId|404 XAdminUserNotFound)/,
    ],
  ])("names a wrong %s without showing any part of the credentials", async (variable, code) => {
    const [id = "", key = ""] = [process.env["AWS_ACCESS_KEY_ID"], process.env["AWS_SECRET_ACCESS_KEY"]];
    vi.stubEnv(variable, "wrong-hunter2");
    for (const message of await failuresOf(s3.open())) {
      expect(message).toMatch(code);
      expect(message).toContain("; correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile");
      for (const word of ["hunter2", id, key]) expect(message).not.toContain(word);
    }
  });
});
