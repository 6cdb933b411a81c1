// Tells the listeners, after a publish, what shows something else now. A publish only notes it (untold-note.ts); the telling is a
// step of its own after it, which fails nothing: what a listener does not take is said to a person, stays noted, and is told
// with the next publish or turn.
import { setTimeout as delay } from "node:timers/promises";
import type { Alert } from "../../activities/dependencies.ts";
import type { PublishingPlace } from "../../publish/state/publishing-place.ts";
import { type Store, StoreFailure } from "../../store/store.ts";
import type { Log } from "../../vault/log.ts";
import { CredentialsUnreadable } from "../settings/credentials.ts";
import { type Listener, NotTold } from "./listener.ts";
import { forgetTold, noteUntold, readUntold, type Waiting } from "./untold-note.ts";

/** Short beside the 15 minutes after which a turn tries again; a listener that asks for longer is left alone until then. */
const pausesMs = [1_000, 3_000, 6_000];
const longestPauseMs = 10_000;
const mostMs = 45_000;

interface TellingSettings {
  readonly vault: Store;
  /** The caches, and then the hub: it fetches the feeds at once, and should get the new ones. */
  readonly caches: readonly Listener[];
  readonly hub?: Listener;
  readonly alert: (alert: Alert) => Promise<void>;
  readonly log: Log;
  readonly now: () => Date;
}

export type Telling = Required<Pick<PublishingPlace, "noteChange" | "tellChanges">>;

/** Undefined where nobody listens: then a publish reads and writes nothing for it. */
export function createTelling(settings: TellingSettings): Telling | undefined {
  const { vault, caches, hub, log } = settings;
  const listeners = [...caches, ...(hub === undefined ? [] : [hub])];
  if (listeners.length === 0) return undefined;
  return {
    noteChange: ({ paths }) => noteUntold(vault, listeners, paths),
    async tellChanges() {
      try {
        const untold = await readUntold(vault);
        const signal = AbortSignal.timeout(mostMs);
        const tellOne = (listener: Listener) => told(listener, untold.get(listener.name), signal, settings);
        const isTold = await Promise.all(caches.map(tellOne));
        if (hub !== undefined && isTold.every(Boolean)) await tellOne(hub);
      } catch (error) {
        // The publish is over and good: what is noted is told by the next one. Only a store's words are sure to hold no secret.
        const facts = error instanceof Error ? error : new Error("unknown");
        const seen = facts instanceof StoreFailure ? facts.message : facts.name;
        log.warn(
          { error: seen },
          "caches could not be told what changed; the next publish or turn tells them",
        );
      }
    },
  };
}

/** Whether nothing more waits for it. */
async function told(
  listener: Listener,
  waiting: Waiting | undefined,
  signal: AbortSignal,
  { vault, log, alert, now }: TellingSettings,
): Promise<boolean> {
  if (waiting === undefined) return true;
  const { name } = listener;
  const failure = await tried(listener, waiting, signal);
  if (failure === undefined) {
    await forgetTold(vault, name, waiting);
    log.info({ listener: name, items: waiting.items.length }, "told what changed");
    return true;
  }
  const { seen, remedy } = failure.facts;
  const once = `${now().toISOString().slice(0, 10)} ${name}`;
  const what =
    name === "hub" ? "Subscribers of feeds wait" : "Readers may see pages from before the last publish";
  const text = `${what}: ${seen}. Next: ${remedy}. It is tried again with each publish and turn.`;
  await alert({ kind: name === "hub" ? "hub-not-told" : "cache-not-purged", text, once });
  return false;
}

async function tried(listener: Listener, { items, reference }: Waiting, signal: AbortSignal) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await listener.tell({ items, reference, signal });
      return undefined;
    } catch (error) {
      if (error instanceof CredentialsUnreadable)
        return new NotTold({ seen: error.message, remedy: "see to that file", again: false });
      if (!(error instanceof NotTold)) throw error;
      const pauseMs = pausesMs[attempt];
      const waitMs = Math.max(pauseMs ?? 0, error.facts.afterMs ?? 0);
      if (!error.facts.again || pauseMs === undefined || waitMs > longestPauseMs || signal.aborted)
        return error;
      await delay(waitMs);
    }
  }
}
