// A machine for one test: the files that `almanac service install --root` writes below a folder, and a replacement for systemd that
// runs the units' lines unchanged, with their folders and settings. Everything ends with the test.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import { Client, Connection } from "@temporalio/client";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { placesBelow } from "../../scripts/service/units.ts";
import { openFolder } from "../../store/folder.ts";
import { createVault } from "../../vault/vault.ts";
import { killGroup } from "../../worker/temporal/temporal-server.ts";
import { workflowsBundled } from "./bundled.ts";
import { almanac, type Circumstances, environmentFor } from "./cli.ts";
import { deep } from "./deep.ts";
import { type AtEnd, atItsEnd } from "./ends.ts";
import { zonesAtNoon } from "./noon.ts";
import { sharedSandbox, spawnSandbox } from "./sandbox.ts";
import { openScene } from "./scenes.ts";
import { freeServicePorts } from "./service-ports.ts";

export type OneMachine = Awaited<ReturnType<typeof createMachine>>;

/** The lines of a unit that concern its process. */
interface Lines {
  readonly start: readonly string[];
  /** Commands to run once the process has started. */
  readonly after: readonly (readonly string[])[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const unitOrder = ["temporal", "worker"] as const;
type UnitName = (typeof unitOrder)[number];

let machines = 0;

export async function createMachine(configuration: ConfigurationInput, atEnd: AtEnd = atItsEnd) {
  await workflowsBundled();
  machines += 1;
  const id = `m${process.pid}-${machines}`;
  const root = await mkdtemp(join(tmpdir(), "almanac-machine-"));
  const sandbox = await (deep ? spawnSandbox() : sharedSandbox());
  const places = placesBelow(root);
  const project = join(root, "opt/almanac");
  const [vaultFolder, siteFolder] = [join(places.state, "vault"), join(root, "srv/almanac/site")];
  // systemd makes the folders that a unit names as StateDirectory.
  for (const folder of [project, dirname(places.environment), places.state, dirname(places.database)])
    await mkdir(folder, { recursive: true });
  const configured = { zones: zonesAtNoon(), ...configuration, site: { id } };
  await writeFile(join(project, "almanac.config.ts"), `export default ${JSON.stringify(configured)};\n`);
  const { READING_SERVICE_TOKEN, READING_SERVICE_API_KEY, ...variables } = environmentFor(sandbox);
  await writeFile(places.token, `${READING_SERVICE_TOKEN}\n`);
  await writeFile(places.apiKey, `${READING_SERVICE_API_KEY}\n`);
  const { port, monitorPort } = await freeServicePorts();
  const settings: Record<string, string> = {
    ...variables,
    ALMANAC_VAULT: pathToFileURL(vaultFolder).href,
    ALMANAC_SITE: pathToFileURL(siteFolder).href,
    ALMANAC_MONITOR_ADDRESS: String(monitorPort),
  };
  const children = new Set<ChildProcess>();
  const mains = new Map<UnitName, ChildProcess>();
  const killNow = () => {
    for (const { pid, exitCode, signalCode } of children)
      if (pid !== undefined && exitCode === null && signalCode === null) killGroup(pid);
  };
  process.once("exit", killNow); // also when the tests themselves are cut short
  const typed = (words: readonly string[], more: Circumstances = {}) =>
    almanac(["service", ...words], { cwd: project, env: { HOME: homedir() }, ...more });

  /** Everything at once, with all that it has started. */
  async function kill(): Promise<void> {
    const ended = [...children].map(async (child) => {
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    });
    killNow();
    await Promise.all(ended);
    children.clear();
  }

  function launch({ cwd, env }: Lines, [program = "", ...words]: readonly string[]): ChildProcess {
    // A separate process group, because systemd ends a unit with all its child processes.
    const child = spawn(program, words, { cwd, env, stdio: ["ignore", "ignore", "pipe"], detached: true });
    children.add(child);
    child.stderr?.on("data", (chunk: Buffer) => void writeFile(join(root, "log"), chunk, { flag: "a" }));
    return child;
  }

  /** Starts the units of that name's end, in their order, and is done when they are up; false where it was killed meanwhile. */
  async function up(name: UnitName): Promise<boolean> {
    const lines = await linesIn(await readFile(join(places.units, `almanac-${name}.service`), "utf8"));
    const main = launch(lines, lines.start);
    mains.set(name, main);
    for (const words of lines.after) {
      const child = launch({ ...lines, env: { ...lines.env, MAINPID: String(main.pid) } }, words);
      const [code, signal]: unknown[] = await once(child, "exit");
      if (signal === "SIGKILL" || main.signalCode === "SIGKILL") return false;
      if (code !== 0) throw new Error(`${words.join(" ")} ended with ${String(code)}:\n${await log()}`);
    }
    return true;
  }

  const log = () => readFile(join(root, "log"), "utf8").catch(() => "");
  const vault = createVault(openFolder(vaultFolder), id);
  const closeScene = openScene({ id, logPath: join(root, "log"), sandbox, vault });
  atEnd(async () => {
    closeScene();
    await kill();
    process.off("exit", killNow);
    await sandbox.close();
    await rm(root, { recursive: true, force: true });
  });

  return {
    id,
    root,
    places,
    sandbox,
    settings,
    vault,
    address: `127.0.0.1:${port}`,
    kill,
    log,
    /** Writes the settings, and then the units for them, also by the command of another checkout. */
    async install(entry?: string) {
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
      await rm(places.environment, { force: true });
      await writeFile(places.environment, lines.join(""));
      const words = ["install", "--root", root, "--port", String(port), "--json"];
      const ran = await typed(words, entry === undefined ? {} : { entry });
      if (ran.code !== 0) throw new Error(ran.stdout + ran.stderr);
      return ran;
    },
    units: async () => (await readdir(places.units)).toSorted(),
    /** Starts units like a booting machine. */
    async start(): Promise<boolean> {
      for (const name of unitOrder) {
        if (!(await readdir(places.units)).includes(`almanac-${name}.service`)) continue;
        if (!(await up(name))) return false;
      }
      return true;
    },
    up,
    /** Stops a unit like systemd. */
    async stop(name: UnitName): Promise<void> {
      const main = mains.get(name);
      if (main === undefined) throw new Error(`${name} does not run`);
      const ended = once(main, "exit");
      main.kill("SIGTERM");
      await ended;
    },
    run: (...words: string[]) => typed(["run", "--root", root, "--", ...words], { ownProcess: true }),
    /** The most memory that the process of a unit has had, in MB. */
    async peakMemory(name: UnitName): Promise<number> {
      const status = await readFile(`/proc/${mains.get(name)?.pid}/status`, "utf8").catch(() => "");
      return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024);
    },
    /** The database with its log of writes, as it is in one instant. */
    async copyDatabase(): Promise<void> {
      const server = mains.get("temporal");
      if (server === undefined) throw new Error("no server runs");
      server.kill("SIGSTOP");
      try {
        await rm(`${dirname(places.database)}-before`, { recursive: true, force: true });
        await cp(dirname(places.database), `${dirname(places.database)}-before`, { recursive: true });
      } finally {
        server.kill("SIGCONT");
      }
    },
    /** Resets the database to the copy, or removes it. */
    async resetDatabase(to: "copied" | "lost"): Promise<void> {
      await rm(dirname(places.database), { recursive: true });
      if (to === "lost") await mkdir(dirname(places.database));
      else await cp(`${dirname(places.database)}-before`, dirname(places.database), { recursive: true });
    },
  };
}

/** Runs work with a client of that Temporal. */
export async function withClientAt<Result>(
  address: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const connection = await Connection.connect({ address });
  try {
    return await work(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

/** Merges settings like systemd: the environment file overrides the unit. */
async function linesIn(unit: string): Promise<Lines> {
  const all = (name: string) =>
    Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm")), ([, value = ""]) => value);
  const [cwd = ""] = all("WorkingDirectory");
  const own = all("Environment").flatMap((line) => line.split(" "));
  const pairs = own.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  const files = all("EnvironmentFile").map(async (path) => parseEnv(await readFile(path, "utf8")));
  return {
    start: wordsIn(all("ExecStart")[0] ?? ""),
    after: all("ExecStartPost").map(wordsIn),
    cwd,
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin",
      ...(all("User").length === 0 ? {} : { HOME: cwd }),
      ...Object.fromEntries(pairs),
      ...Object.assign({}, ...(await Promise.all(files))),
    },
  };
}

function wordsIn(line: string): string[] {
  return Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? "");
}
