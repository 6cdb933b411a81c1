// Commands whose server is there and does not answer: they name it within seconds, and end with the next step.
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nobodysService, start } from "../support/cli.ts";
import { deep } from "../support/deep.ts";
import { fileEnd, withEnds } from "../support/ends.ts";
import { until } from "../support/night.ts";
import { testDate } from "../support/noon.ts";
import { startProxy } from "../support/s3-proxy.ts";
import { startTemporalProxy } from "../support/temporal-proxy.ts";
import { temporalForTests } from "../support/temporal.ts";
import { siteInFolder } from "./site-in-folder.ts";

const atFileEnd = fileEnd();
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-silent-"));
  const made = await siteInFolder(folder, {
    site: { url: "https://almanac.example" },
    languages: ["en"],
    operations: ["daily-tarot"],
    zones: { en: "UTC" },
  });
  env = { ...made.env, ...nobodysService };
  made.site.setClock(`${testDate}T12:00:00Z`);
  await made.site.gather(testDate, testDate);
  await made.site.night();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A command in its own process, with a function that returns its output. */
function begun(words: readonly string[], more: Readonly<Record<string, string>>) {
  const child = start(words, { env: { ...env, ...more }, cwd: folder });
  const ended = once(child, "close");
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  atFileEnd(async () => void child.kill("SIGKILL"));
  return {
    has: (pattern: RegExp) => until(String(pattern), async () => pattern.exec(said)?.[0]),
    async end() {
      await ended;
      return { said, code: child.exitCode };
    },
  };
}

test.concurrent("a command names a frozen Temporal server within seconds, and ends with the next step", async () => {
  await withEnds(async (atEnd) => {
    const temporal = await temporalForTests({}, atEnd);
    process.kill(temporal.pid(), "SIGSTOP"); // connections open, and nothing is answered
    const lines = deep
      ? ["nightly", "backfill --languages en", "schedule show", "schedule apply", "status", "check"]
      : ["nightly", "status", "check"];
    const away = `Temporal at ${temporal.address} does not answer: Failed to connect before the deadline. Check TEMPORAL_ADDRESS`;
    const at = { TEMPORAL_ADDRESS: temporal.address };
    const ended = lines.map(async (line) => ({ line, ...(await begun(line.split(" "), at).end()) }));
    for (const { line, said, code } of await Promise.all(ended)) {
      const report = said.search(/^waiting for Temporal at \S+ \(since \S+Z, at most 10 s\)$/m);
      expect(report, `${line}: ${said}`).toBeGreaterThanOrEqual(0);
      expect(said.indexOf(temporal.address), line).toBeGreaterThanOrEqual(report);
      const words = said.replaceAll(/\s+/g, " ");
      if (line === "check")
        expect(words).toMatch(/Temporal at \S+ does not answer.*next: check that it is running/);
      else expect(words).toContain(away);
      expect(code, line).toBe(1);
    }
  });
});

test.concurrent("nightly --wait names a Temporal server that freezes during the run, and ends with the next step", async () => {
  await withEnds(async (atEnd) => {
    const temporal = await temporalForTests({}, atEnd);
    const night = begun(["nightly", "--wait"], { TEMPORAL_ADDRESS: temporal.address });
    const [, id = ""] = /about (\S+)\. `/.exec(await night.has(/^waiting since .* about \S+\. `/m)) ?? [];
    process.kill(temporal.pid(), "SIGSTOP");
    await night.has(/^waiting for Temporal at \S+ \(since \S+Z, at most 70 s\)$/m);
    if (!deep) return; // its patience with Temporal is a minute
    const { said, code } = await night.end();
    expect(said).toContain(`RunOutOfSight: Temporal has not responded about ${id} for more than a minute`);
    expect(said).toContain(`follow it with \`almanac status ${id} --watch\``);
    expect(said).not.toMatch(/^ +at /m);
    expect(code).toBe(1);
  });
});

test.concurrent("nightly names a Temporal server that never answers one call, and ends with the next step", async () => {
  await withEnds(async (atEnd) => {
    const temporal = await temporalForTests({}, atEnd);
    const address = await startTemporalProxy(temporal.address, "StartWorkflowExecution", atEnd, "silent");
    const night = begun(["nightly"], { TEMPORAL_ADDRESS: address });
    await night.has(/^waiting for Temporal at \S+ \(since \S+Z, at most 120 s\)$/m);
    if (!deep) return; // two attempts of a minute
    const { said, code } = await night.end();
    expect(said).toContain(
      `TemporalAway: Temporal at ${address} has not answered for more than 120 s; see that`,
    );
    expect(said).not.toMatch(/^ +at /m);
    expect(code).toBe(1);
  });
});

/** A bucket at the endpoint, with the vault and the site. */
const bucketAt = (endpoint: string) => ({
  ALMANAC_VAULT: "s3://bucket/vault",
  ALMANAC_SITE: "s3://bucket/site",
  AWS_ENDPOINT_URL_S3: endpoint,
  ALMANAC_S3_PATH_STYLE: "1",
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "id",
  AWS_SECRET_ACCESS_KEY: "key",
});

test.concurrent("a command names a bucket that takes its calls and never answers, and ends with the next step", async () => {
  await withEnds(async (atEnd) => {
    const { endpoint, plan } = await startProxy(undefined, atEnd);
    for (const method of ["GET", "PUT", "POST"] as const) plan(method, "hang");
    const bucket = bucketAt(endpoint);
    const lines = ["verify", `backup file:${folder}/copy`];
    if (deep) lines.push("gc", "repair", `deploy folder ${folder}/deployed`);
    const all = lines.map((line) => ({ line, command: begun(line.split(" "), bucket) }));
    for (const { line, command } of all) {
      expect(await command.has(/^.+$/m), line).toMatch(
        /^waiting for the store s3:\/\/bucket \(since \S+Z, at most 80 s\)$/,
      );
    }
    if (!deep) return; // a call of five attempts of 15 s
    const [verify] = all;
    const { said, code } = (await verify?.command.end()) ?? {};
    expect(said).toMatch(
      /s3:\/\/bucket\/(vault|site): it took too long \(no response within 15 s\); see whether/,
    );
    expect(code).toBe(1);
  });
});

test.concurrent("a command waits only once for a bucket that never responds", async () => {
  const lines = ["verify", "plan", ...(deep ? ["backup s3://bucket/copy", "quarantine list"] : [])];
  const waiting = lines.map((line) =>
    withEnds(async (atEnd) => {
      const { endpoint, plan, calls } = await startProxy(undefined, atEnd);
      for (const method of ["GET", "PUT", "POST"] as const) plan(method, "unsent");
      const { said, code } = await begun(line.split(" "), bucketAt(endpoint)).end();
      expect(said, line).toMatch(/^error: cannot read .* in s3:\/\/bucket\/(vault|site): /m);
      expect(code, line).toBe(1);
      // Each of the three files that identify a vault or a site was read in five attempts, concurrently.
      const attempts = Map.groupBy(calls, ({ url }) => new URL(url, endpoint).pathname);
      expect([...attempts.keys()].toSorted(), line).toEqual([
        "/bucket/site/v1/marker.json",
        "/bucket/site/v1/pointer.json",
        "/bucket/vault/vault.json",
      ]);
      for (const [path, each] of attempts) expect(each.length, `${line}: ${path}`).toBeLessThanOrEqual(5);
    }),
  );
  await Promise.all(waiting);
});
