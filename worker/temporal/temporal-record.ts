// `local.json`: where a state folder's Temporal server is and who uses it, for the next run and for other commands.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { allCommandLines } from "./processes.ts";
import { isServerAt } from "./temporal-handle.ts";

const localServer = z.object({
  address: z.string().regex(/^127\.0\.0\.1:\d+$/),
  uiUrl: z.url(),
  pid: z.int().positive(),
  startedAt: z.iso.datetime(),
  databasePath: z.string(),
  /** The processes that use it, once for each use; one that was killed stands here until somebody counts. */
  users: z.array(z.int().positive()),
});
export type LocalServer = z.infer<typeof localServer>;

/** The server that runs for this folder, or undefined; it may be a moment from being ready. */
export async function readLocal(stateFolder: string): Promise<LocalServer | undefined> {
  const record = readRecord(stateFolder);
  return record !== undefined && (await isServerAt(record)) ? record : undefined;
}

const portsPattern = / --port (\d+) --ui-port (\d+) /;

/**
 * The server that has this database, by the words it was started with: a starter that was killed in the few
 * milliseconds between starting it and writing the record has left one that no record names.
 */
export async function findOnDatabase(databasePath: string): Promise<LocalServer | undefined> {
  for (const { pid, words } of await allCommandLines()) {
    if (!words.includes(" start-dev ") || !words.includes(` --db-filename ${databasePath} `)) continue;
    const [, port, uiPort] = portsPattern.exec(words) ?? [];
    if (port === undefined) continue;
    const address = `127.0.0.1:${port}`;
    const uiUrl = `http://127.0.0.1:${uiPort}`;
    return { address, uiUrl, pid, startedAt: new Date().toISOString(), databasePath, users: [] };
  }
  return undefined;
}

/** What was last written, whether or not that server still runs. One that cannot be read is as good as none. */
export function readRecord(stateFolder: string): LocalServer | undefined {
  try {
    return localServer.parse(JSON.parse(readFileSync(recordPath(stateFolder), "utf8")));
  } catch {
    return undefined;
  }
}

/** Written at once and whole: the moment between a server's start and its record must be short. */
export function writeRecord(stateFolder: string, record: LocalServer): void {
  const path = recordPath(stateFolder);
  writeFileSync(`${path}.tmp`, `${JSON.stringify(record, undefined, 2)}\n`);
  renameSync(`${path}.tmp`, path); // only the holder of the lock writes, so one temporary name is enough
}

export function removeRecord(stateFolder: string): void {
  rmSync(recordPath(stateFolder), { force: true });
}

function recordPath(stateFolder: string) {
  return join(stateFolder, "local.json");
}
