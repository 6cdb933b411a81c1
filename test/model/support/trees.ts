// Content of a state of the site, read without faults: the words of its texts, and missing or damaged files.
import type { Store } from "../../../store/store.ts";
import { type FileEntry, manifestSchema, partSchema } from "../../../site/manifest.schema.ts";
import { manifestPath, objectPath } from "../../../publish/state/state.ts";
import { sha256 } from "../../../vault/files.ts";
import { wordsIn } from "./texts.ts";

export interface Tree {
  readonly files: ReadonlyMap<string, FileEntry>;
  readonly words: ReadonlySet<string>;
  readonly holes: readonly string[];
}

export class Trees {
  readonly #site: Store;
  /** Words of each object that was once valid: objects never change, so they are read once. */
  readonly #words = new Map<string, readonly string[]>();
  readonly #parts = new Map<string, readonly (readonly [string, FileEntry])[]>();

  constructor(site: Store) {
    this.#site = site;
  }

  async read(hash: string): Promise<Tree> {
    const holes: string[] = [];
    const files = new Map<string, FileEntry>();
    const words = new Set<string>();
    const root = await this.#bytes(manifestPath(hash), hash, holes);
    const parts =
      root === undefined ? {} : manifestSchema.parse(JSON.parse(Buffer.from(root).toString())).parts;
    for (const part of Object.values(parts)) {
      for (const [path, entry] of await this.#partAt(part, holes)) files.set(path, entry);
    }
    for (const [path, { object }] of files) {
      for (const word of await this.#wordsAt(objectPath(object, path), object, holes)) words.add(word);
    }
    return { files, words, holes };
  }

  async #partAt(hash: string, holes: string[]) {
    const bytes = await this.#bytes(manifestPath(hash), hash, holes);
    if (bytes === undefined) return [];
    const known = this.#parts.get(hash);
    if (known !== undefined) return known;
    const entries = Object.entries(partSchema.parse(JSON.parse(Buffer.from(bytes).toString())).files);
    this.#parts.set(hash, entries);
    return entries;
  }

  async #wordsAt(key: string, hash: string, holes: string[]): Promise<readonly string[]> {
    const known = this.#words.get(hash);
    if (known !== undefined) return known;
    const bytes = await this.#bytes(key, hash, holes);
    if (bytes === undefined) return [];
    const words = wordsIn(bytes);
    this.#words.set(hash, words);
    return words;
  }

  async #bytes(key: string, hash: string, holes: string[]): Promise<Uint8Array | undefined> {
    const body = (await this.#site.read(key))?.body;
    if (body !== undefined && sha256(body) === hash) return body;
    holes.push(body === undefined ? `${key} is not there` : `${key} is damaged`);
    return undefined;
  }
}
