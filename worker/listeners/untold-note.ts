// What listeners are still to be told, kept in the vault: it is noted before a publish counts as done, and goes when it was told,
// so that neither a death nor a listener that is away for days loses any of it.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { ShownChange } from "../../publish/state/publishing-place.ts";
import type { Store } from "../../store/store.ts";
import { siteLayout } from "../../vault/layout.ts";
import { changeNote, type Note, readNote } from "../../vault/note.ts";
import type { Listener, News } from "./listener.ts";

const untoldSchema = z.object({
  /** Distinguishes this note's numbers from those of one that was lost. */
  id: z.string(),
  /** How often something was noted. */
  count: z.int().min(0),
  /** By the listener's name its items, each with the number of the change that it was noted with last. */
  waiting: z.record(z.string(), z.record(z.string(), z.int())),
  /** The newest state that was noted. */
  shown: z.object({ manifest: z.string(), version: z.int() }),
});
type Untold = z.infer<typeof untoldSchema>;

export const untoldNote: Note<Untold, undefined> = {
  key: siteLayout.untold,
  schema: untoldSchema,
  empty: undefined,
};

/** Adds what a change means to each listener. Of one that is no longer configured nothing waits any longer. */
export async function noteUntold(
  vault: Store,
  listeners: readonly Listener[],
  { manifest, version, paths }: ShownChange,
): Promise<void> {
  const news = listeners.map((listener) => ({ listener, items: listener.itemsOf(paths) }));
  if (news.every(({ items }) => items.length === 0)) return;
  await changeNote(vault, untoldNote, (before) => {
    const count = (before?.count ?? 0) + 1;
    const waiting = news.map(({ listener, items }) => {
      const known = before?.waiting[listener.name] ?? {};
      const folded = listener.folded([...Object.keys(known), ...items]);
      // Where a new item went into a wider one, any of those may have it.
      const isFolded = !items.every((item) => folded.includes(item));
      const isNew = (item: string) => isFolded || items.includes(item);
      const numbered = folded.map((item) => [item, isNew(item) ? count : (known[item] ?? count)] as const);
      return [listener.name, Object.fromEntries(numbered)] as const;
    });
    const shown =
      before !== undefined && before.shown.version > version ? before.shown : { manifest, version };
    return { id: before?.id ?? randomUUID(), count, waiting: Object.fromEntries(waiting), shown };
  });
}

export interface Waiting extends Pick<News, "items" | "reference" | "shown"> {
  readonly noted: Readonly<Record<string, number>>;
}

/** What waits for each of the listeners; nothing of those for which nothing does. */
export async function readUntold(vault: Store): Promise<ReadonlyMap<string, Waiting>> {
  const note = await readNote(vault, untoldNote);
  if (note === undefined) return new Map();
  const { id, waiting, shown } = note;
  const found = Object.entries(waiting).filter(([, noted]) => Object.keys(noted).length > 0);
  return new Map(
    found.map(([name, noted]) => {
      const newest = Math.max(...Object.values(noted));
      const items = Object.keys(noted).sort();
      return [name, { noted, items, reference: `${id} ${newest}`, shown }] as const;
    }),
  );
}

/** Takes away what was told, but for what was noted anew meanwhile. */
export async function forgetTold(vault: Store, name: string, { noted }: Waiting): Promise<void> {
  await changeNote(vault, untoldNote, (before) => {
    if (before === undefined) return undefined;
    const left = Object.entries(before.waiting[name] ?? {}).filter(([item, count]) => noted[item] !== count);
    return { ...before, waiting: { ...before.waiting, [name]: Object.fromEntries(left) } };
  });
}
