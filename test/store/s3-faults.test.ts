// Errors of the S3 store if a bucket can't be used: Amazon's own responses, and no response.
import { execFile } from "node:child_process";
import { inspect, promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Store, StoreFailure, always } from "../../store/store.ts";
import { openS3, type S3Options } from "../../store/s3.ts";
import { type Answer, s3Error, startProxy } from "../support/s3-proxy.ts";
import { bytes, keysOf } from "../support/stores.ts";

const server = await startProxy();

const secret = "hunter2-hunter2";
beforeEach(() => {
  server.clear();
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIAHUNTER2HUNTER2");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secret);
  vi.stubEnv("AWS_SESSION_TOKEN", `session-${secret}`);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  // The current user may have AWS configuration files.
  vi.stubEnv("AWS_CONFIG_FILE", "/nonexistent/config");
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent/credentials");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const limits = { firstWaitMs: 1, attempts: 2 };
const open = (options: Partial<S3Options> = {}) =>
  openS3({
    bucket: "bucket",
    prefix: "site",
    pathStyle: true,
    endpoint: server.endpoint,
    limits,
    ...options,
  });
const write = (store: Store) => store.write("a.json", bytes("{}"), { type: "application/json" }, always);

async function failureOf(doing: Promise<unknown>): Promise<StoreFailure> {
  const error: unknown = await doing.then(
    () => "it did not fail",
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreFailure))
    throw new Error(`no StoreFailure: ${String(error)}`, { cause: error });
  const shown = inspect(error, { depth: 9, showHidden: true });
  expect(shown).not.toMatch(/hunter2|AKIA/i);
  return error;
}

async function answeredWith(answer: Answer): Promise<StoreFailure> {
  server.plan("PUT", { answer });
  return failureOf(write(open()));
}

describe("S3 store, refused", () => {
  test("names the permission that each operation needs", async () => {
    for (const method of ["GET", "PUT", "POST"] as const) {
      server.plan(method, { answer: s3Error(403, "AccessDenied", "Access Denied") });
    }
    const store = open();
    const calls = [store.read("a.json"), write(store), keysOf(store, "en/"), store.remove(["a.json"])];
    const messages = (await Promise.all(calls.map(failureOf))).map(({ message }) => message);
    const denied = "access denied (HTTP 403 AccessDenied: Access Denied)";
    expect(messages).toEqual([
      `cannot read a.json in s3://bucket/site: ${denied}; allow s3:GetObject on it, and s3:ListBucket on the bucket: without it, a missing object looks forbidden`,
      `cannot write a.json in s3://bucket/site: ${denied}; allow s3:PutObject on it, and kms:GenerateDataKey and kms:Decrypt if your own key encrypts the bucket`,
      `cannot list en/ in s3://bucket/site: ${denied}; allow s3:ListBucket on the bucket`,
      `cannot remove a.json in s3://bucket/site: ${denied}; allow s3:DeleteObject on it`,
    ]);
    expect(server.calls).toHaveLength(4); // asking again would not help
  });

  test.each([
    [
      "by a bucket of another region, told in a header",
      {
        ...s3Error(301, "PermanentRedirect", "use another endpoint"),
        headers: { "x-amz-bucket-region": "eu-west-1" },
      },
      "the bucket is in the region eu-west-1",
      "set AWS_REGION=eu-west-1",
    ],
    [
      "by a bucket of another region, told in the answer",
      s3Error(
        400,
        "AuthorizationHeaderMalformed",
        "the region 'us-east-1' is wrong",
        "<Region>eu-west-1</Region>",
      ),
      "the bucket is in the region eu-west-1",
      "set AWS_REGION=eu-west-1",
    ],
    [
      "by a bucket of another region, not told",
      s3Error(307, "TemporaryRedirect"),
      "in another region",
      "set AWS_REGION",
    ],
    ["for credentials that have expired", s3Error(400, "ExpiredToken"), "have expired", "sign in again"],
    ["for its clock", s3Error(403, "RequestTimeTooSkewed"), "clock is wrong", "NTP"],
    [
      "for its key of encryption",
      s3Error(400, "KMS.NotFoundException"),
      "encryption key",
      "ALMANAC_S3_KMS_KEY",
    ],
    [
      "for its checksums",
      s3Error(501, "NotImplemented"),
      "does not support",
      "ALMANAC_S3_CHECKSUMS=when-required",
    ],
    [
      "for a reason that is new",
      s3Error(418, "Teapot", "short and stout"),
      "HTTP 418 Teapot: short and stout",
      "try again",
    ],
    ["by a failure of the store", s3Error(500, "InternalError"), "the store failed", "later"],
  ])("%s, says so and what to do", async (_, answer, seen, remedy) => {
    const { facts } = await answeredWith(answer);
    expect(facts.seen).toContain(seen);
    expect(facts.remedy).toContain(remedy);
  });

  test("shows no details of the request from a refusal", async () => {
    const more = `<StringToSign>${secret}</StringToSign><AWSAccessKeyId>AKIAHUNTER2HUNTER2</AWSAccessKeyId>`;
    const { message } = await answeredWith(
      s3Error(
        403,
        "SignatureDoesNotMatch",
        "the key AKIAHUNTER2HUNTER2 at https://user:hunter2@host\nhunter2",
        more,
      ),
    );
    expect(message).toContain("(HTTP 403 SignatureDoesNotMatch: the key … at https://host)");
  });

  test("corrects its clock after a refusal and continues", async () => {
    const skewed = {
      ...s3Error(403, "RequestTimeTooSkewed"),
      headers: { date: "Sat, 21 Nov 2020 03:05:00 GMT" },
    };
    server.plan("PUT", { answer: skewed }, { answer: { status: 200, headers: { etag: '"1"' } } });
    expect(await write(open())).toMatchObject({ kind: "written" });
    const [first, second] = server.calls.map(({ headers }) => String(headers["x-amz-date"]).slice(0, 6));
    expect(first).not.toBe("202011");
    expect(second).toBe("202011");
  });
});

describe("S3 store and what is no S3", () => {
  test("mistakes no web page for a missing file or an empty list", async () => {
    const page = { headers: { "content-type": "text/html" }, body: "<html><body>hello</body></html>" };
    for (const status of [200, 404]) {
      server.plan("GET", { answer: { ...page, status } });
      expect((await failureOf(open().read("a.json"))).facts.remedy).toContain("correct AWS_ENDPOINT_URL_S3");
      expect((await failureOf(keysOf(open(), ""))).facts.remedy).toContain("correct AWS_ENDPOINT_URL_S3");
    }
    server.plan("GET", { answer: { status: 200 } });
    expect((await failureOf(keysOf(open(), ""))).facts.seen).toContain("not an S3 store");
    server.plan("PUT", { answer: { status: 200 } });
    expect((await failureOf(write(open()))).facts.seen).toContain(
      "not an S3 store (a write was answered without an ETag)",
    );
  });

  test("reports a host name that does not resolve, with the two possible settings", async () => {
    const store = open({ endpoint: "http://nowhere.invalid", pathStyle: false });
    for (const call of [() => store.read("a.json"), () => write(store)]) {
      const { facts } = await failureOf(call());
      expect(facts.seen).toMatch(/does not resolve \(.*bucket\.nowhere\.invalid\)/);
      expect(facts.remedy).toMatch(/AWS_ENDPOINT_URL_S3 .* ALMANAC_S3_PATH_STYLE=1/);
    }
  });

  test("reports a port without a server", async () => {
    const gone = await startProxy();
    await gone.close();
    const store = open({ endpoint: gone.endpoint });
    for (const call of [() => store.read("a.json"), () => write(store)]) {
      const { facts } = await failureOf(call());
      expect(facts.seen).toContain("nothing answers there (connect ECONNREFUSED 127.0.0.1");
      expect(facts.remedy).toContain("check that it is running");
    }
  });

  test("reports a server without TLS", async () => {
    const store = open({ endpoint: server.endpoint.replace("http:", "https:") });
    for (const call of [() => store.read("a.json"), () => write(store)]) {
      const { facts } = await failureOf(call());
      expect(facts.seen).toContain("the TLS connection failed");
      expect(facts.remedy).toContain("with http://");
    }
  });

  test("shows no password that stands in the endpoint's address", async () => {
    const endpoint = server.endpoint.replace("//", `//user:${secret}@`);
    server.plan("GET", "unsent");
    expect((await failureOf(open({ endpoint }).read("a.json"))).facts.seen).toContain("the connection broke");
    const { facts } = await failureOf(open({ endpoint: `user:${secret}@host` }).read("a.json"));
    expect(facts.remedy).toContain("AWS_ENDPOINT_URL_S3");
  });
});

describe("S3 store without its settings", () => {
  test("lists the credentials it looked for, if there are none", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "");
    const { facts } = await failureOf(open().read("a.json"));
    expect(facts.seen).toContain("no credentials");
    expect(facts.remedy).toContain("AWS_PROFILE");
    expect(server.calls).toEqual([]);
  });

  test("requires a region", async () => {
    vi.stubEnv("AWS_REGION", undefined);
    const { facts } = await failureOf(open().read("a.json"));
    expect(facts.seen).toContain("no region is set");
    expect(facts.remedy).toContain("set AWS_REGION");
  });

  test("takes endpoint and region from the SDK's own variables", async () => {
    vi.stubEnv("AWS_ENDPOINT_URL_S3", server.endpoint);
    server.plan("PUT", { answer: { status: 200, headers: { etag: '"1"' } } });
    expect(await write(openS3({ bucket: "bucket", prefix: "", pathStyle: true }))).toMatchObject({
      kind: "written",
    });
    expect(server.calls[0]).toMatchObject({ url: expect.stringMatching(/^\/bucket\/a\.json/) });
    expect(server.calls[0]?.headers.authorization).toContain("/us-east-1/s3/");
  });
});

describe("S3 store in a process of its own", () => {
  const run = async (script: string) => {
    const env = { ...process.env, AWS_ENDPOINT_URL_S3: server.endpoint };
    const words = ["--input-type=module", "--eval", script];
    const { stdout } = await promisify(execFile)(process.execPath, words, { env });
    return stdout.trim();
  };
  const opening = `import { openStore } from ${JSON.stringify(new URL("../../store/kinds.ts", import.meta.url).href)};
    const store = openStore("s3://bucket/site", { pathStyle: true });`;

  test("loads the SDK when the bucket is first used, not before", async () => {
    const loaded = `import { createRequire } from "node:module";
      const loaded = () => Object.keys(createRequire("/").cache).some((path) => path.includes("client-s3"));`;
    server.plan("GET", { answer: s3Error(404, "NoSuchKey") });
    const script = `${opening}${loaded} const before = loaded(); await store.read("a.json"); console.log(before, loaded());`;
    expect(await run(script)).toBe("false true");
  });

  test("keeps no process alive after its last call", async () => {
    server.plan("GET", { answer: s3Error(404, "NoSuchKey") });
    server.plan("PUT", { answer: { status: 200, headers: { etag: '"1"' } } });
    const script = `${opening} await store.read("a.json");
      await store.write("a.json", Buffer.from("{}"), { type: "application/json" }, { kind: "always" });
      const last = performance.now(); process.on("exit", () => console.log(performance.now() - last));`;
    expect(Number(await run(script))).toBeLessThan(4_000); // a connection that is kept would hold it for 5 s
  });
});
