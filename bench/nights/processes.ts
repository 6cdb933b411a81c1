// What processes cost that are not ours to ask: read from the kernel, as the machine's own tools do.
import { readFileSync } from "node:fs";

/** The kernel counts in hundredths of a second, on every Linux that Node runs on. */
const tickMs = 10;

/** Of its own and of no child's, user's and system's together; not a number where there is no /proc, or no process. */
export function processorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the name before may hold anything
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return Number.NaN;
  }
}

/** The most that it ever held. */
export function peakMemoryMb(pid: number): number {
  return fromStatus(pid, /VmHWM:\s+(\d+) kB/);
}

/** What it holds now. */
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

/** Of several, from now to when it is called. */
export function processorMsFromNow(...pids: readonly number[]): () => number {
  const sum = () => pids.reduce((total, pid) => total + processorMs(pid), 0);
  const before = sum();
  return () => sum() - before;
}
