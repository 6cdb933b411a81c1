// Content of a state's daily horoscopes: for each language and date, the first words of every sign's text, and the signs whose text
// it lists as withdrawn.
import { z } from "zod";
import type { Manifest } from "../../../site/manifest.schema.ts";
import { createPartReader, groupsIn } from "../../../publish/state/parts.ts";
import { publishedBytes } from "../../../publish/state/published-files.ts";
import { readState } from "../../../publish/state/state.ts";
import { parsePath } from "../../../site/paths.ts";
import type { Store } from "../../../store/store.ts";

export interface ShownSet {
  readonly texts: ReadonlyMap<string, string>;
  readonly withdrawn: readonly string[];
}

export interface Shown {
  readonly version: number;
  readonly manifest: Manifest | undefined;
  /** Path -> object. */
  readonly paths: ReadonlyMap<string, string>;
  /** `en/2026-11-21` -> the set. */
  readonly sets: ReadonlyMap<string, ShownSet>;
  /** Language -> the date that its pages show. */
  readonly dates: ReadonlyMap<string, string>;
}

const setSchema = z.object({
  withdrawn: z.array(z.string()).default([]),
  readings: z.record(z.string(), z.object({ sections: z.object({ personal: z.array(z.string()).min(1) }) })),
});
const indexSchema = z.object({ languages: z.array(z.object({ language: z.string(), date: z.string() })) });

export async function shownOn(site: Store): Promise<Shown> {
  const state = await readState(site);
  return shownBy(site, state?.manifest);
}

/** Works for any state; files whose bytes were read before are not parsed again. */
export async function shownBy(site: Store, manifest: Manifest | undefined): Promise<Shown> {
  const reader = createPartReader(site);
  const published = { site, manifest, reader };
  const paths = new Map<string, string>();
  for (const group of groupsIn(manifest)) {
    for (const [path, { object }] of Object.entries(await reader.files(manifest, group)))
      paths.set(path, object);
  }
  const sets = new Map<string, ShownSet>();
  for (const [path, object] of paths) {
    const at = parsePath(path);
    if (at?.row !== "signsData" || at.kind !== "daily") continue;
    sets.set(
      `${at.language}/${at.key}`,
      await known(object, async () => {
        const { withdrawn, readings } = setSchema.parse(await json(path));
        const texts = Object.entries(readings).map(
          ([sign, { sections }]) => [sign, sections.personal[0] ?? ""] as const,
        );
        return { texts: new Map(texts), withdrawn: withdrawn.toSorted() };
      }),
    );
  }
  const index = paths.has("v1/index.json")
    ? indexSchema.parse(await json("v1/index.json"))
    : { languages: [] };
  const dates = new Map(index.languages.map((one) => [one.language, one.date]));
  return { version: manifest?.version ?? 0, manifest, paths, sets, dates };

  async function json(path: string): Promise<unknown> {
    return JSON.parse(Buffer.from((await publishedBytes(published, path)) ?? "").toString());
  }
}

const parsed = new Map<string, ShownSet>();

async function known(object: string, read: () => Promise<ShownSet>): Promise<ShownSet> {
  const found = parsed.get(object) ?? (await read());
  parsed.set(object, found);
  return found;
}
