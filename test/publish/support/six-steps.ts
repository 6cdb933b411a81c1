// The six steps of a publish by the record, one by one, so that a test can stop after any of them and delay a call. The states have
// no parts, because the content does not matter here.
import { createVault } from "../../../vault/vault.ts";
import { canonical } from "../../../vault/files.ts";
import { manifestHeaders, pointerHeaders } from "../../../publish/state/headers.ts";
import type { Manifest } from "../../../site/manifest.schema.ts";
import type { PublishContext } from "../../../publish/state/publish-context.ts";
import { hashed, manifestPath, pointerPath } from "../../../publish/state/state.ts";
import {
  type NamedState,
  type OwnRecord,
  writeManifestCopy,
  makeCurrent,
} from "../../../publish/step/record.ts";
import { pointerAfter } from "../../../publish/step/pointer.ts";
import { recover } from "../../../publish/step/site-owner.ts";
import type { FoundSite } from "../../../publish/step/site-state.ts";
import { always, unlessChanged } from "../../../store/store.ts";
import type { Stores } from "../../support/stores.ts";

export const steps = ["manifest", "pending", "pointer", "current", "paths", "written"] as const;
export type Step = (typeof steps)[number];

export function placeOf(
  { site, vault }: Stores,
  now = () => new Date("2026-11-21T12:00:00Z"),
): PublishContext {
  return {
    site,
    vault: createVault(vault, "almanac"),
    now,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    fingerprint: `sha256-${"f".repeat(64)}`,
  };
}

export class SixSteps {
  readonly place: PublishContext;
  readonly found: FoundSite;
  readonly record: OwnRecord;
  /** The state that is published. */
  readonly next: NamedState;
  readonly #bytes: Uint8Array;

  /** Begins as a new owner of the lease. */
  static async begin(
    place: PublishContext,
    run: string,
    { epoch = 1, wasReleased = true } = {},
  ): Promise<SixSteps> {
    const { found, record } = await recover(place, { epoch, wasReleased });
    return new SixSteps(place, run, found, record);
  }

  constructor(place: PublishContext, run: string, found: FoundSite, record: OwnRecord) {
    const { highest, current } = record.value;
    const version = Math.max(highest, found.pointer?.version ?? 0) + 1;
    const manifest: Manifest = {
      format: 1,
      parent: current?.manifest ?? null,
      version,
      fingerprint: place.fingerprint,
      run,
      asOf: "2026-11-21T12:00:00.000Z",
      parts: {},
    };
    const root = hashed(canonical(manifest));
    this.place = place;
    this.found = found;
    this.record = record;
    this.next = { version, manifest: root.hash };
    this.#bytes = root.bytes;
  }

  /** Does these steps; throws if the pointer moved. */
  async do(...some: readonly Step[]): Promise<void> {
    for (const step of some) await this.#do(step);
  }

  async #do(step: Step): Promise<void> {
    const { site, vault } = this.place;
    const { next, record } = this;
    switch (step) {
      case "manifest":
        await site.write(manifestPath(next.manifest), this.#bytes, manifestHeaders, always);
        return;
      case "pending":
        await record.note((before) => ({ ...before, pending: next, highest: next.version }));
        await writeManifestCopy(vault.own, next, this.#bytes);
        return;
      case "pointer": {
        const { stored, pointer } = this.found;
        const bytes = canonical(await pointerAfter(this.place, pointer, next));
        const when = unlessChanged(stored?.version);
        const { kind } = await site.write(pointerPath, bytes, pointerHeaders, when);
        if (kind === "refused") throw new Error("the pointer moved");
        return;
      }
      case "current":
        return makeCurrent(this.place, record, next);
      case "paths":
        await site.write("en/index.html", this.#bytes, manifestHeaders, always);
        return;
      case "written":
        return record.note((before) => ({ ...before, written: before.current, partlyWritten: [] }));
    }
  }
}

/** Publishes whole states, one after the other. */
export async function publishAll(place: PublishContext, ...runs: readonly string[]): Promise<NamedState[]> {
  const states: NamedState[] = [];
  for (const run of runs) {
    const publisher = await SixSteps.begin(place, run);
    await publisher.do(...steps);
    states.push(publisher.next);
  }
  return states;
}
