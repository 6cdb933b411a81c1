import { ServiceError } from "@temporalio/client";
import { expect, test } from "vitest";
import type { RunProgress } from "../../readings/run-messages.ts";
import { followToEnd } from "../../scripts/terminal/run-end.ts";
import { openMemory } from "../support/memory.ts";
import { createVault } from "../../vault/vault.ts";

test("a run that Temporal does not answer about ends the command with the next step, and not with Temporal's bare error", async () => {
  const away = new ServiceError("Failed to get Workflow execution history");
  const run = {
    id: "almanac-nightly-2026-11-21",
    attached: true,
    progress: async (): Promise<RunProgress> => Promise.reject(away),
    result: async (): Promise<RunProgress> => Promise.reject(away),
    cancel: () => Promise.reject(new Error("nobody asked for that")),
  };
  await expect(followToEnd(run, createVault(openMemory()))).rejects.toMatchObject({
    name: "RunOutOfSight",
    message: expect.stringMatching(
      /^Temporal has not answered about almanac-nightly-2026-11-21 .*`almanac status almanac-nightly-2026-11-21 --watch`$/,
    ),
  });
});
