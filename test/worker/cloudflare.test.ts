import { expect, onTestFinished, test } from "vitest";
import { languageNames } from "../../readings/tables.ts";
import { Secret } from "../../service/secret.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { checkCloudflare, checkNotifiers } from "../../worker/checks/notifiers.ts";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { type CloudflareSettings, createCloudflare } from "../../worker/notifiers/cloudflare.ts";
import { NotNotified } from "../../worker/notifiers/notifier.ts";
import { startCloudflare } from "./support/cdn-servers.ts";

const zone = "0123456789abcdef0123456789abcdef";
const token = "cf-secret-token-0123456789";
const proxies = { http: undefined, https: undefined, none: "127.0.0.1" };
const signal = new AbortController().signal;

async function world(by: "tag" | "url", given = token) {
  const server = await startCloudflare(onTestFinished, zone, token);
  const settings: CloudflareSettings = {
    zone,
    by,
    token: () => new Secret(given),
    siteUrl: "https://almanac.example/stars",
    siteId: "stars",
    proxies,
    endpoint: server.url,
  };
  const shown = { manifest: "a".repeat(64), version: 1 };
  const { tell } = createCloudflare(settings);
  return {
    server,
    settings,
    tell: (items: readonly string[]) => tell({ items, reference: "r", shown, signal }),
  };
}

test("receives at most a hundred tags per call", async () => {
  const { server, tell } = await world("tag");
  await tell(["en", "hi.daily-tarot"]);
  expect(server.purges).toEqual([{ tags: ["stars.en", "stars.hi.daily-tarot"] }]);
  await tell(Array.from({ length: 250 }, (_, index) => `en.x${index}`));
  expect(server.purges.slice(1).map(({ tags = [] }) => tags.length)).toEqual([100, 100, 50]);
});

test("receives URLs, and folders as URL prefixes", async () => {
  const { server, tell } = await world("url");
  await tell([...languageNames, "shared"]);
  const files = server.purges.flatMap((one) => one["files"] ?? []);
  expect(files).toContain("https://almanac.example/stars/");
  expect(files).toContain("https://almanac.example/stars/v1/index.json");
  const prefixes = server.purges.flatMap((one) => one["prefixes"] ?? []);
  expect(prefixes).toHaveLength(2 * languageNames.length);
  expect(prefixes).toContain("almanac.example/stars/hi");
  expect(prefixes).toContain("almanac.example/stars/v1/hi");
});

test("says of its limit that it passes and for how long, and of a wrong token what to fix, without the token", async () => {
  const { server, tell } = await world("tag");
  server.refusals.push(server.busy(30));
  const busy = await tell(["en"]).catch((error: unknown) => error);
  expect(busy).toBeInstanceOf(NotNotified);
  expect(busy).toMatchObject({ facts: { again: true, afterMs: 30_000 } });
  server.refusals.push({ status: 502 });
  await expect(tell(["en"])).rejects.toThrow(
    "Cloudflare limits the rate or has an outage. If it persists, check its dashboard",
  );
  const wrong = await world("tag", "another-secret-token");
  const refused = await wrong.tell(["en"]).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    facts: {
      again: false,
      seen: `Cloudflare answered 401 (error 10000) for zone ${zone}`,
      remedy: "check cdn.cloudflare.zone, and that ALMANAC_CLOUDFLARE_TOKEN may purge its cache",
    },
  });
  expect(JSON.stringify([busy, refused, String(busy), String(refused)])).not.toMatch(/secret-token/);
});

test("a check validates the token, and purges nothing", async () => {
  const right = await world("tag");
  expect(await checkCloudflare(right.settings)).toMatchObject({ ok: true });
  const wrong = await world("tag", "another-secret-token");
  expect(await checkCloudflare(wrong.settings)).toMatchObject({ ok: false });
  expect([...right.server.calls, ...wrong.server.calls]).toEqual([
    "GET /client/v4/user/tokens/verify",
    "GET /client/v4/user/tokens/verify",
  ]);
});

test("a check reports a missing token, and an unreachable server with its remedy", async () => {
  const configuration = configurationSchema.parse({ cdn: { cloudflare: { zone } } });
  expect(await checkNotifiers(readEnvironment({}), configuration)).toEqual([
    expect.objectContaining({ ok: false, remedy: "set ALMANAC_CLOUDFLARE_TOKEN where the worker runs" }),
  ]);
  const [port = 0] = await freePorts([undefined]);
  const hub = `http://127.0.0.1:${port}/`;
  const away = configurationSchema.parse({ site: { hub } });
  expect(await checkNotifiers(readEnvironment({}), away)).toEqual([
    {
      name: "hub",
      ok: false,
      seen: `127.0.0.1:${port} does not answer: ECONNREFUSED`,
      remedy: "check that this machine can reach it",
    },
  ]);
  expect(await checkNotifiers(readEnvironment({}), configurationSchema.parse({}))).toEqual([]);
});
