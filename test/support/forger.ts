// Attacks on a site by somebody who can write to its store, but has none of our keys.
import type { Manifest, Pointer } from "../../site/manifest.schema.ts";
import { canonical } from "../../vault/files.ts";
import { hashed, manifestPath, objectPath, pointerPath, readState } from "../../publish/state/state.ts";
import { always, type Store } from "../../store/store.ts";
import { bytes, textAt } from "./stores.ts";

/** A word in every text of the forger. */
export const forgery = "Send your savings to the stars";
/** The pages that show it: one of ours, and one more. */
export const forgedPaths = ["en/index.html", "en/daily/virgo/2001-01-01/index.html"] as const;

export async function pointerOn(site: Store): Promise<Pointer> {
  return JSON.parse((await textAt(site, pointerPath)) ?? "{}");
}

export async function put(site: Store, key: string, content: Uint8Array): Promise<void> {
  await site.write(key, content, { type: "text/plain" }, always);
}

/** Files of the current state with a forged front page and a page more. */
async function forgedFiles(site: Store) {
  const manifest: Manifest = (await readState(site))?.manifest ?? never();
  const hash = manifest.parts["en/current"] ?? "";
  const part = JSON.parse((await textAt(site, manifestPath(hash))) ?? "");
  const page = bytes(`<!doctype html><title>x</title><p>${forgery}</p>`);
  const { hash: object } = hashed(page);
  const entry = { object, size: page.length, type: "text/html; charset=utf-8" };
  for (const path of forgedPaths) {
    await put(site, objectPath(object, path), page);
    part.files[path] = entry;
  }
  return { manifest, hash, body: canonical(part), page };
}

function never(): never {
  throw new Error("nothing is published");
}

/** A forged page in a part, under the hash of the original. */
export async function forgePart(site: Store): Promise<void> {
  const { hash, body } = await forgedFiles(site);
  await put(site, manifestPath(hash), body);
}

/** A state of his in place of ours, named by whatever he makes of our pointer, and on the public paths. */
export async function forgeState(site: Store, pointer: (own: Pointer) => Pointer): Promise<void> {
  const { manifest, body, page } = await forgedFiles(site);
  const part = hashed(body);
  await put(site, manifestPath(part.hash), part.bytes);
  const own = await pointerOn(site);
  const parts = { ...manifest.parts, "en/current": part.hash };
  const root = hashed(canonical({ ...manifest, parent: own.manifest, version: own.version + 1, parts }));
  await put(site, manifestPath(root.hash), root.bytes);
  for (const path of forgedPaths) await put(site, path, page);
  const next = pointer({ ...own, manifest: root.hash, version: own.version + 1 });
  await put(site, pointerPath, canonical(next));
}
