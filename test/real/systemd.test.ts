// `almanac service install` under real systemd: it accepts each line of the units, they restrict their processes, and a machine
// that it runs completes a night through a power failure.
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createVault } from "../../vault/vault.ts";
import { openFolder } from "../../store/folder.ts";
import { almanac, environmentFor } from "../support/cli.ts";
import { isStable, quickService, sandboxKey } from "../support/looks.ts";
import { until } from "../support/night.ts";
import { awayFromMidnight, zonesAtNoon } from "../support/noon.ts";
import { spawnSandbox } from "../support/sandbox.ts";
import { freeServicePorts } from "../support/service-ports.ts";
import { linesOf, serviceFolder } from "../support/service-folder.ts";
import { bootedMachine } from "./booted-machine.ts";

const remedy = "systemd-analyze has to be there: `apt-get install systemd`";

async function analyzed(...words: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)("systemd-analyze", words).catch((cause: unknown) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT")
      throw new Error(remedy, { cause });
    throw cause;
  });
  return stdout + stderr;
}

const kinds = {
  "with a Temporal of its own": {},
  "with one elsewhere": { TEMPORAL_ADDRESS: "temporal.example:7233" },
  "with a bucket": { ALMANAC_SITE: "s3://stars/site", ALMANAC_VAULT: "s3://stars-vault/site" },
};

beforeAll(() => analyzed("--version"));

test.for(Object.entries(kinds))(
  "the units of a machine %s are understood line by line",
  async ([, settings]) => {
    const root = serviceFolder(settings);
    const install = await almanac(["service", "install", "--root", root, "--json"], {
      cwd: join(root, "opt/almanac"),
      env: { HOME: homedir() },
    });
    expect(install).toMatchObject({ code: 0 });
    const { written } = z.object({ written: z.array(z.string()) }).parse(JSON.parse(install.stdout));
    expect(written.length).toBeGreaterThan(0);
    const said = await analyzed("verify", "--man=no", ...written);
    expect(said.split("\n").filter((line) => line.includes("almanac-"))).toEqual([]);
    // Exposure 0 means fully confined, 10 not at all; typical web servers are above 9.
    for (const unit of written.filter((path) => path.endsWith(".service")))
      await analyzed("security", "--offline=true", "--threshold=25", "--no-pager", unit);
  },
);

const project = "/opt/stars";
const program = [
  `/opt/almanac/node_modules/node-linux-${process.arch}/bin/node`,
  "/opt/almanac/scripts/almanac.js",
];

test("a machine that systemd runs is installed, loses its power in mid-night, and comes up again: nothing kept is asked twice", async () => {
  await awayFromMidnight();
  const sandbox = await spawnSandbox();
  onTestFinished(() => sandbox.close());
  const latency = { fixedMs: 300, jitterMs: 900 };
  await sandbox.latency({ english: latency, translator: latency });
  const checkout = fileURLToPath(new URL("../../", import.meta.url));
  const machine = await bootedMachine({ "opt/almanac": checkout });
  const { port, monitorPort: monitor } = await freeServicePorts();
  await writeSite(machine.own, sandbox, monitor);
  const service = async (...words: string[]) =>
    machine.run(
      "env",
      `HOME=${homedir()}`,
      "bash",
      "-c",
      `cd ${project} && "$@"`,
      "-",
      ...program,
      "service",
      ...words,
    );
  const vault = createVault(openFolder(machine.own("var-lib/almanac/vault")), "almanac");
  const held = async () => (existsSync(machine.own("var-lib/almanac/vault")) ? vault.held("") : []);

  await machine.on();
  const installed = await service("install", "--port", String(port));
  expect(installed, await machine.log()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("started, and enabled at boot"),
  });
  const active = async () =>
    (await machine.run("systemctl", "is-active", "almanac-temporal", "almanac-worker")).stdout;
  expect(await active()).toBe("active\nactive\n");
  for (const unit of ["almanac-temporal", "almanac-worker"])
    expect(await wallsOf(machine, unit)).toEqual(walled);
  expect(await service("run", "--", "nightly")).toMatchObject({ code: 0 });
  await until("some of the night to be kept", async () => (await held()).length > 4, 60_000);
  await machine.off();
  const keptBefore = await held();
  const { byRequest: askedBefore } = await sandbox.stats();

  await machine.on();
  await until("the units, by themselves", async () => (await active()) === "active\nactive\n", 60_000);
  const ended = await service("run", "--", "nightly", "--wait", "--json");
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(await service("run", "--", "verify")).toMatchObject({ code: 0 });
  const { byRequest: asked } = await sandbox.stats();
  expect((await held()).length).toBeGreaterThan(keptBefore.length);
  for (const key of keptBefore.filter(isStable))
    expect(asked[sandboxKey(key)]?.calls, `${key} was kept and asked again`).toBe(
      askedBefore[sandboxKey(key)]?.calls,
    );
  expect(await readFile(machine.own("srv/almanac/site/hi/index.html"), "utf8")).toContain('lang="hi"');

  expect(await service("remove")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("all data is kept:"),
  });
  expect((await active()).trim()).toBe("inactive\ninactive");
  expect(await held()).not.toEqual([]);
}, 240_000);

type Machine = Awaited<ReturnType<typeof bootedMachine>>;

async function writeSite(
  own: Machine["own"],
  sandbox: Awaited<ReturnType<typeof spawnSandbox>>,
  monitor: number,
) {
  await mkdir(own("opt/stars"));
  const configuration = {
    site: { id: `booted-${process.pid}` },
    languages: ["hi"],
    operations: ["daily-horoscope", "love-compatibility"],
    pairs: [["aries", "leo"]],
    zones: zonesAtNoon(),
    service: { ...quickService, answerTimeoutSeconds: { english: 2, translator: 2, legacy: 2 } },
  };
  await writeFile(own("opt/stars/almanac.config.ts"), `export default ${JSON.stringify(configuration)};\n`);
  const { READING_SERVICE_TOKEN, READING_SERVICE_API_KEY, ...variables } = environmentFor(sandbox);
  await mkdir(own("etc/almanac"));
  await writeFile(own("etc/almanac/token"), READING_SERVICE_TOKEN);
  await writeFile(own("etc/almanac/api-key"), READING_SERVICE_API_KEY);
  const settings = {
    ...variables,
    ALMANAC_VAULT: "file:///var/lib/almanac/vault",
    ALMANAC_SITE: "file:///srv/almanac/site",
    ALMANAC_MONITOR_ADDRESS: String(monitor),
  };
  await writeFile(own("etc/almanac/environment"), linesOf(settings));
}

/** No root, no capability, no new privilege, and a filter of system calls. */
const walled = { isRoot: false, CapEff: "0000000000000000", NoNewPrivs: "1", Seccomp: "2" };

async function wallsOf(machine: Machine, unit: string) {
  const { stdout: pid } = await machine.run("systemctl", "show", "-P", "MainPID", unit);
  const { stdout: status } = await machine.run("cat", `/proc/${pid.trim()}/status`);
  const of = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(status)?.[1];
  return {
    isRoot: of("Uid") === "0",
    CapEff: of("CapEff"),
    NoNewPrivs: of("NoNewPrivs"),
    Seccomp: of("Seccomp"),
  };
}
