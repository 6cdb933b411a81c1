import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { languageNames } from "../../readings/tables.ts";
import { checkCloudFront } from "../../worker/checks/notifiers.ts";
import { type CloudFrontSettings, createCloudFront } from "../../worker/notifiers/cloudfront.ts";
import { NotNotified } from "../../worker/notifiers/notifier.ts";
import { awsKeys, startCloudFront, throttled } from "./support/cdn-servers.ts";

const distribution = "EDFDVBD6EXAMPLE";
const proxies = { http: undefined, https: undefined, none: "127.0.0.1" };
const signal = new AbortController().signal;

beforeEach(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", awsKeys.id);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", awsKeys.secret);
  vi.stubEnv("AWS_SESSION_TOKEN", undefined);
  return () => vi.unstubAllEnvs();
});

async function world(by: "tag" | "path" = "tag", tagHeader?: string, siteUrl = "https://almanac.example") {
  const server = await startCloudFront(onTestFinished, distribution, tagHeader);
  const settings: CloudFrontSettings = {
    distribution,
    by,
    siteUrl,
    siteId: "stars",
    proxies,
    endpoint: server.url,
  };
  const shown = { manifest: "a".repeat(64), version: 1 };
  const { tell } = createCloudFront(settings);
  return {
    server,
    settings,
    tell: (items: string[], reference = "r1") => tell({ items, reference, shown, signal }),
  };
}

async function refusalOf(work: Promise<void>): Promise<NotNotified> {
  const error = await work.then(
    () => undefined,
    (one: unknown) => one,
  );
  if (!(error instanceof NotNotified)) throw new Error(`expected NotNotified, got ${String(error)}`);
  expect(String(error)).not.toContain(awsKeys.secret);
  return error;
}

const readingTags = "x-amz-meta-cache-tag";

test("receives tags in one signed call", async () => {
  const { server, tell } = await world("tag", readingTags);
  await tell(["en", "hi.daily-tarot", "shared"]);
  expect(server.invalidations.map(({ items }) => items)).toEqual([
    ["#stars.en", "#stars.hi.daily-tarot", "#stars.shared"],
  ]);
});

test("creates one invalidation for repeated notifications, and another for new changes", async () => {
  const { server, tell } = await world("tag", readingTags);
  await tell(["en"]);
  await tell(["en"]);
  await tell(["en"], "r2");
  expect(server.calls).toHaveLength(3);
  expect(server.invalidations).toHaveLength(2);
});

test("is told paths under the site's own folder, no more at once that end in * than it takes", async () => {
  const { server, tell } = await world("path", undefined, "https://almanac.example/stars");
  await tell([...languageNames, "shared", "own"]);
  const items = server.invalidations.flatMap((one) => one.items);
  expect(items).toEqual(
    expect.arrayContaining([
      "/stars/",
      "/stars/index.html",
      "/stars/sitemap.xml",
      "/stars/hi/*",
      "/stars/v1/hi/*",
      "/stars/assets/*",
      "/stars/favicon.ico",
    ]),
  );
  expect(items).not.toContain("/stars/*");
  expect(server.invalidations).toHaveLength(1 + Math.ceil((2 * languageNames.length + 2) / 15));
});

test("says of throttling that it passes and for how long, and of a refusal what to fix", async () => {
  const { server, settings, tell } = await world("tag", readingTags);
  server.refusals.push(throttled(7));
  expect((await refusalOf(tell(["en"]))).facts).toMatchObject({ again: true, afterMs: 7_000 });
  const elsewhere = createCloudFront({ ...settings, distribution: "EANOTHEREXAMPLE" });
  const refusal = await refusalOf(
    elsewhere.tell({
      shown: { manifest: "a".repeat(64), version: 1 },
      items: ["en"],
      reference: "r",
      signal,
    }),
  );
  expect(refusal.facts).toMatchObject({
    again: false,
    remedy: "check cdn.cloudfront.distribution",
  });
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "another");
  const { facts } = await refusalOf(tell(["en"]));
  expect(facts.seen).toBe(`CloudFront answered 403 (SignatureDoesNotMatch) for distribution ${distribution}`);
  expect(facts.remedy).toBe("check the worker's AWS credentials");
});

test("a check tests whether it can read the tags, and purges nothing", async () => {
  const right = await world("tag", readingTags);
  expect(await checkCloudFront(right.settings)).toMatchObject({ ok: true });
  const without = await world("tag");
  expect(await checkCloudFront(without.settings)).toMatchObject({
    ok: false,
    seen: `distribution ${distribution} reads no cache tags`,
    remedy: 'set its CacheTagConfig to x-amz-meta-cache-tag, or cdn.cloudfront.by to "path"',
  });
  expect(await checkCloudFront({ ...without.settings, by: "path" })).toMatchObject({ ok: true });
  right.server.refusals.push({
    status: 403,
    body: "<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>",
  });
  expect(await checkCloudFront(right.settings)).toMatchObject({
    ok: true,
    seen: expect.stringMatching(/^warning:/),
    remedy: "to check the settings too, allow cloudfront:GetDistributionConfig",
  });
  expect([...right.server.calls, ...without.server.calls].filter((call) => !call.startsWith("GET"))).toEqual(
    [],
  );
});
