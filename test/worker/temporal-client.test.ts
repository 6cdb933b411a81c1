// Which Temporal's time is a witness's: one that is reached by TLS.
import { expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { temporalFor } from "../../worker/temporal/temporal-client.ts";

test.each([
  ["by TLS", { TEMPORAL_TLS: "true" }, "https://temporal.example:7233"],
  ["with an API key, which goes by TLS alone", { TEMPORAL_API_KEY: "key" }, "https://temporal.example:7233"],
  ["in the clear", {}, undefined],
])("a Temporal that is reached %s", async (_how, more, url) => {
  const given = { TEMPORAL_ADDRESS: "temporal.example:7233", ...more };
  for (const [name, value] of Object.entries(given)) {
    process.env[name] = value;
    onTestFinished(() => void Reflect.deleteProperty(process.env, name));
  }
  const temporal = await temporalFor(readEnvironment(given), "/nowhere");
  expect(temporal).toMatchObject({ address: "temporal.example:7233", url });
});
