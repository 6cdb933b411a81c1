// The handle on a running Temporal server: is it the one we mean, does it answer, stop it, hear of its death.
import { setTimeout as delay } from "node:timers/promises";
import { Connection } from "@temporalio/client";
import { commandLine, isEnding, signalGroup } from "./processes.ts";

export interface ServerPlace {
  readonly address: string;
  readonly uiUrl: string;
  readonly pid: number;
}

type ServerProcess = Pick<ServerPlace, "pid" | "address">;

export type TemporalServer = ReturnType<typeof watched>;

const defaultStopGraceMs = 10_000; // 3 s as a rule
/** A killed process goes at once, unless the machine has no time for it. */
const killGraceMs = 10_000;
const watchEveryMs = 200;

/**
 * Whether the process with this id is the server that was started on this address. A busy machine now and then answers a
 * look with nothing although the process is there: only several in a row count.
 */
export async function isServerAt(place: ServerProcess): Promise<boolean> {
  for (let look = 0; look < 4; look += 1) {
    if (await looksLikeServer(place)) return true;
    await delay(10);
  }
  return false;
}

async function looksLikeServer(place: ServerProcess) {
  const words = (await commandLine(place.pid)) ?? "";
  const port = place.address.slice(place.address.lastIndexOf(":") + 1);
  return words.includes(" start-dev ") && words.includes(` --port ${port} `);
}

/** Settles when a server's process has ended and let go of its ports and files, whoever started it. */
export async function processGone(place: ServerProcess): Promise<string> {
  while (await isServerAt(place)) await delay(watchEveryMs, undefined, { ref: false });
  while (await isEnding(place.pid)) await delay(5);
  return "its process is gone";
}

/** Whether a Temporal server answers there, with the namespace when one is named. */
export async function answers(address: string, namespace?: string, connectTimeoutMs = 500): Promise<boolean> {
  const channelArgs = {
    "grpc.use_local_subchannel_pool": 1, // else an earlier refusal's backoff is shared
    "grpc.initial_reconnect_backoff_ms": 20,
    "grpc.max_reconnect_backoff_ms": 100,
  };
  try {
    const connection = await Connection.connect({ address, connectTimeout: connectTimeoutMs, channelArgs });
    try {
      if (namespace === undefined) return true;
      const ask = async () => connection.workflowService.describeNamespace({ namespace });
      await connection.withDeadline(Date.now() + 2_000, ask);
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

/** The handle on a running server; `gone` settles when its process has ended. */
export function watched(
  place: ServerPlace,
  logPath: string,
  gone: Promise<string>,
  stopGraceMs = defaultStopGraceMs,
) {
  let asked = false;
  let over = false;
  void gone.then(() => (over = true));
  /** Settles only when the server ends without having been asked to, with a sentence that says so. */
  const died = new Promise<string>((settle) => {
    const tell = (how: string) =>
      settle(`the Temporal server (process ${place.pid}) ended by itself: ${how}; its log is ${logPath}`);
    void gone.then((how) => (asked ? undefined : tell(how)));
  });
  /** Sends SIGTERM, and SIGKILL when that takes too long; resolves when the process has gone. */
  const stop = async () => {
    asked = true;
    if (over) return;
    if (await isServerAt(place)) signalGroup(place.pid, "SIGTERM");
    if (await within(stopGraceMs, gone)) return;
    if (await isServerAt(place)) signalGroup(place.pid, "SIGKILL");
    if (await within(killGraceMs, gone)) return;
    throw new Error(`the Temporal server (process ${place.pid}) does not end, even after SIGKILL`);
  };
  /** Sends SIGKILL at once, for a second Ctrl-C. All that the server has answered is on the disk. */
  const kill = () => {
    asked = true;
    if (!over) signalGroup(place.pid, "SIGKILL");
  };
  return { ...place, died, stop, kill };
}

async function within(timeoutMs: number, gone: Promise<unknown>) {
  const timer = new AbortController();
  try {
    return await Promise.race([gone.then(() => true), delay(timeoutMs, false, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
