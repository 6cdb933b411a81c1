// Every operation in every language that it has, from a request to a judged reading, over real HTTP.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ReadingRequest, requestKey, selectEndpoint } from "../../readings/request.ts";
import { languageNames, familyOf, operationNames } from "../../readings/tables.ts";
import { judgeAnswer } from "../../readings/quality.ts";
import { readingSchema } from "../../readings/reading.schema.ts";
import { cardShapes } from "../../packages/sandbox/received-request.ts";
import { clientFor, person } from "../support/client.ts";
import { allRequests, testInstant } from "../support/requests.ts";
import { spawnSandbox, type SpawnedSandbox } from "../support/sandbox.ts";

describe("all combinations of operation and language", () => {
  let sandbox: SpawnedSandbox;
  let client: ReturnType<typeof clientFor>;
  beforeAll(async () => {
    sandbox = await spawnSandbox({ seed: 427 });
    await sandbox.clock({ at: testInstant.toISOString() });
    client = clientFor(sandbox);
  });
  afterAll(async () => {
    await client.close();
    await sandbox.close();
  });

  const read = async (request: ReadingRequest) =>
    judgeAnswer(request, await client.call(request, { instant: testInstant }));

  it("become readings even if the service translates names, labels and dates", () => {
    expect(new Set(allRequests.map(requestKey)).size).toBe(allRequests.length);
    expect(new Set(allRequests.map(({ operation }) => operation))).toEqual(new Set(operationNames));
    expect(new Set(allRequests.map(({ language }) => language))).toEqual(new Set(languageNames));
  });

  it.each(cardShapes)("become the readings that were asked for, cards coming as %s", async (shape) => {
    await sandbox.clearStats();
    await sandbox.options({ shape });
    const fits = await Promise.all(allRequests.map(read));
    for (const [index, { reading, notes }] of fits.entries()) {
      const { operation, language, period } = allRequests[index] ?? {};
      expect(notes).toEqual([]);
      expect(readingSchema.parse(reading)).toEqual(reading);
      expect(reading).toMatchObject({ operation, language, period, family: familyOf(reading.operation) });
    }
    expect(JSON.stringify(fits)).not.toContain(person.fullName);

    const { calls, repeats, byEndpoint, byStatus } = await sandbox.stats();
    const all = allRequests.length;
    const at = (address: string) =>
      allRequests.filter((request) => selectEndpoint(request) === address).length;
    expect({ calls, repeats, byStatus }).toEqual({ calls: all, repeats: 0, byStatus: { "200": all } });
    for (const endpoint of ["english", "translator", "legacy"] as const) {
      expect(byEndpoint[endpoint].calls).toBe(at(endpoint));
    }
  });

  it("become readings as well where the service translates names, labels and dates too", async () => {
    await sandbox.options({ translated: true });
    for (const { reading } of await Promise.all(allRequests.map(read))) {
      expect(readingSchema.safeParse(reading).success).toBe(true);
    }
  });
});
