// Reads states of a site from a source: manifests and parts, each checked against its own hash.
import { inParallel } from "../../store/parallel-calls.ts";
import { inWords } from "./site-source.ts";
import { type FileEntry, manifestSchema, partSchema } from "../state/manifest.schema.ts";
import type { SiteFinding, SiteSource, StateTree } from "./site-source.ts";
import { manifestPath, parseFormat } from "../state/state.ts";
import { parseJson, sha256 } from "../../vault/json.ts";

export type ReportFinding = (finding: SiteFinding) => void;

/** A source's states; parts that several of them share are read once. */
export class ManifestTrees {
  readonly #source: SiteSource;
  readonly #parts = new Map<string, Promise<Read>>();

  constructor(source: SiteSource) {
    this.#source = source;
  }

  /** Reads a state. Undefined when its manifest is not there or damaged; that, and each damaged part, is reported to `find`. */
  async read(hash: string, find: ReportFinding): Promise<StateTree | undefined> {
    const read = await readHashed(this.#source, hash, "the state's manifest");
    if (read.kind === "finding") {
      find(read.finding);
      return undefined;
    }
    const manifest = parseFormat(manifestPath(hash), read.bytes, manifestSchema);
    const files = new Map<string, FileEntry>();
    await inParallel(Object.entries(manifest.parts), async ([name, part]) => {
      const found = await this.#part(name, part);
      if (found.kind === "finding") return find(found.finding);
      const entries = parseJson(manifestPath(part), found.bytes, partSchema).files;
      for (const [path, entry] of Object.entries(entries)) files.set(path, entry);
    });
    return { hash, manifest, files };
  }

  /** The states before one, newest first, as long as they are there and `isWanted` says so. */
  async *before(
    current: StateTree,
    isWanted: (child: StateTree) => Promise<boolean>,
    find: ReportFinding,
  ): AsyncGenerator<StateTree> {
    let child = current;
    while (child.manifest.parent !== null && (await isWanted(child))) {
      const { parent } = child.manifest;
      // A clean-up may have taken it by then.
      if ((await this.#source.file(manifestPath(parent))).kind === "none") return;
      const tree = await this.read(parent, find);
      if (tree === undefined) return;
      yield tree;
      child = tree;
    }
  }

  #part(name: string, hash: string): Promise<Read> {
    const reading = this.#parts.get(hash) ?? readHashed(this.#source, hash, `the part ${name}`);
    this.#parts.set(hash, reading);
    return reading;
  }
}

type Read =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "finding"; readonly finding: SiteFinding };

async function readHashed(source: SiteSource, hash: string, what: string): Promise<Read> {
  const path = manifestPath(hash);
  const look = await source.file(path);
  if (look.kind === "bytes" && sha256(look.bytes) === hash) return look;
  const seen = look.kind === "none" ? look.seen : inWords(sha256(look.bytes), look.bytes.length);
  const remedy = (look.kind === "none" ? look.remedy : undefined) ?? source.remedies.manifest;
  return { kind: "finding", finding: { path, expected: `${what}, sha256 ${hash}`, seen, remedy } };
}
