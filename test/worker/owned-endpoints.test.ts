// Endpoints of processes that share a vault: the fate of their breakers' alerts and notes.
import { expect, onTestFinished, test } from "vitest";
import { noopMetricMeter } from "@temporalio/common";
import { createMetrics } from "../../activities/metrics.ts";
import { CredentialsRefused, Unfit } from "../../readings/answer.ts";
import { type ReadingRequest, requestKey } from "../../readings/request.ts";
import type { EndpointName } from "../../readings/tables.ts";
import { Leases } from "../../store/lease.ts";
import { openBreakers, stoppedLanguages } from "../../vault/call-notes.ts";
import { createVault } from "../../vault/vault.ts";
import { createAlerts } from "../../worker/alerts.ts";
import { createEndpoints } from "../../worker/owned-endpoints.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { openMemory } from "../support/memory.ts";
import { until } from "../support/until.ts";

const caller = { run: "a-night", start: "first" };
const english: ReadingRequest = { operation: "daily-tarot", language: "en", period: "2026-11-21" };
const italian: ReadingRequest = { operation: "daily-tarot", language: "it", period: "2026-11-21" };
const all = <Figure>(figure: Figure) => ({ english: figure, translator: figure, legacy: figure });

function world() {
  const store = openMemory();
  const vault = createVault(store, "almanac");
  const told: string[] = [];
  const tell = (facts: object) => void ("alert" in facts && told.push(String(facts.alert)));
  const log = { info: tell, warn: () => undefined, error: tell };
  const now = () => new Date();
  const process = (rules: Record<string, "warn"> = {}) => {
    const { alert } = createAlerts({
      site: { id: "almanac", name: "Almanac" },
      vault: vault.own,
      webhook: undefined,
      form: undefined,
      log,
      now,
    });
    const endpoints = createEndpoints({
      configuration: configurationSchema.parse({ service: { ratePerSecond: all(100) }, quality: { rules } }),
      vault,
      alert,
      log,
      metrics: createMetrics(noopMetricMeter),
      leases: new Leases({ store, where: "a test", log }),
      purpose: "a test",
    });
    onTestFinished(async () => {
      for (const one of Object.values(endpoints)) await one.close();
    });
    const call = (name: EndpointName, request: ReadingRequest, error?: Error) =>
      endpoints[name]
        .batch((calls) =>
          calls.send(
            { request, caller, width: 1, signal: new AbortController().signal },
            async ({ onSent, onResponse }) => {
              onSent();
              onResponse();
              if (error !== undefined) throw error;
            },
          ),
        )
        .catch((failure: unknown) => failure);
    return { endpoints, call };
  };
  return { vault, told, process };
}

const facts = (request: ReadingRequest) => ({ key: requestKey(request), address: "test", seen: "HTTP 401" });
const refused = (request: ReadingRequest) => new CredentialsRefused({ ...facts(request), status: 401 });

test("refused credentials are reported once for endpoints in several processes, and so is their recovery, each time", async () => {
  const { vault, told, process } = world();
  const [one, other] = [process(), process()];
  const refusedBy = async (count: number) => (await openBreakers(vault)).length === count;
  for (const time of [1, 2]) {
    await Promise.all([
      one.call("english", english, refused(english)),
      other.call("translator", italian, refused(italian)),
    ]);
    await until("both to be refused", () => refusedBy(2));
    await until("the first probe", async () => (await one.call("english", english)) === undefined);
    await until("one to be accepted", () => refusedBy(1));
    expect(told.filter((kind) => kind === "credentials-accepted")).toHaveLength(time - 1);
    await until("the second probe", async () => (await other.call("translator", italian)) === undefined);
    await until("the end", async () => told.length >= 2 * time);
  }
  expect(told).toEqual([
    "credentials-refused",
    "credentials-accepted",
    "credentials-refused",
    "credentials-accepted",
  ]);
});

test("the next owner keeps a language stopped, unless its rules have changed", async () => {
  const { vault, told, process } = world();
  const unfit = (request: ReadingRequest) => new Unfit("language", facts(request));
  const first = process();
  for (let count = 0; count < 24; count += 1) await first.call("translator", italian, unfit(italian));
  await until("the stop", async () => (await stoppedLanguages(vault, caller.run)).length === 1);
  await until("the alert", () => told.includes("language-stopped"));
  await first.endpoints.translator.close();
  const second = process();
  expect(await second.call("translator", italian)).toMatchObject({ name: "BreakerOpen" });
  await second.endpoints.translator.close();
  expect(await process({ language: "warn" }).call("translator", italian)).toBeUndefined();
});
