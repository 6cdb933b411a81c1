// Downloads missing pictures within the time limit of one publish. If a picture fails, its link stays as it is, and a later night
// tries again. If time runs out first, the next publish tries.
import { setBounded } from "../../readings/bounded-map.ts";
import { type Store, StoreFailure, inParallel } from "../../store/store.ts";
import type { Log } from "../../vault/vault.ts";
import { guardedAgent, fetchPicture, type FetchRules, isAllowed, NoPicture } from "./download.ts";
import { keptPictures, type KeptPictures, type Pictures } from "./kept-pictures.ts";

export interface MirrorSettings extends FetchRules {
  readonly store: Store;
  readonly log: Log;
  readonly now: () => Date;
  /** How long one publish fetches pictures at most. */
  readonly mostMs?: number;
  readonly answerMs?: number;
}

/** Time for about a hundred pictures; no edition waits longer for its publish. */
const mostMsOfPublish = 30_000;
/** From the call to the last byte, so that a slow drip ends, too. */
const answerMsOfPicture = 10_000;
const atOnce = 4;
/** A failed picture is tried again after this time, which is longer than one night's publishes and shorter than two nights. */
const triedAgainAfterMs = 12 * 60 * 60_000;
/** Maximum number of failed addresses to remember. A forgotten one is tried with the next publish. */
const mostFailed = 10_000;
/** Consecutive failed pictures after which a host is left alone for an hour. */
const mostInRow = 5;
const quietMs = 60 * 60_000;

interface Memory {
  readonly kept: KeptPictures;
  /** Address -> when it failed. */
  readonly failed: Map<string, number>;
  /** Host -> failures in a row, and when the last one was. */
  readonly hosts: Map<string, { readonly inRow: number; readonly atMs: number }>;
}

export function createMirror(settings: MirrorSettings): Pictures {
  const memory = { kept: keptPictures(settings.store, settings.log), failed: new Map(), hosts: new Map() };
  const forOnePublish = (): Pictures => {
    let leftMs = settings.mostMs ?? mostMsOfPublish;
    return {
      async pathsOf(addresses) {
        const paths = await memory.kept.pathsOf(addresses);
        const missing = [...addresses].filter((one) => !paths.has(one) && isDue(one, settings, memory));
        if (missing.length === 0 || leftMs <= 0) return paths;
        const startedMs = performance.now();
        for (const [address, path] of await fetchAll(missing, leftMs, settings, memory))
          paths.set(address, path);
        leftMs -= performance.now() - startedMs;
        return paths;
      },
      file: (path) => memory.kept.file(path),
      forOnePublish,
    };
  };
  return forOnePublish();
}

function isDue(address: string, settings: MirrorSettings, { failed }: Memory) {
  const failedMs = failed.get(address);
  const isFresh = failedMs !== undefined && settings.now().getTime() - failedMs < triedAgainAfterMs;
  return !isFresh && isAllowed(address, settings);
}

async function fetchAll(
  addresses: readonly string[],
  leftMs: number,
  settings: MirrorSettings,
  memory: Memory,
) {
  const { log } = settings;
  const agent = guardedAgent(settings);
  const over = AbortSignal.timeout(Math.ceil(leftMs));
  const got = new Map<string, string>();
  const wrong = new Map<string, string>();
  try {
    await inParallel(
      addresses,
      async (address) => {
        if (over.aborted || isQuiet(address, settings, memory)) return;
        const patience = AbortSignal.timeout(settings.answerMs ?? answerMsOfPicture);
        try {
          const signal = AbortSignal.any([over, patience]);
          const picture = await fetchPicture(address, settings, agent, signal);
          got.set(address, await memory.kept.keep(address, picture, settings.now()));
          memory.hosts.delete(new URL(address).host);
        } catch (error) {
          if (over.aborted && !(error instanceof NoPicture)) return; // out of time, which is not its fault
          const seen = patience.aborted ? "no complete response in time" : seenIn(error);
          wrong.set(address, seen);
          noteFailure(address, settings, memory);
        }
      },
      atOnce,
    );
  } finally {
    await agent.destroy();
  }
  if (got.size > 0) log.info({ pictures: got.size }, "pictures mirrored");
  const [first] = wrong;
  if (first !== undefined) {
    const [address, seen] = first;
    const facts = { pictures: wrong.size, address, seen };
    log.warn(facts, "cannot mirror pictures; they stay linked, and a later run tries again");
  }
  return got;
}

/** Says what is wrong with a picture, or with keeping it, which costs the copy alone; throws any other error. */
function seenIn(error: unknown) {
  if (error instanceof NoPicture || error instanceof StoreFailure) return error.message;
  throw error;
}

function noteFailure(address: string, { now }: MirrorSettings, { failed, hosts }: Memory) {
  const { host } = new URL(address);
  const atMs = now().getTime();
  setBounded(failed, address, atMs, mostFailed);
  hosts.set(host, { inRow: (hosts.get(host)?.inRow ?? 0) + 1, atMs });
}

function isQuiet(address: string, { now }: MirrorSettings, { hosts }: Memory) {
  const found = hosts.get(new URL(address).host);
  return found !== undefined && found.inRow >= mostInRow && now().getTime() - found.atMs < quietMs;
}
