// Running processes. Process ids are reused, so an id read from a file does not prove that its process still runs: its command line does.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { codeOf } from "../../store/folder-faults.ts";

/** The command line of a process; undefined if no process has that id, or if it has ended or is ending. */
export async function commandLine(pid: number): Promise<string | undefined> {
  const reading =
    process.platform === "linux"
      ? readFile(`/proc/${pid}/cmdline`, "utf8").then((text) => text.replaceAll("\0", " "))
      : promisify(execFile)("ps", ["-ww", "-p", String(pid), "-o", "args="]).then(({ stdout }) => stdout);
  const words = (await reading.catch(() => "")).trim();
  return words === "" || words.startsWith("(") ? undefined : words; // ps shows a process that has ended in brackets
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
    if (codeOf(error) !== "ESRCH") throw error;
  }
}
