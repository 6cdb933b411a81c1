// `almanac service`: the units it writes, the requirements it reports, and the files it leaves or removes.
// test/nights/one-machine.test.ts runs nights on such a machine, and test/real/systemd.test.ts checks the units with systemd.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { executableOf, placesBelow, serviceUnits } from "../../scripts/service/units.ts";
import { planService } from "../../scripts/service/plan.ts";
import { startSteps } from "../../scripts/service/systemd.ts";
import { pinnedVersion } from "../../worker/temporal/temporal-executable.ts";
import { almanac } from "../support/cli.ts";
import { serviceFolder } from "../support/service-folder.ts";

const unitNamed = (root: string, name: string) => join(root, `etc/systemd/system/almanac-${name}.service`);
const typed = (root: string, ...words: string[]) =>
  almanac(["service", ...words, "--root", root], {
    cwd: join(root, "opt/almanac"),
    env: { HOME: homedir() },
  });
const isHidden = (path: string) => (statSync(path).mode & 0o777) === 0o400;
const endSchema = z.object({ written: z.array(z.string()), removed: z.array(z.string()) });

test("install writes a unit for Temporal and one for the worker that wants it, and again changes only what is different", async () => {
  const root = serviceFolder();
  const install = async (...words: string[]) => {
    const { code, stdout, stderr } = await typed(root, "install", "--json", ...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return endSchema.parse(JSON.parse(stdout));
  };
  const [temporal, worker] = [unitNamed(root, "temporal"), unitNamed(root, "worker")];
  const units = (...tasks: string[]) =>
    tasks.flatMap((task) => [unitNamed(root, task), unitNamed(root, task).replace(/service$/, "timer")]);
  const upkeep = units("gc", "verify");
  expect(await install()).toEqual({ written: [temporal, worker, ...upkeep], removed: [] });
  const places = placesBelow(root);
  const executable = executableOf(places, pinnedVersion);
  expect(statSync(executable).mode & 0o777).toBe(0o755);
  expect(readFileSync(temporal, "utf8")).toContain(
    `ExecStart=${executable} server start-dev --ip 127.0.0.1 `,
  );
  expect(readFileSync(temporal, "utf8")).toContain(` --port 7233 --ui-port 8233 `);
  const text = readFileSync(worker, "utf8");
  expect(text).toMatch(/^Wants=.* almanac-temporal\.service$/m);
  expect(text).toMatch(/^After=.* almanac-temporal\.service$/m);
  expect(text).toMatch(/^ExecStart=\S+ \S+\/scripts\/almanac\.js worker$/m);
  expect(text).toMatch(/^Environment=.* TEMPORAL_ADDRESS=127\.0\.0\.1:7233 READING_SERVICE_TOKEN_FILE=\S+ /m);
  expect(text).toMatch(new RegExp(`^ReadWritePaths=${root}/srv/almanac/site$`, "m"));
  expect(text).not.toMatch(/DynamicUser|LoadCredential|\/opt\/almanac\/scripts|deployment\.md/);
  for (const path of [places.environment, places.token, places.apiKey])
    expect(isHidden(path), path).toBe(true);

  expect(await install()).toEqual({ written: [], removed: [] });
  // Upkeep commands reach Temporal if a bucket needs it.
  const services = upkeep.filter((path) => path.endsWith("service"));
  expect(await install("--port", "7300")).toEqual({ written: [temporal, worker, ...services], removed: [] });
  expect(await install()).toEqual({ written: [], removed: [] }); // the port is kept
});

test("install writes timers for gc and verify, and one for backup if a place for it is named", async () => {
  const root = serviceFolder();
  const copies = join(root, "mnt/copies");
  const unit = (name: string) => {
    const path = join(root, "etc/systemd/system", name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  };
  expect(await typed(root, "install")).toMatchObject({ code: 0 });
  for (const task of ["gc", "verify"]) {
    expect(unit(`almanac-${task}.timer`)).toMatch(/^OnCalendar=\w{3} 12:\d\d UTC$/m);
    const service = unit(`almanac-${task}.service`);
    expect(service).toMatch(
      new RegExp(`^Type=oneshot\nExecStart=\\S+ \\S+/scripts/almanac\\.js ${task}$`, "m"),
    );
    expect(service).toMatch(/^User=almanac$/m);
    expect(service).not.toMatch(/^Restart|schedule apply|\[Install\]/m);
  }
  expect(unit("almanac-backup.timer")).toBeUndefined();

  serviceFolder({ ALMANAC_BACKUP: `file://${copies}` }, root);
  const { stdout } = await typed(root, "install");
  expect(stdout).toMatch(
    / {2}systemctl enable .* almanac-gc\.timer almanac-verify\.timer almanac-backup\.timer$/m,
  );
  expect(unit("almanac-backup.timer")).toMatch(/^OnCalendar=11:40 UTC$/m);
  expect(unit("almanac-backup.service")).toContain(`\nReadWritePaths=${copies}\n`);
  expect(unit("almanac-worker.service")).not.toContain(copies);
  expect(existsSync(copies)).toBe(true);

  serviceFolder({}, root);
  expect((await typed(root, "install")).stdout).toContain(
    "removed  almanac-backup.timer: ALMANAC_BACKUP is not set",
  );
  expect(unit("almanac-backup.service")).toBeUndefined();
});

test("with the address of a Temporal in the settings there is no unit for one, and the one that was there goes", async () => {
  const root = serviceFolder();
  expect(await typed(root, "install")).toMatchObject({ code: 0 });
  serviceFolder({ TEMPORAL_ADDRESS: "temporal.example:7233" }, root);
  const { code, stdout } = await typed(root, "install");
  expect(code).toBe(0);
  expect(stdout).toContain("removed  almanac-temporal.service: the settings name another Temporal server");
  expect(stdout).toMatch(/^ {2}systemctl disable --now almanac-temporal\.service$/m);
  expect(existsSync(unitNamed(root, "temporal"))).toBe(false);
  expect(readFileSync(unitNamed(root, "worker"), "utf8")).not.toContain("emporal.service");
  expect(existsSync(executableOf(placesBelow(root), pinnedVersion))).toBe(false);
});

test("all that is lacking is said at once, each with the command that makes it, and nothing is written", async () => {
  const root = serviceFolder();
  const { environment, token, apiKey } = placesBelow(root);
  for (const path of [environment, token, apiKey, join(root, "opt/almanac/almanac.config.ts")]) rmSync(path);
  const bare = await typed(root, "install");
  expect(bare.code).toBe(2);
  expect(bare.stderr).toContain("error: requirements of the service are missing:");
  for (const words of [
    `the settings file ${environment} is missing: sudo install -D -m 600 /dev/null ${environment} && sudoedit ${environment}`,
    `the access token ${token} is missing: sudo install -D -m 600 /dev/stdin ${token}, paste it, press Enter, then Ctrl-D`,
    `the API key ${apiKey} is missing: sudo install -D -m 600`,
    "almanac.config.ts is missing: run this command in the site's folder, which contains almanac.config.ts",
  ])
    expect(bare.stderr).toContain(words);

  writeFileSync(environment, "ALMANAC_VAULT=file:./vault\nALMANAC_SIET=s3://stars/site\n");
  const wrong = await typed(root, "install");
  expect(wrong.stderr).toContain(
    `ALMANAC_VAULT in ${environment} must be a bucket or an absolute folder: ALMANAC_VAULT=file:///var/lib/almanac/vault`,
  );
  expect(wrong.stderr).toContain(`ALMANAC_SITE in ${environment} must be a bucket`);
  expect(wrong.stderr).toContain(
    `ALMANAC_SIET in ${environment}: unknown variable. Did you mean ALMANAC_SITE?`,
  );
  expect(existsSync(dirname(unitNamed(root, "worker")))).toBe(false);
});

test("a folder that the unit could not see, or that its lines could not name, is told before it fails there", () => {
  const lackingWith = (site: string) =>
    planService(placesBelow(serviceFolder({ ALMANAC_SITE: site })), { isTrial: false }).lacking;
  expect(lackingWith("file:///home/stars/site")).toContain(
    "the service cannot read /home/stars/site, because it is in a home or temporary folder: move it, such as to /opt/almanac",
  );
  expect(lackingWith("file:///srv/my%20site")).toContain(
    "/srv/my site contains a space or another character that a unit cannot contain: rename it",
  );
});

test("below another root nothing outside of it is made or changed, whatever the settings name", async () => {
  const machine = serviceFolder();
  const site = join(machine, "srv/almanac/site");
  const token = join(machine, "etc/almanac/token");
  const root = serviceFolder({ ALMANAC_SITE: `file://${site}`, READING_SERVICE_TOKEN_FILE: token });
  const { code, stdout } = await typed(root, "install");
  expect({ code, isMade: existsSync(site), isHidden: isHidden(token) }).toEqual({
    code: 0,
    isMade: false,
    isHidden: false,
  });
  expect(stdout).toContain(`skipped  ${site}: outside this root`);
});

test("a Node in a home folder is told to be another one, and not to be moved", () => {
  const { execPath } = process;
  onTestFinished(() => void (process.execPath = execPath));
  process.execPath = "/home/stars/.nvm/versions/node/v24.21.0/bin/node";
  expect(planService(placesBelow(serviceFolder()), { isTrial: false }).lacking).toContain(
    `the service cannot read ${process.execPath}, because it is in a home or temporary folder: install Node for all users, such as to /usr/bin/node`,
  );
});

test("a Temporal that is named by TEMPORAL_CLI_PATH is of the version that the package goes with", async () => {
  const root = serviceFolder();
  const other = join(root, "temporal");
  writeFileSync(other, "#!/bin/sh\necho 'temporal version 1.8.3 (Server 1.31.2, UI 2.50.1)'\n", {
    mode: 0o755,
  });
  const env = { HOME: homedir(), TEMPORAL_CLI_PATH: other };
  const cwd = join(root, "opt/almanac");
  const { code, stderr } = await almanac(["service", "install", "--root", root], { cwd, env });
  expect(code).toBe(2);
  expect(stderr).toContain(
    `names Temporal 1.8.3, but this version of Almanac needs ${pinnedVersion}. Name that one`,
  );
});

test("a unit of somebody else is left as it is", async () => {
  const root = serviceFolder();
  mkdirSync(dirname(unitNamed(root, "worker")), { recursive: true });
  writeFileSync(unitNamed(root, "worker"), "[Service]\nExecStart=/bin/true\n");
  const { code, stderr } = await typed(root, "install");
  expect(code).toBe(2);
  expect(stderr).toContain("was not written by this command. Remove it first");
  expect(await typed(root, "remove")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("no unit here was written by this command"),
  });
  expect(existsSync(unitNamed(root, "worker"))).toBe(true);
});

test("remove takes the units and Temporal's program, and says where the data is that it leaves", async () => {
  const root = serviceFolder();
  const { environment, database, state } = placesBelow(root);
  expect(await typed(root, "install")).toMatchObject({ code: 0 });
  for (const path of [database, join(state, "vault/kept")]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "kept");
  }
  const { code, stdout } = await typed(root, "remove");
  expect(code).toBe(0);
  expect(stdout).toContain("removed  almanac-worker.service\n");
  expect(stdout).toMatch(/^all data is kept:$/m);
  for (const where of [dirname(environment), dirname(database), `file://${state}/vault`])
    expect(stdout).toContain(`  ${where}\n`);
  expect([existsSync(unitNamed(root, "worker")), existsSync(unitNamed(root, "temporal"))]).toEqual([
    false,
    false,
  ]);
  for (const path of [environment, database, join(state, "vault/kept")])
    expect(existsSync(path), path).toBe(true);
});

test("systemd is told of changed units only, and restarts Temporal only for its own", () => {
  const [temporal, worker] = ["almanac-temporal.service", "almanac-worker.service"];
  const both = [temporal, worker];
  const enable = ["systemctl", "enable", ...both];
  expect(startSteps(both, both)).toEqual([
    ["systemctl", "daemon-reload"],
    enable,
    ["systemctl", "restart", ...both],
  ]);
  expect(startSteps(both, [])).toEqual([enable, ["systemctl", "restart", worker]]);
});

test("--print shows the units as they would be for this machine, and the program says the same as deploy/ does", async () => {
  const { code, stdout } = await almanac(["service", "install", "--print"], { env: { HOME: homedir() } });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^# \/etc\/systemd\/system\/almanac-temporal\.service$/m);
  const deployed = readFileSync(
    new URL("../../deploy/systemd/almanac-temporal.service", import.meta.url),
    "utf8",
  );
  const bare = (text: string) => text.replaceAll(/^(?:#.*)?\n/gm, "");
  const { plan } = planService(placesBelow("/"), { port: 7233, isTrial: true });
  const [temporal] = serviceUnits({ ...plan, temporal: { version: pinnedVersion, port: 7233 } });
  expect(bare(temporal?.text ?? "")).toBe(bare(deployed));
});

test("a machine without systemd is told so in one sentence, and one who is not root too", async () => {
  const { code, stderr } = await almanac(["service", "install"], { env: { HOME: homedir() } });
  expect(code).toBe(2);
  const isBooted = existsSync("/run/systemd/system");
  expect(stderr.split("\n")).toHaveLength(2);
  expect(stderr).toContain(
    isBooted
      ? "writing units needs root. Run this command with sudo"
      : "this machine does not use systemd. `almanac service install --print` shows the units, and docs/deployment.md lists other",
  );
});

test("a command of the service has its settings and its exit code", async () => {
  const root = serviceFolder();
  expect(await typed(root, "install")).toMatchObject({ code: 0 });
  expect(statSync(placesBelow(root).state).mode & 0o777).toBe(0o700); // contains the vault
  const run = (...words: string[]) =>
    almanac(["service", "run", "--root", root, "--", ...words], {
      cwd: join(root, "opt/almanac"),
      env: { HOME: homedir() },
      ownProcess: true,
    });
  const plan = await run("plan", "--json");
  expect({ code: plan.code, stderr: plan.stderr }).toEqual({ code: 0, stderr: "" });
  expect(plan.stdout).toContain('"due"');
  expect(await run("verfy")).toMatchObject({ code: 2, stderr: expect.stringContaining("verify") });
  rmSync(placesBelow(root).environment);
  expect(await run("plan")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is missing. `almanac service install` lists the requirements"),
  });
});
