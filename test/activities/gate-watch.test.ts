// The probe of a closed gate: whoever has it may wait long for its turn, because a worker that asks nothing has no share of the rate.
import { expect, test } from "vitest";
import { watchGate } from "../../activities/gate-watch.ts";
import { type ReadingRequest, requestKey } from "../../readings/request.ts";
import { closedGates } from "../../vault/address-gate.ts";
import { captureWith } from "../support/captures.ts";
import { composed } from "../support/composed.ts";

const run = "almanac-nightly-2026-11-21";
const key = "daily/2026-11-21/en/daily-tarot/reading";
const { signal } = new AbortController();
const start = Date.parse("2026-11-21T12:00:00Z");

test("a probe whose request another one has answered while it waited for its turn asks nothing, and opens the gate", async () => {
  let ms = start;
  const asked: string[] = [];
  const { dependencies, close } = composed({ now: () => new Date((ms += 2_000)) });
  const { gate, vault, service, pacers } = dependencies;
  await gate.close("english", { run, key, seen: "HTTP 401" });
  const turn = async () => {
    await vault.keep(captureWith(key, "{}", { run, tries: 1 }));
    return () => undefined;
  };
  const held = {
    ...dependencies,
    service: { ...service, ask: async (request: ReadingRequest) => fail(asked.push(requestKey(request))) },
    pacers: { ...pacers, english: { turn } },
  };
  await watchGate({ address: "english", run, key }, signal, held);
  expect(asked).toEqual([]);
  expect(await closedGates(vault)).toEqual([]);
  await close();
});

function fail(times: number): never {
  throw new Error(`asked all the same: ${times}`);
}
