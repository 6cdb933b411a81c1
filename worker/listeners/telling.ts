// Tells the listeners, after a publish, what shows something else now. A publish only notes it (untold-note.ts); the telling is a
// step of its own after it, which fails nothing: what a listener does not take is said to a person, stays noted, and is told
// with the next publish or turn.
import { setTimeout as delay } from "node:timers/promises";
import type { Alert } from "../../activities/alert-kinds.ts";
import type { PublishingPlace } from "../../publish/state/publishing-place.ts";
import { type Store, StoreFailure } from "../../store/store.ts";
import { reportingWait } from "../../store/waits.ts";
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
  /** Told after the caches too, because a build reads the site through them, but also where one of them is away. */
  readonly builder?: Listener;
  readonly alert: (alert: Alert) => Promise<void>;
  readonly log: Log;
  readonly now: () => Date;
}

export type Telling = Required<Pick<PublishingPlace, "noteChange" | "tellChanges">>;

/** Undefined where nobody listens: then a publish reads and writes nothing for it. */
export function createTelling(settings: TellingSettings): Telling | undefined {
  const { vault, caches, hub, builder, log } = settings;
  const listeners = [...caches, hub, builder].filter((one) => one !== undefined);
  if (listeners.length === 0) return undefined;
  return {
    noteChange: (shown) => noteUntold(vault, listeners, shown),
    async tellChanges() {
      try {
        const untold = await readUntold(vault);
        const signal = AbortSignal.timeout(mostMs);
        const tellOne = (listener: Listener) => told(listener, untold.get(listener.name), signal, settings);
        const isTold = await Promise.all(caches.map(tellOne));
        const areCachesTold = isTold.every(Boolean);
        await Promise.all([
          hub !== undefined && areCachesTold && tellOne(hub),
          builder !== undefined && tellOne(builder),
        ]);
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
  const failure = await reportingWait(name, mostMs, () => tried(listener, waiting, signal));
  if (failure === undefined) {
    await forgetTold(vault, name, waiting);
    log.info({ listener: name, items: waiting.items.length }, "told what changed");
    return true;
  }
  const { seen, remedy } = failure.facts;
  const once = `${now().toISOString().slice(0, 10)} ${name}`;
  const { kind, what } = impactOf(name);
  const text = `${what}: ${seen}. Next: ${remedy}. It is tried again with each publish and turn.`;
  await alert({ kind, text, once });
  return false;
}

function impactOf(name: Listener["name"]) {
  switch (name) {
    case "hub":
      return { kind: "hub-not-told", what: "Subscribers of feeds wait" } as const;
    case "published":
      return { kind: "published-not-told", what: "Sites that are built from this one wait" } as const;
    default:
      return {
        kind: "cache-not-purged",
        what: "Readers may see pages from before the last publish",
      } as const;
  }
}

async function tried(listener: Listener, { items, reference, shown }: Waiting, signal: AbortSignal) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await listener.tell({ items, reference, shown, signal });
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
