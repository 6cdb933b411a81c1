// Missing and damaged objects and parts. An object is copied from a public path that still has its bytes, or rendered again from the
// vault: if readings, templates and settings are the same, the bytes are too. If they differ, the files are returned, to be published
// again. A part is made from the public paths, if these give its hash. Otherwise its group goes back to an earlier state.
import { type PublishingOn, publishedSummary, pathsInGroup } from "../state/published-files.ts";
import type { Owned } from "../step/site-state.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/tables.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { localDate } from "../../readings/calendar.ts";
import { documents } from "../../site/data.schema.ts";
import { renderDrafts, Context } from "../../site/context.ts";
import { siteSettingsOf, typeOf, type RenderedFile } from "../../site/edition.ts";
import { parsePath, pathOf, textOnPath, isOwnPath } from "../../site/paths.ts";
import { inParallel, type Store, always } from "../../store/store.ts";
import { parseJson, unlessDamaged, sha256 } from "../../vault/files.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { alternatesOf, currentPages, publishedPages } from "../render/alternates.ts";
import { loadLanguage } from "../render/loading.ts";
import { noLanguages, sitemapsWith, withSitemaps } from "../render/sitemaps.ts";
import { objectHeaders, manifestHeaders } from "../state/headers.ts";
import type { FileEntry, Manifest } from "../../site/manifest.schema.ts";
import {
  createPartReader,
  groupOf,
  languageOf,
  sitemapOf,
  groupsIn,
  partsIn,
  withGroup,
} from "../state/parts.ts";
import type { Publishing } from "../state/publish-context.ts";
import { objectPath, manifestPath, readManifest } from "../state/state.ts";
import { differenceFrom, findingOf, type SiteFinding, type TellRepair } from "./site-source.ts";
import { storeSource } from "./store-source.ts";

/** Returns the objects that stay lost, by path, and their files as the vault has them now, with other bytes. */
export async function repairObjects(
  publishing: Publishing,
  manifest: Manifest,
  files: ReadonlyMap<string, FileEntry>,
  tell: TellRepair,
) {
  const { site } = publishing;
  const source = storeSource(site);
  const lost = new Map<string, SiteFinding>();
  const put = async (object: string, type: string, bytes: Uint8Array, reason: string) => {
    await site.write(object, bytes, objectHeaders(type), always);
    tell(object, "restored", reason);
    lost.delete(object);
  };
  const usesOf = Map.groupBy(files, ([path, { object }]) => objectPath(object, path));
  await inParallel(usesOf, async ([object, uses]) => {
    const [first] = uses;
    if (first === undefined) return;
    const [path, entry] = first;
    const look = await source.file(object);
    const difference = differenceFrom(entry, look);
    if (difference === undefined) return;
    const copy = await copyOf(site, uses);
    const fault = look.kind === "none" ? "missing" : "damaged";
    if (copy !== undefined) return put(object, entry.type, copy, `${fault}; copied from ${path}`);
    const remedy = `${path} needs it, and its text is no longer in the vault. Restore the text from a backup (\`almanac restore\`), then run \`almanac repair\`. Or return to a version without it: \`almanac rollback\``;
    lost.set(object, { ...findingOf(object, entry, difference, "object", source), remedy });
  });
  let rendered: RenderedFile[] = [];
  // Rendering one file may need another lost one, so this is repeated as long as it helps.
  for (let before = Number.POSITIVE_INFINITY; lost.size > 0 && lost.size < before;) {
    before = lost.size;
    const uses = new Map([...lost.keys()].flatMap((object) => usesOf.get(object) ?? []));
    const onTree = { ...publishing, manifest, reader: createPartReader(site) };
    rendered = (await filesFromVault([...uses.keys()], onTree)).filter(({ path }) => uses.has(path));
    const bytesOf = new Map(rendered.map(({ bytes }) => [sha256(bytes), bytes]));
    for (const [path, { object, type }] of uses) {
      const bytes = bytesOf.get(object);
      const key = objectPath(object, path);
      if (bytes === undefined || !lost.has(key)) continue;
      await put(key, type, bytes, "missing or damaged; rendered from the vault");
    }
  }
  return { lost, rendered: lost.size === 0 ? [] : rendered };
}

/** The bytes as one of the public paths has them. */
async function copyOf(
  site: Store,
  uses: readonly [path: string, entry: FileEntry][],
): Promise<Uint8Array | undefined> {
  for (const [path, { object }] of uses) {
    const look = await storeSource(site).file(path);
    if (look.kind === "bytes" && sha256(look.bytes) === object) return look.bytes;
  }
  return undefined;
}

/** All files that can be rendered for these paths. */
async function filesFromVault(paths: readonly string[], publishing: PublishingOn): Promise<RenderedFile[]> {
  const files: RenderedFile[] = [];
  for (const [language, lost] of Map.groupBy(paths, languageOf)) {
    const rendered =
      language === undefined
        ? orNothing(() => renderShared(lost, publishing))
        : orNothing(() => renderIn(language, lost, publishing));
    files.push(...(await rendered));
  }
  return files;
}

async function renderShared(
  lost: readonly string[],
  publishing: PublishingOn,
): Promise<readonly RenderedFile[]> {
  const { pictures, now } = publishing;
  const copies = await Promise.all(
    lost.map(async (path) => (parsePath(path)?.row === "cardPicture" ? pictures?.file(path) : undefined)),
  );
  const kept = copies.filter((file) => file !== undefined);
  const together = async () =>
    // The index itself may be lost.
    (await withSitemaps(publishing, noLanguages, now(), { ...publishing, manifest: undefined })).files;
  return [...kept, ...(await orNothing(together))];
}

async function renderIn(
  language: Language,
  lost: readonly string[],
  publishing: PublishingOn,
): Promise<readonly RenderedFile[]> {
  const { configuration, theme, vault, now } = publishing;
  if (!configuration.languages.includes(language)) return [];
  const summary = await publishedSummary(publishing, language).catch(() => undefined); // it may be what is lost
  const date = summary?.date ?? localDate(zoneOf(configuration, language), now());
  // A sitemap is made from all pages in its group.
  const groups = new Set(lost.map(groupOf).filter((group) => lost.includes(pathOf(sitemapOf(group)))));
  const listed = [...groups].map((group) => pathsInGroup(publishing, group));
  const paths = [...lost, ...(await Promise.all(listed)).flat()];
  const sets = paths.flatMap((path) => requestOn(path) ?? []);
  const withheld = await readWithheld(vault.own);
  const job = { language, date, current: true, sets, withheld };
  const { home, linked, files: drafts } = await loadLanguage(job, publishing);
  const alternates = alternatesOf(language, currentPages(await publishedPages(publishing), publishing));
  const files = renderDrafts(
    drafts,
    new Context(home, siteSettingsOf(configuration, theme), linked, alternates),
  );
  const own = files.find(({ at }) => at.row === "languageIndex");
  const summaries = new Map(own && [[language, parseJson(own.path, own.bytes, documents.language)]]);
  const sitemaps = await sitemapsWith(publishing, { files, leaves: [], summaries });
  return [...files, ...sitemaps.files];
}

/** The request of one reading that the dated path shows. */
function requestOn(path: string): ReadingRequest | undefined {
  const shown = textOnPath(path);
  return shown?.kind === "text" && !("person" in shown.request) ? shown.request : undefined;
}

/** Nothing if the files that rendering reads are lost as well. */
async function orNothing(render: () => Promise<readonly RenderedFile[]>): Promise<readonly RenderedFile[]> {
  return (await unlessDamaged(render)) ?? [];
}

/** Returns the hashes of the parts that stay lost. */
export async function restoreParts(
  site: Store,
  manifest: Manifest,
  tell: TellRepair,
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  await inParallel(new Set(Object.values(manifest.parts)), async (hash) => {
    const stored = await site.read(manifestPath(hash));
    if (stored === undefined || sha256(stored.body) !== hash) lost.add(hash);
  });
  if (lost.size === 0) return lost;
  const groups = new Map<string, Record<string, FileEntry>>();
  const paths = await Array.fromAsync(site.list(""), ({ key }) => key);
  await inParallel(paths.filter(isOwnPath), async (path) => {
    const stored = await site.read(path);
    if (stored === undefined) return;
    const files = groups.get(groupOf(path)) ?? {};
    files[path] = { object: sha256(stored.body), size: stored.body.length, type: typeOf(path) };
    groups.set(groupOf(path), files);
  });
  const made = [...groups].flatMap(([group, files]) => withGroup({}, group, files).made);
  await inParallel(made, async ({ hash, bytes }) => {
    if (!lost.delete(hash)) return;
    await site.write(manifestPath(hash), bytes, manifestHeaders, always);
    tell(manifestPath(hash), "restored", "missing or damaged");
  });
  return lost;
}

/** The manifest with earlier parts in place of the lost groups; a group that no earlier state has is left out. */
export async function withoutLostParts(
  context: Owned,
  manifest: Manifest,
  lost: ReadonlySet<string>,
  tell: TellRepair,
): Promise<Manifest> {
  let { parts } = manifest;
  for (const group of groupsIn(manifest)) {
    const own = partsIn(manifest, group).flatMap(([, hash]) => (lost.has(hash) ? [hash] : []));
    if (own.length === 0) continue;
    const earlier = await earlierGroup(context, group, manifest.version);
    parts = { ...withGroup(parts, group, {}).parts, ...earlier?.parts };
    const pages =
      earlier === undefined ? "its pages are missing" : `its pages are those of version ${earlier.version}`;
    const reason = `lost; ${pages} until the next publish, or \`almanac render\`, restores those in the vault`;
    for (const hash of own) tell(manifestPath(hash), "written", reason);
  }
  return { ...manifest, parts };
}

/** The group's parts in the newest earlier state that has all of them. */
async function earlierGroup({ site, owner }: Owned, group: string, before: number) {
  for (const { manifest: hash, version } of owner.record.value.states) {
    const manifest = version < before ? await unlessDamaged(() => readManifest(site, hash)) : undefined;
    if (manifest === undefined) continue;
    const parts = partsIn(manifest, group);
    const files = await unlessDamaged(() => createPartReader(site).files(manifest, group));
    if (parts.length > 0 && files !== undefined) return { version, parts: Object.fromEntries(parts) };
  }
  return undefined;
}
