// States of a site that its publisher never made, with every hash in order: an attacker's own, or one that a stolen key signed.
import type { KeyObject } from "node:crypto";
import { canonical } from "../../../vault/files.ts";
import { createPartReader, groupOf } from "../../../publish/state/parts.ts";
import { hashed, manifestPath, objectPath, pointerPath } from "../../../publish/state/state.ts";
import { always } from "../../../store/store.ts";
import { seal, type World } from "./world.ts";

export interface Forgery {
  /** Documents by path, in addition to the published ones or replacing them. */
  readonly files: Readonly<Record<string, unknown>>;
  /** Changes of the manifest. */
  readonly change?: object;
  /** False sizes of these files. */
  readonly sizeBytes?: number;
  /** Number of names under which the manifest lists the part with these files. */
  readonly names?: number;
  readonly expires?: string;
  readonly signer?: KeyObject | undefined;
}

const json = { type: "application/json" };

/** Serves a new state with these files, the pointer signed by the signer if there is one. */
export async function forge(world: World, { files, names = 1, ...more }: Forgery): Promise<void> {
  const { pointer, manifest } = await world.state();
  const { site } = world;
  const write = async (path: string, bytes: Uint8Array): Promise<void> => {
    await site.write(path, bytes, json, always);
  };
  const parts = new Map(Object.entries(manifest.parts));
  for (const [group, paths] of Map.groupBy(Object.keys(files), groupOf)) {
    const entries = new Map(Object.entries(await createPartReader(site).files(manifest, group)));
    for (const path of paths) {
      const { hash, bytes } = hashed(new TextEncoder().encode(JSON.stringify(files[path])));
      await write(objectPath(hash, "of.json"), bytes);
      entries.set(path, { object: hash, size: more.sizeBytes ?? bytes.length, ...json });
    }
    const part = hashed(canonical({ files: Object.fromEntries(entries) }));
    await write(manifestPath(part.hash), part.bytes);
    for (let name = 1; name <= names; name += 1)
      parts.set(name === 1 ? group : `${group}~${name}`, part.hash);
  }
  const { version, ...change } = { version: pointer.version + 1, ...more.change };
  const top = hashed(canonical({ ...manifest, parts: Object.fromEntries(parts), version, ...change }));
  await write(manifestPath(top.hash), top.bytes);
  const { signature: _none, ...rest } = pointer;
  const next = { ...rest, version, manifest: top.hash, expires: more.expires ?? rest.expires };
  world.lies.set(pointerPath, more.signer === undefined ? canonical(next) : seal(next, more.signer));
}
