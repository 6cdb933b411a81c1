// Presses a language ahead of its publish, on any worker: its new objects are put, and the names of its files kept in the vault
// (site/pressed/), from where the publish takes them. They are right as long as nobody has published the language in between,
// the vault has the same captures, and its pages name the translations that there will be (pressed-languages.ts).
import { z } from "zod";
import type { Language } from "../../readings/languages.ts";
import type { PressInput } from "../../readings/run-messages.ts";
import { documents } from "../../site/data.schema.ts";
import { parsePath } from "../../site/paths.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { always } from "../../store/store.ts";
import { readJson, unlessDamaged, writeJson } from "../../vault/json.ts";
import { layout } from "../../vault/layout.ts";
import { fileEntry } from "../state/manifest.schema.ts";
import { createPartReader, partsOfLanguage } from "../state/parts.ts";
import type { PublishedSite } from "../state/published-files.ts";
import type { Publishing } from "../state/publishing-place.ts";
import { newPuts } from "../state/puts.ts";
import { readState } from "../state/state.ts";
import { alternatesHash, currentPages } from "./alternates.ts";
import { loadLanguage } from "./loading.ts";
import { currentJob, type PressJob } from "./press-jobs.ts";
import { type PressedLanguage, printLanguage, type PrintProgress } from "./printing.ts";
import { standing } from "./unchanged-languages.ts";

/** Until then the publish has looked at what clean-ups remove; it has to within an hour of its first put (sweeping.ts). */
const holdsMs = 30 * 60_000;

export const pressedSchema = z.object({
  format: z.literal(1),
  since: z.iso.datetime(),
  /** What it was pressed on and of: the language's published parts, and a hash of its captures (press-inputs.ts). */
  parts: z.array(z.string()),
  captured: z.string(),
  inputs: z.string().optional(),
  alternates: z.string().optional(),
  leaves: z.array(z.string()),
  passedOver: z.array(z.object({ sheet: z.string(), reason: z.string() })),
  pictures: z.array(z.string()),
  summary: documents.language.optional(),
  objects: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), receivedAt: z.string().optional(), entry: fileEntry })),
});

/** Does nothing where the language is as it was published, or pressed already; where that can't be known, its publish presses it. */
export async function pressAhead(
  { language, beside }: PressInput,
  place: Publishing,
  onPrinted?: PrintProgress,
): Promise<void> {
  const publishing = { ...place, pictures: place.pictures?.forOnePublish() };
  const { site, vault, configuration, now } = publishing;
  const manifest = (await readState(site))?.manifest;
  const published = { site, manifest, reader: createPartReader(site) };
  const since = now().toISOString();
  const job = await currentJob(language, published, publishing);
  if (job.inputs === undefined) return;
  const others = await inParallel(beside, (other) => keptPress(other, published, publishing));
  const pages = await currentPages(
    published,
    configuration,
    others.filter((one) => one !== undefined),
  );
  const alternates = alternatesHash(language, pages);
  const known = [
    await pressedAhead(job, published, publishing),
    ...(await standing([job], published, publishing)),
  ];
  if (known.some((one) => one !== undefined && one.alternates === alternates)) return;
  const loaded = await loadLanguage(job, published, publishing);
  const pressed = await printLanguage(loaded, pages, published, publishing, newPuts(0), onPrinted);
  const { language: _name, files, ...facts } = pressed;
  const kept = {
    format: 1,
    since,
    parts: partsOfLanguage(manifest, language),
    captured: job.inputs.captured,
    ...facts,
    files: files.map(({ path, receivedAt, entry }) => ({ path, receivedAt, entry })),
  };
  await writeJson(vault.store, layout.pressed(language), kept, always);
}

/** The language as it was pressed ahead; undefined where its captures, or what is published of it, are no longer the same. */
export async function pressedAhead(
  { language, inputs }: PressJob,
  published: PublishedSite,
  publishing: Publishing,
): Promise<PressedLanguage | undefined> {
  const kept = inputs && (await keptPress(language, published, publishing));
  return kept?.captured === inputs?.captured ? kept : undefined;
}

async function keptPress(language: Language, { manifest }: PublishedSite, { vault, now }: Publishing) {
  const kept = await unlessDamaged(() => readJson(vault.store, layout.pressed(language), pressedSchema));
  if (kept === undefined || now().getTime() - Date.parse(kept.since) > holdsMs) return undefined;
  const { inputs, alternates, summary } = kept;
  const isSame = kept.parts.join() === partsOfLanguage(manifest, language).join();
  const files = kept.files.flatMap(({ path, receivedAt, entry }) => {
    const at = parsePath(path);
    return at === undefined ? [] : [{ path, at, receivedAt, entry }];
  });
  if (!isSame || files.length < kept.files.length) return undefined;
  return { ...kept, language, inputs, alternates, summary, files };
}
