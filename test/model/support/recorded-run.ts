// A recorded run: publishers on machines with different clocks concurrently change one text after the other, while clients with the
// pinned key, and browsers on public paths, read. The store and the time are real.
import { z } from "zod";
import { createAlmanac } from "../../../packages/client/almanac.js";
import { canonical } from "../../../vault/files.ts";
import { pointerSchema } from "../../../site/manifest.schema.ts";
import { objectPath, pointerPath } from "../../../publish/state/state.ts";
import { publish } from "../../../publish/publish.ts";
import type { Publishing } from "../../../publish/state/publish-context.ts";
import { Leases } from "../../../store/lease.ts";
import type { Store } from "../../../store/store.ts";
import { newSite } from "../../publish/support/published-site.ts";
import type { Stores } from "../../support/stores.ts";
import { publicKey, signer } from "./foundation.ts";
import type { PublishedVersion, Read, Seen } from "./history.ts";
import { Trees } from "./trees.ts";

const url = "https://almanac.example/";
const minuteMs = 60_000;
const noon = Date.parse("2026-11-21T12:00:00.000Z");
const languages = ["en", "de"] as const;
/** Offset of the publishers' and readers' clocks. */
const publishersAhead = [-7 * minuteMs, 0, 5 * minuteMs];
const readersAhead = [-26 * 60 * minuteMs, 0, 3 * minuteMs, 3 * 24 * 60 * minuteMs];

const configured = {
  languages: [...languages],
  operations: ["daily-tarot"],
  pairs: [],
  people: [],
} satisfies Parameters<typeof newSite>[0];

const setShape = z.object({ set: z.string() });

export class RecordedRun {
  readonly reads: Read[] = [];
  readonly seen: Seen[] = [];
  readonly published: PublishedVersion[] = [];
  readonly #stores: Stores;
  readonly #manifests = new Map<number, string>();
  /** The content of each set, by name, in all published states. */
  readonly #sets = new Map<string, Set<string>>();
  /** The machines have one object of leases, so that none waits for its next look. */
  readonly #leases: Leases;
  #changes = 0;
  #isOver = false;

  constructor(stores: Stores) {
    this.#stores = { site: this.#watched(stores.site), vault: stores.vault };
    this.#leases = new Leases({ store: stores.vault, where: "the run", log: { warn: () => undefined } });
  }

  async play(publishes: number): Promise<void> {
    const site = newSite(configured, this.#stores);
    site.setClock(new Date(noon).toISOString());
    await site.gather("2026-11-20", "2026-11-21");
    await this.#publish({ ...site.publishing, signer }, languages);
    const reading = [
      ...readersAhead.map((aheadMs, index) => this.#client(`client ${index}`, aheadMs)),
      this.#browser(),
    ];
    const publishing = publishersAhead.map((aheadMs) => this.#publisher(aheadMs, publishes));
    const done = Promise.all(publishing).finally(() => (this.#isOver = true));
    await Promise.all([done, ...reading]);
    await this.#readAll();
  }

  async #publisher(aheadMs: number, publishes: number): Promise<void> {
    const site = newSite(configured, this.#stores);
    const publishing = { ...site.publishing, signer, now: () => new Date(noon + aheadMs) };
    while (this.#changes < publishes) {
      const language = languages[(this.#changes += 1) % languages.length] ?? "en";
      await site.keep(`daily/2026-11-21/${language}/daily-tarot/reading`, `Text ${this.#changes}`);
      await this.#publish(publishing, [language]);
    }
  }

  async #publish(publishing: Publishing, named: readonly (typeof languages)[number][]): Promise<void> {
    const batch = { run: "nightly", asOf: publishing.now().toISOString(), languages: named };
    await publish(batch, { ...publishing, leases: this.#leases });
  }

  async #client(name: string, aheadMs: number): Promise<void> {
    const kept = new Map<string, string>();
    const almanac = createAlmanac({
      url,
      keys: [publicKey],
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
      },
      fetch: async (address) => {
        const stored = await this.#stores.site.read(address.slice(url.length));
        return stored === undefined
          ? new Response(null, { status: 404 })
          : new Response(new Uint8Array(stored.body));
      },
      now: () => noon + aheadMs,
    });
    for (let turn = 0; !this.#isOver || turn === 0; turn += 1) {
      const language = languages[turn % languages.length] ?? "en";
      const path = `v1/${language}/daily-tarot/${turn % 3 === 0 ? "latest" : "2026-11-21"}.json`;
      const begun = performance.now();
      const { data, version, stale } = await almanac.document(path);
      const read = { client: name, path, begun, ended: performance.now(), version, isStale: stale };
      this.reads.push({ ...read, shown: asLine(data) });
    }
  }

  /** Follows the public paths only. */
  async #browser(): Promise<void> {
    for (let turn = 0; !this.#isOver || turn === 0; turn += 1) {
      const language = languages[turn % languages.length] ?? "en";
      const path = `v1/${language}/daily-tarot/${turn % 3 === 0 ? "latest" : "2026-11-21"}.json`;
      const stored = await this.#stores.site.read(path);
      if (stored === undefined) throw new Error(`${path} is gone`);
      const data: unknown = JSON.parse(Buffer.from(stored.body).toString());
      this.seen.push({ path, set: setShape.parse(data).set, shown: asLine(data) });
    }
  }

  /** Notes when each version was there for all to see. */
  #watched(site: Store): Store {
    return {
      ...site,
      write: async (key, body, headers, when) => {
        const answer = await site.write(key, body, headers, when);
        if (key !== pointerPath || answer.kind !== "written") return answer;
        const { version, manifest } = pointerSchema.parse(JSON.parse(Buffer.from(body).toString()));
        this.published.push({ version, at: performance.now() });
        this.#manifests.set(version, manifest);
        return answer;
      },
    };
  }

  readonly #shown = new Map<string, string>();

  async #readAll(): Promise<void> {
    const trees = new Trees(this.#stores.site);
    for (const [version, manifest] of this.#manifests) {
      const { files, holes } = await trees.read(manifest);
      if (holes.length > 0) throw new Error(`version ${version} has holes: ${holes.join(", ")}`);
      for (const [path, { object }] of files) {
        if (!/^v1\/\w+\/daily-tarot\//.test(path)) continue;
        const stored = await this.#stores.site.read(objectPath(object, path));
        const data: unknown = JSON.parse(Buffer.from(stored?.body ?? []).toString());
        this.#shown.set(`${version} ${path}`, asLine(data));
        const { set } = setShape.parse(data);
        this.#sets.set(set, (this.#sets.get(set) ?? new Set()).add(asLine(data)));
      }
    }
  }

  ofVersion(version: number, path: string): string | undefined {
    return this.#shown.get(`${version} ${path}`);
  }

  readingsOf(set: string): ReadonlySet<string> {
    return this.#sets.get(set) ?? new Set();
  }
}

function asLine(data: unknown): string {
  return Buffer.from(canonical(Object(data))).toString();
}
