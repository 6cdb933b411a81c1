// A vault that can't be written for a while, for example on a full disk: responses that arrived are not requested again.
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type Store, StoreFailure } from "../../store/store.ts";
import { callAndStore } from "../../activities/call.ts";
import { requestOf } from "../../readings/request.ts";
import { openMemory } from "../support/memory.ts";
import { day, horoscopeData } from "../support/answers.ts";
import { composed } from "../support/composed.ts";

const key = `daily/${day}/en/daily-horoscope/leo`;
const fit = JSON.stringify({
  success: 1,
  data: horoscopeData([
    "The morning brings a clear thought about the work that waited, and the people near you will listen to it.",
    "A walk in the evening does more for you than another hour at the desk, so leave the papers where they are.",
    "Someone you trust asks for your advice today, and the answer that you give helps both of you for a while.",
    "An old friend remembers what you said in the spring, and a letter or a call puts the matter right again.",
    "The road is longer than the map says, but whoever travels slowly sees the house behind the garden wall.",
  ]),
});
const { signal: never } = new AbortController();

/** A service with one response, and a vault whose disk has space only for small files. */
async function worldOf(answer: string) {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const endpoints = { english: `http://127.0.0.1:${port}`, translator: undefined, legacy: undefined };
  const memory = openMemory();
  let isFull = true;
  const vault: Store = {
    ...memory,
    async write(at, body, headers, when) {
      if (!isFull) return memory.write(at, body, headers, when);
      throw new StoreFailure({ doing: "write", key: at, place: "here", seen: "full", remedy: "make room" });
    },
  };
  const composition = composed({ endpoints, vault, now: () => new Date(`${day}T12:00:00Z`) });
  const { dependencies } = composition;
  onTestFinished(async () => {
    await composition.close();
    server.close();
  });
  const askAs = async (tries: number) => {
    const request = requestOf(key);
    if (request === undefined) throw new Error(`${key} is no key`);
    return callAndStore(
      request,
      { key, run: "almanac-nightly-2026-11-21", tries },
      { signal: never },
      dependencies,
    );
  };
  return { vault: dependencies.vault, askAs, calls: () => calls, makeRoom: () => (isFull = false) };
}

test("a response that could not be stored is stored when there is space again, without a second request", async () => {
  const { vault, askAs, calls, makeRoom } = await worldOf(fit);
  await expect(askAs(1)).rejects.toThrow(StoreFailure);
  await expect(askAs(2)).rejects.toThrow(StoreFailure);
  makeRoom();
  expect(await askAs(3)).toMatchObject({ kind: "stored", tries: 1 });
  expect(await vault.response(key)).toMatchObject({ body: fit, tries: 1 });
  expect(calls()).toBe(1);
  await vault.displace(key);
  await askAs(4);
  expect(calls()).toBe(2); // it was stored once, and is no longer at hand
});

test("a response that could not be quarantined is quarantined later, without a second request", async () => {
  const { vault, askAs, calls, makeRoom } = await worldOf('{"success":2,"msg":"no"}');
  await expect(askAs(1)).rejects.toThrow(StoreFailure);
  await expect(askAs(2)).rejects.toThrow(StoreFailure);
  makeRoom();
  await expect(askAs(3)).rejects.toMatchObject({ type: "Rejected" });
  expect(await vault.quarantined(key)).toMatchObject({ type: "Rejected", tries: 1 });
  expect(calls()).toBe(1);
  await expect(askAs(4)).rejects.toMatchObject({ type: "Rejected" });
  expect(calls()).toBe(2);
});
