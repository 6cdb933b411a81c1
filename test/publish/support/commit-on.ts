// Commits one state, as the owner of the site.
import type { NextState } from "../../../publish/render/merged-state.ts";
import type { PublishContext } from "../../../publish/state/publish-context.ts";
import {
  commit,
  type Committed,
  type ProposeStep,
  type PublishedBy,
  writePointer,
} from "../../../publish/step/commit.ts";
import { renewedPointer } from "../../../publish/step/pointer.ts";
import { siteRecord, type StateRecord } from "../../../publish/step/record.ts";
import { withSite } from "../../../publish/step/site-owner.ts";
import type { Store } from "../../../store/store.ts";
import { readKept, writeKept } from "../../../vault/note.ts";

export function commitOn<Proposed extends NextState>(
  place: PublishContext,
  by: PublishedBy,
  propose: ProposeStep<Proposed>,
): Promise<Committed<Proposed>> {
  return withSite(place, "test", (owned) => commit(owned, by, propose));
}

/** Completes the previous owner's work, as every owner of the site does. */
export function finishOn(place: PublishContext): Promise<void> {
  return withSite(place, "test", () => Promise.resolve());
}

/** Changes the record of the site's states, as nobody of ours would. */
export async function changeRecord(
  vault: Store,
  change: (record: StateRecord) => StateRecord,
): Promise<void> {
  const found = await readKept(vault, siteRecord);
  await writeKept(vault, siteRecord, found, change(found.value));
}

/** Forgets the state of the public paths. */
export function forgetWritten({ vault }: PublishContext): Promise<void> {
  return changeRecord(vault.own, (record) => ({ ...record, written: null }));
}

/** Writes the pointer to the same state with a new expiry. */
export function renewOn(place: PublishContext): Promise<void> {
  return withSite(place, "test", async (owned) => {
    const { pointer } = owned.owner.found;
    if (pointer !== undefined)
      await writePointer(owned, await renewedPointer(owned, pointer, pointer.version));
  });
}
