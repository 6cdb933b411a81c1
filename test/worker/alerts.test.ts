import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { noopMetricMeter } from "@temporalio/common";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Store, StoreFailure, absent } from "../../store/store.ts";
import { createMetrics } from "../../activities/metrics.ts";
import { Secret } from "../../service/secret.ts";
import { openFolder } from "../../store/folder.ts";
import { openMemory } from "../support/memory.ts";
import { type AlertForm, createAlerts, formFor } from "../../worker/alerts.ts";
import { addressesOf, foldedPaths, mostPaths } from "../../worker/notifiers/webhooks.ts";
import { countedStore } from "../../worker/compose.ts";
import { readerOf } from "../../worker/settings/credentials.ts";
import { createWebhook } from "../../worker/webhook.ts";
import { startCollector } from "../support/collector.ts";

const proxies = { http: undefined, https: undefined, none: "127.0.0.1" };
const now = () => new Date("2026-11-21T03:05:00.000Z");

/** Alerts of one worker; several on one vault are several workers. */
function alertsOn(vault: Store, url: string, form: AlertForm = "json") {
  const lines: object[] = [];
  const line = (facts: object, message: string) => void lines.push({ ...facts, message });
  const log = { info: line, warn: line, error: line };
  const address = () => new Secret(url);
  const webhook = createWebhook({ name: "ALMANAC_ALERT_URL", address, proxies, log });
  const site = { id: "almanac", name: "Stars & <Signs>" };
  return { lines, ...createAlerts({ site, vault, webhook, form, log, now }) };
}

const late = { kind: "night-late", text: "hi is late. Next: `almanac status`.", once: "2026-11-21" } as const;

describe("an alert", () => {
  test("about one subject is sent once, however many workers find it", async () => {
    const { url, received } = await startCollector(onTestFinished);
    const vault = openMemory();
    const workers = [alertsOn(vault, url), alertsOn(vault, url), alertsOn(vault, url)];
    for (const { alert } of [...workers, ...workers]) await alert(late);
    await Promise.all(workers.map((worker) => worker.settled()));
    expect(received.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([
      ["POST", { kind: "night-late", site: "almanac", text: late.text, at: "2026-11-21T03:05:00.000Z" }],
    ]);
    expect(workers.flatMap(({ lines }) => lines)).toEqual([{ alert: "night-late", message: late.text }]);

    await Promise.all(workers.map(({ alert }) => alert({ ...late, once: "2026-11-22" })));
    await Promise.all(workers.map((worker) => worker.settled()));
    expect(received).toHaveLength(2);
  });

  test("in Slack's form calls nobody and links nothing, whatever its text holds", async () => {
    const { url, received } = await startCollector(onTestFinished);
    const { alert, settled } = alertsOn(openMemory(), url, "slack");
    await alert({ kind: "credentials-refused", text: "the service says <!channel> & more" });
    await settled();
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({
      text: "*Stars &amp; &lt;Signs&gt;* (credentials-refused): the service says &lt;!channel&gt; &amp; more",
    });
    expect(formFor(undefined, "hooks.slack.com")).toBe("slack");
    expect(formFor(undefined, "hooks.example.org")).toBe("json");
    expect(formFor("slack", "hooks.example.org")).toBe("slack");
  });

  test("that failed is retried, and then sent by the next worker that finds the problem", async () => {
    const { url, received, statuses } = await startCollector(onTestFinished);
    const vault = openMemory();
    const [one, other] = [alertsOn(vault, `${url}/T0/secret-path`), alertsOn(vault, `${url}/T0/secret-path`)];
    statuses.push(503, 404); // the second attempt gets a 404
    await one.alert(late);
    await one.settled();
    expect(received).toHaveLength(2);
    expect(JSON.stringify(one.lines)).toMatch(
      /ALMANAC_ALERT_URL: cannot notify 127\.0\.0\.1:\d+: it answered 404/,
    );
    await other.alert(late);
    await other.settled();
    expect(received).toHaveLength(3);
    expect(JSON.stringify([one.lines, other.lines])).not.toContain("secret-path");
  });

  test("goes to the address in its file at that time, and never to an unsafe one", async () => {
    const { url, received } = await startCollector(onTestFinished);
    const folder = await mkdtemp(join(tmpdir(), "almanac-alerts-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "alert-url");
    const lines: string[] = [];
    const line = (_: object, message: string) => void lines.push(message);
    const webhook = createWebhook({
      name: "ALMANAC_ALERT_URL",
      address: readerOf({ variable: "ALMANAC_ALERT_URL_FILE", file }),
      proxies,
      log: { info: line, warn: line, error: line },
    });
    await writeFile(file, `${url}/first\n`);
    expect(await webhook.send()).toBe(true);
    await writeFile(file, `${url}/second\n`);
    expect(await webhook.send()).toBe(true);
    expect(received.map((one) => one.url)).toEqual(["/first", "/second"]);
    await writeFile(file, "http://hooks.example.org/secret-path");
    expect(await webhook.send()).toBe(false);
    expect(lines).toEqual([
      "ALMANAC_ALERT_URL: cannot notify: its file contains no https URL. Check the URL",
    ]);
  });

  test("goes nowhere else than to its address: a redirect is not followed", async () => {
    const { url, received, statuses } = await startCollector(onTestFinished);
    const { alert, settled, lines } = alertsOn(openMemory(), url);
    statuses.push(302);
    await alert({ kind: "credentials-accepted", text: "all is well" });
    await settled();
    expect(received.map((one) => one.url)).toEqual(["/"]);
    expect(JSON.stringify(lines)).toContain("it answered 302");
  });

  test("about an unwritable store is sent once an hour, even if the vault itself is unreachable", async () => {
    const { url, received } = await startCollector(onTestFinished);
    const folder = await mkdtemp(join(tmpdir(), "almanac-alerts-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "vault"), "a file where a folder should be");
    const broken = openFolder(join(folder, "vault"));
    const { alert, settled } = alertsOn(broken, url);
    const metrics = createMetrics(noopMetricMeter);
    const vault = countedStore("vault", broken, { metrics, alert, now });
    for (let write = 0; write < 3; write += 1)
      await expect(vault.write("a/b.json", Buffer.from("{}"), { type: "" }, absent)).rejects.toThrow(
        StoreFailure,
      );
    await settled();
    expect(received).toHaveLength(1);
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({
      kind: "store-unwritable",
      text: expect.stringMatching(/^Cannot write to the vault: cannot write .* Next: run `almanac check`/),
    });
  });
});

describe("what was published", () => {
  const addresses = (paths: readonly string[]) => foldedPaths(paths).flatMap(addressesOf).sort();
  const many = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${folder}/daily/aries/${index}/index.html`);

  test("is told path by path, a page as its folder and its file", () => {
    expect(
      addresses(["index.html", "hi/daily/leo/index.html", "v1/hi/daily/latest.json", "sitemap.xml"]),
    ).toEqual([
      "/",
      "/hi/daily/leo/",
      "/hi/daily/leo/index.html",
      "/index.html",
      "/sitemap.xml",
      "/v1/hi/daily/latest.json",
    ]);
  });

  test("is told by language where that has too many paths, and the others stay as they are", () => {
    expect(addresses([...many("hi", mostPaths + 1), "v1/hi/index.json", "en/feed.xml"])).toEqual([
      "/en/feed.xml",
      "/hi/*",
      "/v1/hi/index.json",
    ]);
    expect(addresses(many("hi", mostPaths))).toHaveLength(2 * mostPaths);
  });

  test("is never told as the whole site or all of its data, and nothing is left out, whatever it is", () => {
    const path = fc.oneof(
      fc
        .tuple(fc.constantFrom("en", "hi", "fil", "v1/hi", "v1/fil", "v1", "assets"), fc.nat(400))
        .map(([folder, page]) => `${folder}/page-${page}/index.html`),
      fc.nat(400).map((page) => `sitemap-${page}.xml`),
      fc.constant("index.html"),
    );
    fc.assert(
      fc.property(fc.array(path, { maxLength: 600 }), fc.nat(600), (paths, waiting) => {
        // Some of them may have waited, folded, when the others came.
        const told = addresses([...foldedPaths(paths.slice(0, waiting)), ...paths.slice(waiting)]);
        expect(told).not.toContain("/*");
        expect(told).not.toContain("/v1/*");
        const whole = told.filter((one) => one.endsWith("/*")).map((one) => one.slice(0, -1));
        const single = new Set(told);
        for (const one of paths)
          expect(single.has(`/${one}`) || whole.some((folder) => `/${one}`.startsWith(folder)), one).toBe(
            true,
          );
      }),
      { numRuns: 50 },
    );
  });
});
