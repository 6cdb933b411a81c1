// Command lines of running processes. Process ids are reused, so an id read from a file does not prove that its process still runs.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { codeOf } from "../../store/folder-faults.ts";

/** The command line of a process; undefined if no process has that id, or if it has ended or is ending. */
export async function commandLine(pid: number): Promise<string | undefined> {
  const words = process.platform === "linux" ? await fromProc(pid) : wordsOf(await ps("-p", String(pid)));
  return words === "" ? undefined : words;
}

/** The command lines of all visible processes, by id, which is roughly the order in which they started. */
export async function allCommandLines() {
  if (process.platform !== "linux") {
    return (await ps("-ax"))
      .split("\n")
      .map((line) => ({ pid: Number.parseInt(line, 10), words: wordsOf(line) }));
  }
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  pids.sort((one, other) => one - other);
  return Promise.all(pids.map(async (pid) => ({ pid, words: await fromProc(pid) })));
}

/** Whether a process is on its way out: its words are gone, but its ports and its locks on files may not be. */
export async function isEnding(pid: number): Promise<boolean> {
  if ((await commandLine(pid)) !== undefined) return false;
  if (process.platform !== "linux") return exists(pid);
  try {
    const facts = await readFile(`/proc/${pid}/stat`, "utf8");
    const collectable = facts.slice(facts.lastIndexOf(")") + 2).startsWith("Z");
    return !collectable || (await readdir(`/proc/${pid}/task`)).length > 1; // the first thread may end before others
  } catch {
    return false; // no such process
  }
}

async function fromProc(pid: number) {
  return readFile(`/proc/${pid}/cmdline`, "utf8").then(
    (text) => text.replaceAll("\0", " ").trim(),
    () => "",
  );
}

/** Lines of an id and the words. */
async function ps(...which: string[]) {
  return promisify(execFile)("ps", ["-ww", ...which, "-o", "pid=,args="], { maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => stdout.trim(),
    () => "",
  );
}

// A process that has ended but is not yet collected is shown as a name in brackets.
function wordsOf(line: string) {
  const words = line.replace(/^\s*\d+\s+/, "").trim();
  return words.startsWith("(") ? "" : words;
}

/** Whether a process exists at this moment: one that has ended but is not yet collected counts as there. */
export function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM"; // there, and somebody else's
  }
}

/** Signals a process that leads its own group, with all it started; one that has gone meanwhile is no fault. */
export function signalGroup(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return;
    throw error;
  }
}

/** Error of `execFile`: the executable did not start, or failed. */
export const executionFailure = z.object({
  code: z.union([z.string(), z.number()]).nullish(),
  signal: z.string().nullish(),
  killed: z.boolean().nullish(),
  stderr: z.string().default(""),
});
