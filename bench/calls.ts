// Processor time of a call through the client, compared with a plain undici request that sends the same form. The server runs in
// another process, so only the client's time counts.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, FormData, request } from "undici";
import { z } from "zod";
import { configurationSchema } from "../readings/configuration.schema.ts";
import { Secret } from "../service/secret.ts";
import { createService, settingsFrom } from "../service/service.ts";
import { rowOf } from "../readings/tables.ts";
import type { HoroscopeRequest } from "../readings/request.ts";
import { aim, heading, pairedRounds, type Part, processorTimeOfCalls, row, rounds } from "./rounds.ts";

const callsARound = 200;
const token = "a-token-of-some-length-0123456789";
const apiKey = "an-api-key-0123456789";
/** The fields that the client sends, so that both servers do the same work and both bodies are equal. */
const fields = { api_key: apiKey, sign: "aries", h_day: "today", tzone: "-5" };
const headers = {
  accept: "application/json",
  "accept-encoding": "identity",
  "user-agent": "almanac/0.1.0 (+node)",
  authorization: `Bearer ${token}`,
};

export async function benchCalls(asked: HoroscopeRequest): Promise<void> {
  const server = fork(new URL("answer-server.ts", import.meta.url));
  const [port] = z.tuple([z.number()], z.unknown()).parse(await once(server, "message"));
  const url = `http://127.0.0.1:${port}`;
  const credentials = { token: new Secret(token), apiKey: new Secret(apiKey) };
  const service = createService({
    ...settingsFrom(configurationSchema.parse({})),
    endpoints: { english: url, translator: undefined, legacy: undefined },
    credentials: async () => credentials,
    now: () => new Date(),
  });
  const dispatcher = new Agent();
  const instant = new Date(`${asked.period}T12:00:00Z`);
  const bareCall = async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const target = url + rowOf(asked.operation).path;
    const answer = await request(target, { method: "POST", headers, body: form, dispatcher });
    return await answer.body.bytes();
  };
  const pair = await pairedRounds(
    costOf(bareCall),
    costOf(async () => await service.call(asked, { instant })),
  );
  await service.close();
  await dispatcher.close();
  server.disconnect();
  console.log(
    `\nOne call, microseconds of this process's time, ${rounds} paired rounds of ${callsARound} calls`,
  );
  console.log(heading);
  console.log(row("a bare undici.request with the same form", pair.plain));
  console.log(row("through the client", pair.ours));
  console.log(row("  ratio, round by round", pair.ratio, 2));
  console.log(aim("a call through the client", pair.ratio, 1.3));
}

function costOf(call: () => Promise<unknown>): Part {
  return async () => await processorTimeOfCalls(callsARound, call);
}
