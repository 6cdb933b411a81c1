// A command, and a run, whose vault or site is another than the worker's: from the outside, by commands and files.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { openFolder } from "../../store/folder.ts";
import { workerSeenAt } from "../../worker/temporal/pollers.ts";
import { startNightly } from "../../worker/temporal/runs.ts";
import { almanac } from "../support/cli.ts";
import { quickService, workflowsOf } from "../support/looks.ts";
import { createWorld, until } from "../support/night.ts";
import { keysOf } from "../support/stores.ts";
import { sharedTemporal } from "../support/temporal.ts";
import { themeModule, writeInto } from "../support/theme-folder.ts";

const temporal = await sharedTemporal();

test("a command whose vault or site is another than the worker's starts nothing and says so; a worker refuses a run of another's; a disk that is off is no empty vault; another theme is named", async () => {
  const world = await createWorld(temporal, {
    languages: ["en"],
    operations: ["daily-tarot"],
    service: quickService,
  });
  await world.sharedWorker();
  const at = (words: string, more: Record<string, string> = {}) =>
    almanac(words.split(" "), { env: { ...world.env, ...more }, cwd: world.folder });
  const elsewhere = (name: string) => pathToFileURL(join(world.folder, name)).href;
  await until("a worker", () => workerSeenAt(world.client, world.id));
  expect(await at("nightly --wait")).toMatchObject({ code: 0 });

  const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const other = { ALMANAC_VAULT: elsewhere("vault-2"), ALMANAC_SITE: elsewhere("site-2") };
  for (const command of ["nightly --wait", `backfill --languages en --from ${monthAgo}`, "schedule apply"]) {
    const ran = await at(command, other);
    if (command.startsWith("backfill") && ran.code === 3) continue; // there is nothing in reach to ask
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("uses another vault or site"),
    });
  }
  const off = await at("nightly --wait", { ALMANAC_VAULT: elsewhere("unmounted") });
  expect(off).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("the vault is empty, although the site was"),
  });
  expect(await keysOf(openFolder(join(world.folder, "unmounted")))).toEqual([]);
  writeInto(world.folder, { "theme/theme.ts": themeModule({ properties: { "--leading": "1.7" } }) });
  const { stdout: checked } = await at("check", other);
  expect(checked).toMatch(/^.*workers.*\n?.*another vault or site/m);
  expect(checked.replaceAll(/\s+/g, " ")).toContain("restart the worker with the same settings");
  expect(checked.replaceAll(/\s+/g, " ")).toMatch(
    /workers: theme warning: \d+@\S+ started with another theme than the one in this folder, and renders with it next: restart it to load the theme. A stopped worker disappears after 90 s/,
  );
  rmSync(join(world.folder, "theme"), { recursive: true });
  expect((await at("check")).stdout).not.toContain("workers: theme");
  const begun = (await workflowsOf(world, 2)).map(({ type }) => type);
  expect(begun.filter((type) => type !== "edition")).toEqual(["nightly"]);

  const { calls } = await world.sandbox.stats();
  const stranger = `${"0".repeat(16)}.${"0".repeat(16)}`;
  const asOf = new Date(Date.now() - 86_400_000);
  const run = await startNightly(world.client, world.id, { asOf: asOf.toISOString() }, asOf, stranger);
  await until("a refusal", async () => {
    const { raw } = await world.client.workflow.getHandle(run.id).describe();
    return raw.pendingActivities?.some(({ lastFailure }) =>
      lastFailure?.message?.includes("for another vault or site"),
    );
  });
  await world.client.workflow.getHandle(run.id).terminate();
  expect((await world.sandbox.stats()).calls).toBe(calls);
  // The worker itself continues.
  expect(await at("nightly --wait")).toMatchObject({ code: 0 });
});
