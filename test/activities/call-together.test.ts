// Answers that come together: no place waits for the judgement of another answer.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { callAndStore } from "../../activities/call.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { requestOf } from "../../readings/request.ts";
import { signs } from "../../readings/tables.ts";
import { day, horoscopeData } from "../support/answers.ts";
import { composed } from "../support/composed.ts";

const { signal } = new AbortController();

/** Answers all signs at once, when the last of them has asked. */
async function serviceOfAll(): Promise<number> {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    waiting.push(response);
    if (waiting.length < signs.length) return;
    for (const [index, one] of waiting.entries()) {
      const data = horoscopeData([`The text of number ${index}.`]);
      one.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ success: 1, data }));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return z.object({ port: z.number() }).parse(server.address()).port;
}

test("releases the slots of all responses that arrived together before it validates the first one", async () => {
  const endpoints = {
    english: `http://127.0.0.1:${await serviceOfAll()}`,
    translator: undefined,
    legacy: undefined,
  };
  const configuration = configurationSchema.parse({ service: { concurrency: { english: signs.length } } });
  const composition = composed({ endpoints, configuration, now: () => new Date(`${day}T12:00:00.000Z`) });
  onTestFinished(() => composition.close());
  const said: string[] = [];
  const dependencies = { ...composition.dependencies, traceCall: () => void said.push("judged") };
  const asked = signs.map(async (sign) => {
    const key = `daily/${day}/en/daily-horoscope/${sign}`;
    const request = requestOf(key);
    if (request === undefined) throw new Error(`${key} is no key`);
    const asking = { key, run: "almanac-nightly-2026-11-21", tries: 1 };
    return callAndStore(request, asking, { signal, onAnswered: () => said.push("answered") }, dependencies);
  });
  await Promise.allSettled(asked); // whether they are fit is not the matter here
  expect(said.slice(0, signs.length)).toEqual(signs.map(() => "answered"));
  expect(said).toHaveLength(2 * signs.length);
});
