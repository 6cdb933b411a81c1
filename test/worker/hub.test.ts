// A feed's path through a hub: a subscriber finds the hub in a published feed and subscribes, a night is published, the hub is
// notified, fetches the feed from the site, and forwards it.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { publish } from "../../publish/publish.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { createHub } from "../../worker/notifiers/webhooks.ts";
import { createNotifying } from "../../worker/notifiers/notifying.ts";
import { startPublishedServer } from "../../worker/site-server.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { newSite } from "../publish/support/published-site.ts";
import { listen } from "../support/ends.ts";

const proxies = { http: undefined, https: undefined, none: "127.0.0.1" };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function serving(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => void handle(request, response));
  return `http://127.0.0.1:${await listen(server)}/`;
}

/** A hub by the W3C's recommendation: subscribers must answer a challenge first. */
function startHub(fetched: string[]): Promise<string> {
  const callbacks = new Map<string, string>();
  return serving(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    const callback = form.get("hub.callback") ?? "";
    const topic = form.get("hub.topic") ?? "";
    response.writeHead(form.get("hub.mode") === "subscribe" ? 202 : 204).end();
    if (form.get("hub.mode") === "subscribe") {
      const asked = new URLSearchParams({
        "hub.mode": "subscribe",
        "hub.topic": topic,
        "hub.challenge": "riddle",
      });
      const answer = await fetch(`${callback}?${asked.toString()}`);
      if ((await answer.text()) === "riddle") callbacks.set(topic, callback);
      return;
    }
    for (const changed of form.getAll("hub.url")) {
      const feed = await fetch(changed);
      fetched.push(`${feed.status} ${changed}`);
      const to = callbacks.get(changed);
      const headers = {
        "content-type": feed.headers.get("content-type") ?? "",
        link: `<${changed}>; rel="self"`,
      };
      if (to !== undefined) await fetch(to, { method: "POST", headers, body: await feed.text() });
    }
  });
}

async function subscribedTo(feed: string, got: { type: string; body: string }[], isReady: () => void) {
  const found = await (await fetch(feed)).text();
  const hub = /<atom:link href="([^"]+)" rel="hub"\/>/.exec(found)?.[1] ?? "";
  const self = /<atom:link href="([^"]+)" rel="self"/.exec(found)?.[1] ?? "";
  const callback = await serving(async (request, response) => {
    const challenge = new URL(request.url ?? "", "http://here").searchParams.get("hub.challenge");
    if (request.method === "GET") isReady();
    else got.push({ type: request.headers["content-type"] ?? "", body: await text(request) });
    response.end(challenge ?? "");
  });
  const body = new URLSearchParams({ "hub.mode": "subscribe", "hub.topic": self, "hub.callback": callback });
  await fetch(hub, { method: "POST", body });
}

test("a subscriber receives the new day's feed as soon as it is published", async () => {
  const fetched: string[] = [];
  const got: { type: string; body: string }[] = [];
  const hub = await startHub(fetched);
  const [port = 0] = await freePorts([undefined]);
  const siteUrl = `http://127.0.0.1:${port}`;
  const site = newSite({
    site: { url: siteUrl, hub },
    languages: ["en"],
    operations: ["daily-horoscope"],
  });
  const server = await startPublishedServer(site.site, port);
  onTestFinished(() => server.close());
  const { vault } = site.publishing;
  const ours = createHub(hub, siteUrl, proxies);
  const notifying = createNotifying({
    vault: vault.store,
    caches: [],
    fetchers: [ours],
    alert: async () => undefined,
    log,
    now: site.publishing.now,
  });
  const publishing: Publishing = { ...site.publishing, ...notifying };
  const night = { run: "almanac-nightly", asOf: "2026-11-21T12:00:00.000Z", languages: ["en"] } as const;
  await site.gather("2026-11-21", "2026-11-22");
  await publish(night, publishing);

  let ready = false;
  await subscribedTo(`${siteUrl}/en/daily/leo/feed.xml`, got, () => (ready = true));
  await expect.poll(() => ready).toBe(true);
  site.setClock("2026-11-22T12:00:00Z");
  await publish({ ...night, asOf: "2026-11-22T12:00:00.000Z" }, publishing);
  await notifying?.notifyChanges();
  await expect.poll(() => got.length).toBe(1);
  expect(got[0]?.body).toContain(":leo:2026-11-22</guid>");
  await expect.poll(() => fetched.length).toBe(26);
  expect(fetched.filter((one) => !one.startsWith("200 "))).toEqual([]);
  expect(new Set(fetched).size).toBe(26);
});
