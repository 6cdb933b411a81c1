// Twelve concurrent publishers on a real S3 server, each with a different language: they hold the site's lease one after the other,
// and all languages are published.
import { expect, test } from "vitest";
import { createVault } from "../../vault/vault.ts";
import type { Store } from "../../store/store.ts";
import { merge } from "../../publish/render/merged-state.ts";
import { groupsIn } from "../../publish/state/parts.ts";
import type { PublishContext } from "../../publish/state/publish-context.ts";
import { pointerPath, readState } from "../../publish/state/state.ts";
import { type Language, languageNames } from "../../readings/tables.ts";
import { Leases } from "../../store/lease.ts";
import { deep } from "../support/deep.ts";
import { s3ForTests } from "../support/s3.ts";
import { follow, wrongPaths, usedTwice } from "./support/look.ts";
import { pathOf } from "../../site/paths.ts";
import { commitOn } from "./support/commit-on.ts";

const s3 = await s3ForTests();
const rounds = deep ? 20 : 1;
const writers = languageNames.slice(0, 12);
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Counts the pointers that were written, and those that were refused. */
function watched(site: Store, count: { written: number; refused: number }): Store {
  return {
    ...site,
    async write(key, ...put) {
      const answer = await site.write(key, ...put);
      if (key === pointerPath) count[answer.kind] += 1;
      return answer;
    },
  };
}

async function publishOne(place: PublishContext, language: Language): Promise<number> {
  const bytes = new TextEncoder().encode(`the front page in ${language}`);
  const at = { row: "frontPage", language } as const;
  const file = { path: pathOf(at), at, bytes, type: "text/html; charset=utf-8" };
  const by = { run: `race-${language}`, asOf: "2026-11-21T03:05:00.000Z" };
  const { version } = await commitOn(place, by, (base, reader) => merge(base?.manifest, [file], [], reader));
  return version;
}

test(
  "twelve concurrent publishers wait for each other, and all twelve languages are published",
  {
    timeout: 600_000,
  },
  async () => {
    const count = { written: 0, refused: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const [site, vault] = [s3.open(), s3.open()];
      const leases = new Leases({ store: vault, where: "test", log: quiet });
      const stores = { site: watched(site, count), vault: createVault(vault, "almanac"), leases };
      const place = { ...stores, now: () => new Date(), log: quiet, fingerprint: "sha256-race" };
      const versions = await Promise.all(writers.map((language) => publishOne(place, language)));
      expect(versions.toSorted((one, other) => one - other)).toEqual(writers.map((_, at) => at + 1));
      expect(await usedTwice({ site, vault })).toEqual([]);
      const state = await readState(site);
      const groups = state === undefined ? [] : groupsIn(state.manifest);
      expect(groups.toSorted()).toEqual(writers.map((language) => `${language}/current`).toSorted());
      const seen = await follow(site);
      expect(seen === undefined ? ["nothing"] : await wrongPaths(site, seen)).toEqual([]);
    }
    expect(count).toEqual({ written: 12 * rounds, refused: 0 });
  },
);
