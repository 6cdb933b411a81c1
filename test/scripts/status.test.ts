// `almanac status` of a night that makes no progress: it shows the reason, also in its JSON.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { endpointNote } from "../../vault/call-notes.ts";
import { readNote } from "../../vault/note.ts";
import { versionsServed } from "../../worker/temporal/pollers.ts";
import { almanac } from "../support/cli.ts";
import { quickService } from "../support/looks.ts";
import { createWorld, until, type World } from "../support/night.ts";
import { makeCurrent, sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const configuration: ConfigurationInput = {
  languages: ["en", "hi"],
  operations: ["daily-tarot"],
  service: quickService,
};

const status = async ({ env, folder }: World, ...words: string[]): Promise<string> =>
  (await almanac(["status", ...words], { env, cwd: folder })).stdout;

test("shows what fails, in which attempt and why, while a night can't publish", async () => {
  const world = await createWorld(temporal, configuration);
  await world.sharedWorker();
  // The published site stays readable, but not writable.
  const place = join(world.folder, "site", "v1");
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "objects"), "no folder");
  const night = await world.nightly();
  // Asking Temporal costs less than the command.
  await until("the publish to fail and be tried again", async () => {
    const { raw } = await world.client.workflow.getHandle(night.id).describe();
    const publish = raw.pendingActivities?.find(({ activityType }) => activityType?.name === "publish");
    return (publish?.attempt ?? 0) > 1;
  });

  const pattern = /^publish: attempt \d+, .*site/m;
  const shown = await until(
    "the failing publish",
    async () => {
      const lines = await status(world);
      return pattern.test(lines) && lines;
    },
    120_000,
  );
  expect(shown).not.toContain("0 s left");
  const document: unknown = JSON.parse(await status(world, "--json"));
  expect(document).toMatchObject({
    running: true,
    pending: [
      { workflow: night.id, activity: "publish", attempt: expect.any(Number), failure: expect.any(String) },
    ],
  });
  await night.cancel();
}, 300_000);

test("names the version that a night is pinned to, if no worker serves it", async () => {
  const world = await createWorld(temporal, configuration);
  const currentWorker = async (buildId: string) => {
    world.env["TEMPORAL_WORKER_BUILD_ID"] = buildId;
    const worker = await world.sharedWorker();
    await makeCurrent({ address: temporal.address, id: world.id }, buildId);
    return worker;
  };
  const old = await currentWorker("1.0");
  await world.sandbox.faults([{ fault: "http503" }]);
  await world.nightly();
  await until("a call", async () => (await world.sandbox.stats()).calls > 0);
  await old.stop();
  await currentWorker("1.1");
  // Temporal still lists the old worker for a minute and a half.
  await until(
    "the old version to be gone",
    async () => !(await versionsServed(world.client, world.id)).includes("1.0"),
  );
  const shown = await until(
    "the pinned version",
    async () => {
      const lines = await status(world);
      return lines.includes("pinned to") && lines;
    },
    120_000,
  );
  expect(shown).toMatch(/: waiting\npinned to version 1\.0, which no worker serves\. Start `almanac worker`/);
}, 300_000);

test("shows since when the credentials are refused in place of a rate", async () => {
  const world = await createWorld(temporal, configuration);
  await world.sandbox.faults([{ fault: "http401" }]);
  await world.sharedWorker();
  const night = await world.nightly();
  const note = endpointNote("translator");
  await until("an open breaker", async () => (await readNote(world.vault.store, note)).outage);
  const pattern = /^credentials refused since \d\d:\d\d UTC$/m;
  const shown = await until(
    "the refused credentials",
    async () => {
      const lines = await status(world);
      return pattern.test(lines) && lines;
    },
    120_000,
  );
  expect(shown).not.toContain("per second");
  const document: unknown = JSON.parse(await status(world, "--json"));
  expect(document).toMatchObject({ credentialsRefusedSince: expect.stringMatching(/^20.*Z$/) });
  expect(document).not.toHaveProperty("pace");
  await night.cancel();
}, 300_000);
