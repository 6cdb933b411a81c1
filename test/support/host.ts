// A helper process that starts and stops the resources of several tests, because most of a process's cost is its start and the
// first run of its code.
import { type ChildProcess, fork } from "node:child_process";
import { basename } from "node:path";
import { z } from "zod";

const answer = z.object({ id: z.number(), error: z.string().optional(), value: z.unknown().optional() });

/** `id` of the resource. */
const wished = z.looseObject({ kind: z.enum(["start", "stop"]), id: z.number() });
export type Wish = z.infer<typeof wished>;

interface Host {
  readonly child: ChildProcess;
  readonly waiting: Map<number, (answer: { error?: string | undefined; value?: unknown }) => void>;
}

/** Asks a process that runs this script; it is started with the first wish and ends with this process. */
export function hosted(script: string): (wish: Wish) => Promise<unknown> {
  let host: Host | undefined;
  const gone = (): void => void (host = undefined);
  return async (wish) => {
    const { child, waiting } = (host ??= startHost(script, gone));
    const { promise, resolve } = Promise.withResolvers<{ error?: string | undefined; value?: unknown }>();
    waiting.set(wish.id, resolve);
    child.send(wish);
    const { error, value } = await promise;
    if (error !== undefined)
      throw new Error(`the process of ${basename(script)} did not ${wish.kind} number ${wish.id}: ${error}`);
    return value;
  };
}

function startHost(script: string, gone: () => void): Host {
  const child = fork(script, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const waiting: Host["waiting"] = new Map();
  child.on("message", (message) => {
    const { id, ...said } = answer.parse(message);
    waiting.get(id)?.(said);
    waiting.delete(id);
  });
  child.once("exit", (code, signal) => {
    gone();
    process.stderr.write(
      `the process of ${basename(script)} has ended (${code ?? signal}), with all that it ran\n`,
    );
    for (const resolve of waiting.values()) resolve({ error: `it has ended (${code ?? signal})` });
  });
  child.unref();
  child.channel?.unref();
  return { child, waiting };
}

/** The script's side: responds with the result of `start`, and ends with the calling process. */
export function serve(start: (wish: Wish) => Promise<unknown>, stop: (id: number) => Promise<void>): void {
  process.on("disconnect", () => process.exit());
  process.on("message", (message) => {
    const wish = wished.parse(message);
    const { id } = wish;
    const doing = wish.kind === "start" ? start(wish) : stop(id);
    doing.then(
      (value) => process.send?.({ id, value }),
      (error: unknown) => process.send?.({ id, error: String(error) }),
    );
  });
}
