// The private store: captures, stand-ins and quarantined answers. layout.ts says where each lies.
import { type Store, absent, always } from "../store/store.ts";
import { type RequestKey, requestOf } from "../readings/request.ts";
import { type Capture, captureSchema, type Quarantined, quarantinedSchema } from "./capture.schema.ts";
import { readJson, writeJson } from "./json.ts";
import { folders, layout } from "./layout.ts";

export type Vault = ReturnType<typeof createVault>;

export function createVault(store: Store) {
  return {
    store,
    capture: (key: RequestKey) => readJson(store, layout.capture(key), captureSchema),
    /** Keeps the capture unless there is one already; returns the one that is kept. */
    async keep(capture: Capture): Promise<Capture> {
      const key = layout.capture(capture.key);
      // The loop runs twice where the capture is displaced between the refused write and the read.
      for (;;) {
        const { kind } = await writeJson(store, key, capture, absent);
        const kept = kind === "written" ? capture : await readJson(store, key, captureSchema);
        if (kept !== undefined) return kept;
      }
    },
    /** Takes a capture from its place. */
    displace: (key: RequestKey) => store.remove([layout.capture(key)]),
    /** The stand-in of a request: an answer that lost its place and is shown until another one has the place. */
    standIn: (key: RequestKey) => readJson(store, layout.standIn(key), captureSchema),
    standIns: () => keysUnder(store, folders.standIns, ""),
    /** Makes a capture the stand-in of its request; an earlier stand-in stays. */
    letStandIn: (capture: Capture) => writeJson(store, layout.standIn(capture.key), capture, absent),
    dropStandIns: (keys: readonly RequestKey[]) => store.remove(keys.map(layout.standIn)),
    /** The answers that a person accepted and no turn has published yet. */
    accepted: () => keysUnder(store, folders.accepted, ""),
    noteAccepted: (key: RequestKey) => writeJson(store, layout.accepted(key), { format: 1, key }, always),
    dropAccepted: (keys: readonly RequestKey[]) => store.remove(keys.map(layout.accepted)),
    quarantined: (key: RequestKey) => readJson(store, layout.quarantined(key), quarantinedSchema),
    setAside: (entry: Quarantined) => writeJson(store, layout.quarantined(entry.key), entry, always),
    /** Removes what was noted against requests to which an answer is kept: quarantine entries, and that their operation is refused. */
    release: (...keys: readonly RequestKey[]) => store.remove([...new Set(keys.flatMap(against))]),
    /** The keys of all captures, or quarantined answers, under a prefix. */
    held: (prefix: string) => keysUnder(store, folders.captures, prefix),
    inQuarantine: (prefix: string) => keysUnder(store, folders.quarantine, prefix),
  };
}

function against(key: RequestKey) {
  const operation = requestOf(key)?.operation;
  return [layout.quarantined(key), ...(operation === undefined ? [] : [layout.refusal(operation)])];
}

function keysUnder(store: Store, folder: string, prefix: string): Promise<RequestKey[]> {
  return Array.fromAsync(keysOneByOne(store, folder, prefix));
}

/** The places of answers: captures, stand-ins, and quarantined ones. */
export const answerPlaces = ["captures", "stand-ins", "quarantine"] as const;
export type AnswerPlace = (typeof answerPlaces)[number];

/** The keys in their order, without all of them in memory at once. */
export function answerKeys(store: Store, place: AnswerPlace, prefix: string): AsyncGenerator<RequestKey> {
  return keysOneByOne(store, `${place}/`, prefix);
}

async function* keysOneByOne(store: Store, folder: string, prefix: string): AsyncGenerator<RequestKey> {
  for await (const { key } of store.list(folder + prefix)) {
    if (key.endsWith(".json")) yield key.slice(folder.length, -".json".length);
  }
}
