// Processor time and memory of processes that are not ours, read from the kernel as system tools do.
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** The kernel counts in hundredths of a second, on every Linux that Node runs on. */
const tickMs = 10;

/** Includes child processes, even ended ones. NaN without /proc, or if the process does not exist. */
export function processorMs(pid: number): number {
  const all = withChildren(pid).map(ownAndEndedMs);
  return all.length === 1 ? (all[0] ?? Number.NaN) : all.reduce((sum, ms) => sum + (ms || 0), 0);
}

/** User and system time, including ended children. */
function ownAndEndedMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the process name before may contain anything
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs;
  } catch {
    return Number.NaN;
  }
}

/** Peak resident memory. */
export function peakMemoryMb(pid: number): number {
  return fromStatus(pid, /VmHWM:\s+(\d+) kB/);
}

/** Resident memory now. */
export function memoryMb(pid: number): number {
  return fromStatus(pid, /VmRSS:\s+(\d+) kB/);
}

function fromStatus(pid: number, kilobytes: RegExp): number {
  try {
    return Number(kilobytes.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Total processor time of several processes, from now to the call of the returned function. */
export function processorMsFromNow(...pids: readonly number[]): () => number {
  const sum = () => pids.reduce((total, pid) => total + processorMs(pid), 0);
  const before = sum();
  return () => sum() - before;
}

const betweenLooksMs = 250;

/** Samples until it is called: peak memory of each process and its children together, in megabytes by name. */
export function watchMemory(roots: Readonly<Record<string, number>>): () => ReadonlyMap<string, number> {
  const peaks = new Map<string, number>();
  const seen = (who: string, mb: number): void => {
    if (mb > 0) peaks.set(who, Math.max(mb, peaks.get(who) ?? 0)); // a process that has just ended holds nothing
  };
  const look = (): void => {
    for (const [name, root] of Object.entries(roots)) {
      const pids = withChildren(root);
      for (const pid of pids) seen(pid === root ? name : `${name}: ${programOf(pid)}`, peakMemoryMb(pid));
      if (pids.length > 1)
        seen(
          `${name} and its own`,
          pids.reduce((sum, pid) => sum + memoryMb(pid), 0),
        );
    }
  };
  const timer = setInterval(look, betweenLooksMs);
  return () => {
    clearInterval(timer);
    look();
    return peaks;
  };
}

function withChildren(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"));
    const children = lists.flatMap((list) => list.split(" ").filter((word) => word !== ""));
    return [pid, ...children.flatMap((child) => withChildren(Number(child)))];
  } catch {
    return [pid];
  }
}

/** Node processes by the file that they run. */
function programOf(pid: number): string {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const [program = "", script = program] = words.filter((word) => word !== "" && !word.startsWith("-"));
    return basename(basename(program) === "node" ? script : program);
  } catch {
    return "a process";
  }
}
