// A run that completes nothing is reported as failed everywhere.
import { expect, test } from "vitest";
import { always } from "../../store/store.ts";
import { newestReport } from "../../vault/runs.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { almanac } from "../support/cli.ts";
import { quickService } from "../support/looks.ts";
import { createWorld, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();

const configuration = {
  languages: ["hi" as const],
  operations: ["wisdom-reading" as const],
  service: quickService,
};

async function at(world: World, words: string, env: Record<string, string> = {}) {
  return almanac(words.split(" "), { env: { ...world.env, ...env }, cwd: world.folder });
}

test("a run without a plan or without a published language is reported as failed, with the reason, in report, status and exit code", async () => {
  const world = await createWorld(temporal, configuration);
  await world.sharedWorker();
  const run = await world.backfill({ languages: ["hi"], from: "2090-01-01" }); // no calendar of the service has it
  await expect(run.result()).rejects.toThrow();
  const failure = expect.stringContaining("2090-01-01");
  expect(await newestReport(world.vault, run.id)).toMatchObject({ state: "failed", failure });
  const watched = await at(world, `status ${run.id} --watch`);
  expect(watched).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/: failed, as of .*\n.*2090-01-01/),
  });
  const away = await at(world, "status --watch --json", { TEMPORAL_ADDRESS: "" });
  expect(away.code).toBe(1);
  expect(JSON.parse(away.stdout)).toMatchObject({ run: run.id, state: "failed", progress: { failure } });

  await world.site.write(pointerPath, Buffer.from("{}"), { type: "application/json" }, always);
  const failed = { state: "failed", broken: { hi: expect.stringContaining(pointerPath) } };
  expect(await (await world.nightly()).result()).toMatchObject(failed);
  expect(await newestReport(world.vault)).toMatchObject(failed);
  const followed = await at(world, "status --watch");
  expect(followed).toMatchObject({ code: 1, stdout: expect.stringMatching(/: failed, as of/) });
});
