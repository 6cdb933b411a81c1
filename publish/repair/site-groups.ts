// Checks the files of one group of the site's current state, objects and public paths, for the scrub (scrub.ts).
import { setTimeout as delay } from "node:timers/promises";
import { inParallel } from "../../store/parallel-calls.ts";
import { UnreadableFile } from "../../vault/json.ts";
import type { ScrubFinding } from "../../vault/scrub-note.ts";
import { createPartReader, groupsIn } from "../state/parts.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { objectPath, pointerPath, readState, type SiteState } from "../state/state.ts";
import { differenceFrom, findingOf } from "./site-source.ts";
import { storeSource } from "./store-source.ts";
import { patientReader } from "./vault-files.ts";

type Context = Pick<PublishContext, "site">;

const nothing = { kind: "none", seen: "nothing" } as const;

/** The group that stands for the pointer and the manifest. */
const ofPointer = "";

/** The groups of the current state in their order; before them one that stands for pointer and manifest. */
export async function groupsOfSite({ site }: Context): Promise<string[]> {
  const state = await stateOf({ site });
  return state === undefined || "path" in state
    ? [ofPointer]
    : [ofPointer, ...groupsIn(state.manifest).sort()];
}

interface GroupLook {
  readonly files: number;
  readonly sizeBytes: number;
  readonly findings: ScrubFinding[];
}

/** What is found is looked at again after a while, because a publish may just write it. */
export async function groupLook(
  group: string,
  { againAfterMs }: { readonly againAfterMs: number },
  context: Context,
): Promise<GroupLook> {
  const look = await oneLook(group, context);
  if (look.findings.length === 0) return look;
  await delay(againAfterMs);
  return oneLook(group, context);
}

async function oneLook(group: string, { site }: Context): Promise<GroupLook> {
  const none = { files: 0, sizeBytes: 0, findings: [] };
  const state = await stateOf({ site });
  if (state === undefined) return none; // not published yet
  if ("path" in state) return { ...none, findings: [{ ...state, group }] };
  if (group === ofPointer) return { ...none, files: 2 };
  const [source, read] = [storeSource(site), patientReader(site)];
  try {
    const entries = Object.entries(await createPartReader(site).files(state.manifest, group));
    const found = await inParallel(entries, async ([path, entry]) => {
      const object = objectPath(entry.object, path);
      const lost = differenceFrom(entry, (await read(object)) ?? nothing);
      const other = differenceFrom(entry, (await read(path)) ?? nothing);
      const findings: ScrubFinding[] = [];
      if (lost !== undefined)
        findings.push({ store: "site", group, ...findingOf(object, entry, lost, "object", source) });
      if (other !== undefined)
        findings.push({ store: "site", group, ...findingOf(path, entry, other, "public", source) });
      return findings;
    });
    const sizeBytes = entries.reduce((sum, [, { size }]) => sum + 2 * size, 0);
    return { files: 2 * entries.length, sizeBytes, findings: found.flat() };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { ...none, findings: [unreadable(`${group} of the manifest`, error, group)] };
  }
}

async function stateOf({ site }: Context): Promise<SiteState | ScrubFinding | undefined> {
  try {
    return await readState(site);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return unreadable(pointerPath, error, ofPointer);
  }
}

function unreadable(path: string, { message }: UnreadableFile, group: string): ScrubFinding {
  const expected = "a readable file";
  return { store: "site", group, path, expected, seen: message, remedy: "`almanac repair`" };
}
