// Temporal connection that supports credential rotation. The credentials are read again every few seconds. If they have changed, a
// new connection is opened and replaces the old one once Temporal has answered on it. If the new credentials are invalid or only half
// written, the old connection stays in use.
import { isDeepStrictEqual } from "node:util";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../vault/log.ts";

const lookEveryMs = 5_000;

interface Closable {
  close(): Promise<void>;
}

interface Renewal<Credentials, Connected> {
  readonly read: () => Credentials;
  readonly open: (credentials: Credentials) => Promise<Connected>;
}

export interface RenewedConnection<Connected, Credentials = unknown> {
  readonly current: () => Connected;
  /** Credentials of the current connection. */
  readonly credentials: () => Credentials;
  /** Starts the periodic check; each new connection is passed to `use`. */
  readonly watch: (use?: (next: Connected) => void, log?: Log) => void;
  readonly close: () => Promise<void>;
}

export async function renewedConnection<Credentials, Connected extends Closable>({
  read,
  open,
}: Renewal<Credentials, Connected>): Promise<RenewedConnection<Connected, Credentials>> {
  let credentials = read();
  let current = await open(credentials);
  // A call that began on it ends there: it stays open until the next one takes its place, too.
  let before: Connected | undefined;
  const closing = new AbortController();

  async function renew(use: (next: Connected) => void): Promise<boolean> {
    const now = read();
    if (isDeepStrictEqual(now, credentials)) return false;
    const next = await open(now);
    if (closing.signal.aborted) {
      await next.close();
      return false;
    }
    const oldest = before;
    [credentials, before, current] = [now, current, next];
    use(next);
    await oldest?.close();
    return true;
  }

  async function look(use: (next: Connected) => void, log: Log | undefined): Promise<void> {
    let reported = "";
    while (await passed(lookEveryMs, closing.signal)) {
      try {
        if (await renew(use)) log?.info({}, "new Temporal credentials loaded");
        reported = "";
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const line = "cannot use the new Temporal credentials; the previous ones stay in use";
        if (why !== reported) log?.warn({ why }, line);
        reported = why;
      }
    }
  }

  return {
    current: () => current,
    credentials: () => credentials,
    watch: (use = () => undefined, log) => void look(use, log),
    async close() {
      closing.abort();
      await before?.close();
      await current.close();
    },
  };
}

/** False if the wait was aborted. */
async function passed(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { ref: false, signal }).catch(() => false);
}
