// Simulates an intruder who can write to the site's store but has no key, and a disk that loses and damages files.
import { canonical } from "../../../vault/files.ts";
import { typeHeaders } from "./headers.ts";
import { type FileEntry, manifestSchema, partSchema, pointerSchema } from "../../../site/manifest.schema.ts";
import { hashed, manifestPath, objectPath, pointerPath } from "../../../publish/state/state.ts";
import { pick } from "../../../packages/sandbox/random.ts";
import { always, type Store } from "../../../store/store.ts";
import { bytes, keysOf } from "../../support/stores.ts";
import type { Branch } from "./marks.ts";
import { forgedWord } from "./texts.ts";
import type { World } from "./world.ts";

/** The intruder's actions, each with the branch that it reaches. */
const deeds: Readonly<Record<string, (intruder: Intruder) => Promise<Branch | undefined>>> = {
  part: (intruder) => intruder.forgePart(),
  state: (intruder) => intruder.forgeState(),
  old: (intruder) => intruder.putBackOld(),
  pointer: (intruder) => intruder.losePointer(),
  manifest: (intruder) => intruder.damageManifest(),
  file: (intruder) => intruder.damageAny(),
  path: (intruder) => intruder.forgePath(),
};

export class Intruder {
  readonly #world: World;
  readonly #site: Store;
  /** Pointers of ours that he has seen. */
  readonly #seen: Uint8Array[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#site = world.stores.site;
  }

  async look(): Promise<void> {
    const body = (await this.#site.read(pointerPath))?.body;
    const last = this.#seen.at(-1);
    if (body !== undefined && (last === undefined || Buffer.compare(last, body) !== 0)) this.#seen.push(body);
  }

  async harm(): Promise<void> {
    const { stage, reference, marks } = this.#world;
    const name = pick(stage.random, Object.keys(deeds));
    reference.isDisturbed = true;
    const branch = await deeds[name]?.(this);
    stage.trace.push(`intruder: ${name}`);
    if (branch !== undefined) marks.reach(branch);
  }

  /** The intruder's page in a part, under its own name or another, with a manifest and a pointer to it. */
  async forgePart(): Promise<Branch | undefined> {
    const current = await this.#current();
    if (current === undefined) return undefined;
    const { pointer, manifest } = current;
    const [part, hash] = pick(this.#world.stage.random, Object.entries(manifest.parts));
    const found = partSchema.safeParse(await this.#json(manifestPath(hash)));
    if (!found.success) return undefined;
    const files: Record<string, FileEntry> = {};
    for (const path of Object.keys(found.data.files)) files[path] = await this.#forgedFile(path);
    const forged = canonical({ files });
    if (this.#world.stage.chance(0.5)) {
      await this.#put(manifestPath(hash), forged);
      return "a forged part";
    }
    const own = hashed(forged);
    await this.#put(manifestPath(own.hash), own.bytes);
    const root = hashed(canonical({ ...manifest, parts: { ...manifest.parts, [part]: own.hash } }));
    await this.#put(manifestPath(root.hash), root.bytes);
    await this.#put(pointerPath, canonical({ ...pointer, manifest: root.hash }));
    return "a forged part";
  }

  /** The intruder's own state, newer than ours. */
  async forgeState(): Promise<Branch | undefined> {
    const current = await this.#current();
    if (current === undefined) return undefined;
    const { stage } = this.#world;
    const { pointer, manifest } = current;
    const path = "en/index.html";
    const part = hashed(canonical({ files: { [path]: await this.#forgedFile(path) } }));
    await this.#put(manifestPath(part.hash), part.bytes);
    const version = manifest.version + pick(stage.random, [0, 1, 2, 50]);
    const parent = pick(stage.random, [manifest.parent, pointer.manifest]);
    const parts = { ...manifest.parts, "en/current": part.hash };
    const root = hashed(canonical({ ...manifest, version, parent, parts }));
    await this.#put(manifestPath(root.hash), root.bytes);
    const { signature, ...unsigned } = { ...pointer, version, manifest: root.hash };
    const isSigned = stage.chance(0.5);
    await this.#put(pointerPath, canonical(isSigned ? { ...unsigned, signature } : unsigned));
    return isSigned ? "a forged state with our signature left" : "a forged state without a signature";
  }

  async putBackOld(): Promise<Branch | undefined> {
    const before = this.#seen.slice(0, -1);
    if (before.length === 0) return undefined;
    await this.#put(pointerPath, pick(this.#world.stage.random, before));
    return "an older state put back";
  }

  async losePointer(): Promise<Branch> {
    if (this.#world.stage.chance(0.5)) await this.#site.remove([pointerPath]);
    else await this.#put(pointerPath, bytes('{"format":1,'));
    return "a pointer that went away";
  }

  async damageManifest(): Promise<Branch | undefined> {
    const current = await this.#current();
    if (current === undefined) return undefined;
    await this.#spoil(manifestPath(current.pointer.manifest));
    return "a damaged manifest";
  }

  async damageAny(): Promise<undefined> {
    const keys = (await keysOf(this.#site)).filter((key) => key !== pointerPath);
    if (keys.length > 0) await this.#spoil(pick(this.#world.stage.random, keys));
  }

  async forgePath(): Promise<undefined> {
    const keys = (await keysOf(this.#site)).filter(
      (key) => !key.startsWith("v1/manifests/") && key !== pointerPath,
    );
    if (keys.length > 0) await this.#put(pick(this.#world.stage.random, keys), bytes(`<p>${forgedWord}</p>`));
  }

  async #spoil(key: string): Promise<void> {
    const { stage } = this.#world;
    const body = (await this.#site.read(key))?.body;
    if (body === undefined || stage.chance(0.4)) return this.#site.remove([key]);
    const spoiled = stage.chance(0.3) ? body.slice(0, body.length / 2) : body.slice();
    const at = stage.upTo(spoiled.length);
    spoiled[at] = (spoiled[at] ?? 0) ^ (1 << stage.upTo(8));
    await this.#put(key, spoiled);
  }

  async #current() {
    const pointer = pointerSchema.safeParse(await this.#json(pointerPath));
    if (!pointer.success) return undefined;
    const manifest = manifestSchema.safeParse(await this.#json(manifestPath(pointer.data.manifest)));
    return manifest.success ? { pointer: pointer.data, manifest: manifest.data } : undefined;
  }

  async #json(key: string): Promise<unknown> {
    try {
      return JSON.parse(Buffer.from((await this.#site.read(key))?.body ?? []).toString());
    } catch {
      return undefined;
    }
  }

  async #forgedFile(path: string) {
    const body = bytes(
      path.endsWith(".json") ? JSON.stringify({ text: forgedWord }) : `<p>${forgedWord}</p>`,
    );
    const { hash } = hashed(body);
    await this.#put(objectPath(hash, path), body);
    return { object: hash, size: body.length, type: "text/html; charset=utf-8" };
  }

  #put(key: string, body: Uint8Array) {
    return this.#site.write(key, body, typeHeaders, always);
  }
}
