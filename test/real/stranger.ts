// A stranger's machine: a Node and the npm of its time, an empty home, an empty cache, and a registry; nothing of ours.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { temporalExecutable } from "../support/temporal.ts";

const ran = z.object({ code: z.number().default(0), stdout: z.string(), stderr: z.string() });
export type Told = z.infer<typeof ran>;

export interface Stranger {
  /** The folder for the site, empty at first. */
  readonly site: string;
  /** Runs a program there; returns its output and exit code. */
  readonly run: (program: string, words: readonly string[]) => Promise<Told>;
  /** A shell line that runs until it is stopped, as by Ctrl-C, in one process group. */
  readonly start: (line: string) => ChildProcessWithoutNullStreams;
}

/** `node` and `npm` are versions or ranges, as npm takes them. */
export async function newStranger(
  folder: string,
  registry: string,
  versions: { node: string; npm: string },
): Promise<Stranger> {
  const tools = join(folder, "tools");
  const site = join(folder, "site");
  for (const path of [tools, site, join(folder, "home")]) await mkdir(path, { recursive: true });
  // The binary package directly: the package named node would download it with an install script.
  const node = `node-${process.platform}-${process.arch}@${versions.node}`;
  const words = [
    "install",
    "--prefix",
    tools,
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    node,
    `npm@${versions.npm}`,
  ];
  await promisify(execFile)("npm", words, { cwd: folder });
  const env = {
    PATH: `${join(tools, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
    HOME: join(folder, "home"),
    TEMPORAL_CLI_PATH: await temporalExecutable(),
    npm_config_registry: registry,
    npm_config_cache: join(folder, "cache"),
  };
  const run = async (program: string, given: readonly string[]) => {
    const ending = promisify(execFile)(program, given, { cwd: site, env, maxBuffer: 2 ** 26 });
    return ran.parse(await ending.catch((failure: unknown) => failure));
  };
  const start = (line: string) => spawn("sh", ["-c", line], { cwd: site, env, detached: true });
  return { site, run, start };
}
