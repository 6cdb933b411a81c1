// An attempt delayed on its way to the service beyond Temporal's timeout: another attempt has its request by then.
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { callAndStore } from "../../activities/call.ts";
import { requestOf } from "../../readings/request.ts";
import { day, horoscopeData } from "../support/answers.ts";
import { storedResponseWith } from "../support/stored-responses.ts";
import { composed } from "../support/composed.ts";

const key = `daily/${day}/en/daily-horoscope/leo`;
const body = JSON.stringify({ success: 1, data: horoscopeData(["One text."]) });
const asking = { key, run: "almanac-nightly-2026-11-21", tries: 1 };
const receivedAt = "2026-11-21T12:00:00.000Z";
const { signal: never } = new AbortController();

/** A service that answers 400, after `before`. */
async function worldOf(before: (keep: () => Promise<unknown>) => Promise<unknown>) {
  const server = createServer((request, response) => {
    request.resume();
    void before(() => composition.dependencies.vault.storeResponse(stored)).then(() =>
      response.writeHead(400, { "content-type": "application/json" }).end('{"success":0,"msg":"no"}'),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const endpoints = { english: `http://127.0.0.1:${port}`, translator: undefined, legacy: undefined };
  const composition = composed({ endpoints, now: () => new Date(receivedAt) });
  onTestFinished(async () => {
    await composition.close();
    server.close();
  });
  const stored = storedResponseWith(key, body, { ...asking, receivedAt });
  return composition.dependencies;
}

async function lateAsk(dependencies: Awaited<ReturnType<typeof worldOf>>) {
  const request = requestOf(key);
  if (request === undefined) throw new Error(`${key} is no key`);
  return callAndStore(request, asking, { signal: never }, dependencies);
}

test("a refused response quarantines nothing if another call has stored the reading meanwhile", async () => {
  const dependencies = await worldOf((keep) => keep());
  expect(await lateAsk(dependencies)).toMatchObject({ kind: "held", tries: 1 });
  expect(await dependencies.vault.quarantined(key)).toBeUndefined();
  expect(await dependencies.vault.response(key)).toMatchObject({ body });
});

test("a refused response is quarantined if no other call has stored the reading", async () => {
  const dependencies = await worldOf(async () => undefined);
  await expect(lateAsk(dependencies)).rejects.toThrow("HTTP 400");
  expect(await dependencies.vault.quarantined(key)).toMatchObject({ type: "Rejected" });
});
