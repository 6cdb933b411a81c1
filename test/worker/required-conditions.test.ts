// A site on a bucket whose server takes conditional writes and ignores conditions: a real S3 server behind a proxy that
// forgets them. The vault is elsewhere, and with the site's lease in it, one process at a time publishes. A vault there is refused.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { pointerPath } from "../../publish/state/state.ts";
import { Leases } from "../../store/lease.ts";
import { openS3 } from "../../store/s3.ts";
import { almanac } from "../support/cli.ts";
import { quickService } from "../support/looks.ts";
import { countsIn, createWorld, until, type World } from "../support/night.ts";
import { forwarded } from "../support/s3-proxy.ts";
import { s3ForTests } from "../support/s3.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const s3 = await s3ForTests();

/** A conditional write is done over again without its condition, since the signature covers that too. */
async function forget(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = "", url = "", headers } = incoming;
  const body = await buffer(incoming);
  if (method !== "PUT" || (headers["if-match"] ?? headers["if-none-match"]) === undefined) {
    const answer = await forwarded({ method, url, headers, body }, s3.endpoint);
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    return;
  }
  const Key = decodeURIComponent(new URL(url, s3.endpoint).pathname).slice(s3.bucket.length + 2);
  const written = await s3.client.putObject({
    Bucket: s3.bucket,
    Key,
    Body: body,
    ContentType: headers["content-type"],
    CacheControl: headers["cache-control"],
  });
  outgoing.writeHead(200, { etag: written.ETag ?? "" }).end();
}

const proxy = createServer((incoming, outgoing) => {
  forget(incoming, outgoing).catch(() => outgoing.destroy());
});
proxy.listen(0, "127.0.0.1");
await once(proxy, "listening");
afterAll(() => proxy.close());
const address = proxy.address();
const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;

async function worldOnBucket(
  prefix: string,
  name: "ALMANAC_SITE" | "ALMANAC_VAULT" = "ALMANAC_SITE",
): Promise<World> {
  const world = await createWorld(temporal, {
    languages: ["en", "hi"],
    operations: ["daily-tarot", "wisdom-reading"],
    service: quickService,
  });
  Object.assign(world.env, s3.variables, {
    AWS_ENDPOINT_URL_S3: endpoint,
    [name]: `s3://${s3.bucket}/${prefix}`,
  });
  return world;
}

test.each(["ALMANAC_SITE", "ALMANAC_VAULT"] as const)(
  "a worker does not start with %s there, and says what would help",
  async (name) => {
    const world = await worldOnBucket("refused", name);
    const ran = await almanac(["worker"], { env: world.env, cwd: world.folder });
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^error: .*creating an existing file was accepted.*ALMANAC_S3_CONDITIONS=none/s,
      ),
    });
  },
);

test("a vault there is refused by worker and commands, with the way out", async () => {
  const world = await worldOnBucket("vault", "ALMANAC_VAULT");
  world.env["ALMANAC_S3_CONDITIONS"] = "none";
  const said = /error: the vault s3:.* ignores conditional writes.*Set ALMANAC_VAULT/;
  for (const word of ["worker", "repair"]) {
    const ran = await almanac([word], { env: world.env, cwd: world.folder });
    expect({ word, ...ran }).toMatchObject({ word, code: 2, stderr: expect.stringMatching(said) });
  }
});

test("with ALMANAC_S3_CONDITIONS=none, a night waits for the one that publishes, and says who that is", async () => {
  const world = await worldOnBucket("alone");
  world.env["ALMANAC_S3_CONDITIONS"] = "none";
  const site = openS3({ bucket: s3.bucket, prefix: "alone", pathStyle: true });
  const at = (...words: string[]) => almanac(words, { env: world.env, cwd: world.folder });
  const log = { warn: () => undefined };
  const leases = new Leases({ store: world.vault.store, where: "test", log });

  await world.worker();
  const lease = await leases.take(`sites/${world.id}/lease.json`, {
    purpose: "another publish",
    maxWaitMs: 60_000,
  });
  const run = await world.nightly();
  await until("everything to be gathered", async () => {
    const { stored, planned } = countsIn(await run.progress());
    return planned > 0 && stored === planned;
  });
  const waiting = /waiting for the lease sites\/[\w-]+\/lease\.json, held by test \(another publish\) since /;
  await until("the night to wait for the site", async () =>
    waiting.test(await readFile(join(world.folder, "worker.log"), "utf8")),
  );
  expect((await run.progress()).published).toEqual([]);
  expect(await site.read(pointerPath)).toBeUndefined();

  await lease.release();
  expect(await run.result()).toMatchObject({ state: "done", broken: {}, skipped: [] });
  expect((await site.read("en/daily-tarot/index.html"))?.body.length).toBeGreaterThan(1_000);
  expect((await site.read("hi/daily-tarot/index.html"))?.body.length).toBeGreaterThan(1_000);
  const done = await at("publish");
  expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^nothing to publish/) });

  expect(await at("repair")).toMatchObject({ code: 0, stdout: expect.stringMatching(/nothing to repair/) });
  const checked = await at("check");
  expect(checked.stdout).toMatch(/site: conditional write +replacing a stale version is refused\. Two/);
  const told = checked.stdout.replaceAll(/\s+/g, " ");
  expect(told).toContain("so the lease in the vault admits one publisher");
  expect(told).toContain("ok workers each queue has a worker");
});
