// Programs that run until the test ends, each with its log in a file: one can be killed, stopped for a while and started again.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { AtEnd } from "../support/ends.ts";

export interface Program {
  readonly words: readonly string[];
  readonly log: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The user of these processes. Default: the current user. */
  readonly uid?: number;
}

export type Running = ReturnType<typeof begin>;

/** Servers that the returned function starts end with the test, even if it is interrupted. */
export function createServers(atEnd: AtEnd) {
  const children = new Set<ChildProcess>();
  const killAll = () => {
    for (const child of children) child.kill("SIGKILL");
  };
  atEnd(async () => {
    const ended = [...children].map(async (child) => {
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    });
    killAll();
    await Promise.all(ended);
  });
  return (program: Program): Running => begin(program, children);
}

function begin(
  { words: [command = "", ...words], log, cwd, env, uid }: Program,
  children: Set<ChildProcess>,
) {
  const file = openSync(log, "a");
  // The kernel ends it with this process, however that ends. The command keeps the process and its id.
  const child = spawn("setpriv", ["--pdeathsig", "KILL", "--", command, ...words], {
    cwd,
    env: env ?? process.env,
    stdio: ["ignore", file, file],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  closeSync(file);
  children.add(child);
  const exited = once(child, "exit");
  exited.catch(() => undefined);
  return {
    child,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    said: () => readFile(log, "utf8"),
    async end(signal: "SIGKILL" | "SIGTERM" | "SIGQUIT" | "SIGINT"): Promise<number | null> {
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}
