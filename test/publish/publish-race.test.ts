// Twelve publishers at once on a real S3 server, each with a language of its own: of all that swap the pointer from the same
// state one wins, and the languages of the others get in when they try again.
import type { Store } from "../../store/store.ts";
import { expect, test } from "vitest";
import { advance } from "../../publish/step/advance.ts";
import { merge } from "../../publish/press/merged-state.ts";
import { groupsIn } from "../../publish/state/parts.ts";
import type { PublishingPlace } from "../../publish/state/publishing-place.ts";
import { pointerPath, readState } from "../../publish/state/state.ts";
import { type Language, languageNames } from "../../readings/languages.ts";
import { deep } from "../support/deep.ts";
import { s3ForTests } from "../support/s3.ts";
import { follow, strayPaths, usedTwice } from "./support/look.ts";
import { pathOf } from "../../site/paths.ts";

const s3 = await s3ForTests();
const rounds = deep ? 20 : 1;
const writers = languageNames.slice(0, 12);
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface Swap {
  readonly from: string;
  readonly isWon: boolean;
}

/** Notes who swapped the pointer from which state. */
function watched(site: Store, swaps: Swap[]): Store {
  return {
    ...site,
    async write(key, body, headers, when) {
      const answer = await site.write(key, body, headers, when);
      if (key !== pointerPath) return answer;
      const from = when.kind === "version" ? when.version : when.kind;
      swaps.push({ from, isWon: answer.kind === "written" });
      return answer;
    },
  };
}

async function publishOne(place: PublishingPlace, language: Language): Promise<number> {
  const bytes = new TextEncoder().encode(`the front page in ${language}`);
  const at = { row: "frontPage", language } as const;
  const file = { path: pathOf(at), at, bytes, type: "text/html; charset=utf-8" };
  const by = { run: `race-${language}`, asOf: "2026-11-21T03:05:00.000Z" };
  const { version } = await advance(place, by, (base, reader) => merge(base?.manifest, [file], [], reader));
  return version;
}

test(
  "of twelve publishers that swap the pointer from the same state one wins, and all twelve languages get in",
  { timeout: 600_000 },
  async () => {
    let lost = 0;
    for (let round = 0; round < rounds; round += 1) {
      const [site, vault] = [s3.open(), s3.open()];
      const swaps: Swap[] = [];
      const versions = await Promise.all(
        writers.map((language) => {
          const place = { site: watched(site, swaps), vault: { store: vault }, now: () => new Date() };
          return publishOne({ ...place, log: quiet, fingerprint: "sha256-race" }, language);
        }),
      );
      expect(new Set(versions).size).toBe(writers.length);
      expect(await usedTwice({ site, vault })).toEqual([]);
      const won = Map.groupBy(swaps, ({ from }) => from);
      for (const [from, tried] of won) {
        expect(
          tried.filter(({ isWon }) => isWon),
          `from ${from}`,
        ).toHaveLength(1);
      }
      lost += swaps.filter(({ isWon }) => !isWon).length;
      const state = await readState(site);
      const groups = state === undefined ? [] : groupsIn(state.manifest);
      expect(groups.toSorted()).toEqual(writers.map((language) => `${language}/current`).toSorted());
      const seen = await follow(site);
      expect(seen === undefined ? ["nothing"] : await strayPaths(site, seen)).toEqual([]);
    }
    console.log(
      `12 publishers on S3, ${rounds} rounds: ${12 * rounds} swaps won, ${lost} lost and made again`,
    );
    expect(lost).toBeGreaterThan(rounds);
  },
);
