// A PostgreSQL for one test or measure, which can crash and begin again. It refuses to run as root, which runs it as the user that
// owns nothing.
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { AtEnd } from "../support/ends.ts";
import { until } from "../support/night.ts";
import { isExecutable, onPath } from "../support/on-path.ts";
import { createServers, type Running } from "./servers.ts";

const nobody = 65_534;
const run = promisify(execFile);

function programOf(name: string): string {
  const debian = globSync(`/usr/lib/postgresql/*/bin/${name}`).toSorted().toReversed();
  const path = onPath(name) ?? debian.find(isExecutable);
  if (path === undefined) throw new Error(`${name} has to be there: \`apt-get install postgresql\``);
  return path;
}

export async function createPostgres(atEnd: AtEnd) {
  const [initdb, postgres] = [programOf("initdb"), programOf("postgres")];
  const [isReady, psql] = [programOf("pg_isready"), programOf("psql")];
  const folder = await mkdtemp(join(tmpdir(), "almanac-postgres-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined;
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, "data");
  await run(initdb, ["-D", data, "-U", "temporal", "--auth=trust", "-E", "UTF8", "--locale=C", "-N"], {
    ...user,
    cwd: folder,
  });
  const [port = 0] = await freePorts([undefined]);
  const start = createServers(atEnd);
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${folder}`];
  const words = [postgres, "-D", data, "-p", String(port), ...settings, "-c", "max_connections=300"];
  let server: Running | undefined;

  async function up(): Promise<void> {
    await until(
      "PostgreSQL to answer",
      async () => {
        // After a crash the other processes remain for a moment, and PostgreSQL does not start until they end.
        if (server?.isRunning() !== true)
          server = start({ words, log: join(folder, "log"), cwd: folder, ...user });
        return run(isReady, ["-h", "127.0.0.1", "-p", String(port), "-U", "temporal"]).then(
          () => true,
          () => false,
        );
      },
      60_000,
    ).catch(async (cause: unknown) => {
      throw new Error(`PostgreSQL does not start:\n${await server?.said()}`, { cause });
    });
  }

  await up();
  return {
    port,
    start: up,
    kill: async () => void (await server?.end("SIGKILL")),
    /** The first process, which starts the others. */
    pid: () => server?.child.pid ?? Number.NaN,
    /** Result of a query that returns one number. */
    async ask(sql: string): Promise<number> {
      const place = ["-h", "127.0.0.1", "-p", String(port), "-U", "temporal", "-d", "postgres"];
      return Number((await run(psql, [...place, "-Atc", sql])).stdout);
    },
  };
}
