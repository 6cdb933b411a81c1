// The files that must stay: every manifest, part and object that a kept state or the record reaches.
import type { Store } from "../../store/store.ts";
import { parseJson, UnreadableFile } from "../../vault/json.ts";
import { readStateRecord } from "../step/record.ts";
import { type BaseState, findBase } from "../step/site-state.ts";
import { type KeptState, keptStates } from "../state/kept-states.ts";
import { type Manifest, partSchema } from "../../site/manifest.schema.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { manifestPath, objectPath, pointerPath, readHashed, readManifest } from "../state/state.ts";
import { inParallel } from "../../store/parallel-calls.ts";

export type ReachableFiles = Awaited<ReturnType<typeof reachableFiles>>;

/** Throws where a kept manifest or part can't be read, because the files that it reaches are not known then. */
export async function reachableFiles(context: PublishContext, since: Date) {
  const { site } = context;
  const keys = new Set<string>();
  const known = new Set<string>();
  const include = async (hash: string, { parts }: Manifest) => {
    known.add(hash);
    keys.add(manifestPath(hash));
    const unread = Object.entries(parts).filter(([, part]) => !keys.has(manifestPath(part)));
    await inParallel(unread, async ([name, part]) => {
      for (const key of await reachedByPart(site, name, part)) keys.add(key);
    });
  };
  const chain = async () => {
    const pointed = (await pointedState(context)).hash;
    const found: KeptState[] = [];
    if (known.has(pointed)) return found;
    for await (const state of keptStates(site, pointed, since)) {
      if (known.has(state.hash)) break;
      await include(state.hash, state.manifest);
      found.push(state);
    }
    return found;
  };
  const states = await chain();
  for (const hash of await inRecord(context)) {
    const manifest = known.has(hash) ? undefined : await readManifest(site, hash);
    if (manifest !== undefined) await include(hash, manifest);
  }
  return {
    has: (key: string) => keys.has(key),
    /** The kept states, newest first, as they were when this was opened. */
    states,
    /** Reads the pointer again: the files that it has come to reach meanwhile must stay as well. */
    renew: async () => void (await chain()),
  };
}

async function pointedState(context: PublishContext): Promise<BaseState> {
  const isThere = (await context.site.read(pointerPath)) !== undefined;
  const state = isThere ? await findBase(context) : undefined;
  if (state !== undefined) return state;
  throw new UnreadableFile(
    `${pointerPath} is missing, so the needed files are unknown and nothing is deleted. Check that this is the right store. \`almanac repair\` restores a lost pointer`,
  );
}

async function reachedByPart(site: Store, name: string, part: string) {
  const body = await readHashed(site, part);
  if (body === undefined) {
    throw new UnreadableFile(
      `${manifestPath(part)}, which a kept version names for ${name}, is missing, so its files are unknown and nothing is deleted. Run \`almanac repair\``,
    );
  }
  const { files } = parseJson(manifestPath(part), body, partSchema);
  const objects = Object.entries(files).map(([path, { object }]) => objectPath(object, path));
  return [manifestPath(part), ...objects];
}

/** The manifests in the record: a recovery may point to them, and the public paths are compared with them. */
async function inRecord(context: PublishContext): Promise<string[]> {
  const { value } = await readStateRecord(context, undefined);
  const { current, pending, written, partlyWritten, dropped, unclean } = value;
  const late = dropped.filter(({ version }) => version > (current?.version ?? 0));
  const states = [current, pending, written, ...late].flatMap((one) => one?.manifest ?? []);
  return [...states, ...partlyWritten, ...unclean.flatMap((one) => one.states)];
}
