// Somebody who can write to the site's store puts an older pointer of ours back, byte for byte, just while others publish: a swap
// takes it for the one that it began from. Whatever moment is chosen, no publish that ends has brought a withdrawn text back.
import { describe, expect, test } from "vitest";
import { repair } from "../../publish/mend/repair.ts";
import { publish, publishTurn } from "../../publish/publish.ts";
import type { Publishing } from "../../publish/state/publishing-place.ts";
import { pointerPath, readState } from "../../publish/state/state.ts";
import { StateRefused } from "../../publish/step/refusal.ts";
import { withdraw } from "../../publish/withdraw.ts";
import type { PublishInput } from "../../readings/run-messages.ts";
import { always, type Store } from "../../store/store.ts";
import { createVault } from "../../vault/vault.ts";
import { type Call, fill, inMemory, type Snapshot, snapshotOf, through } from "../support/stores.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";

const words = "A text that somebody complains about.";
const fresh = "A text of the night under way.";
const leo = (language: string) => `daily/2026-11-21/${language}/daily-horoscope/leo`;
const settings = { languages: ["en" as const, "hi" as const], operations: ["daily-horoscope" as const] };
const night: PublishInput = { run: "late", asOf: "2026-11-21T12:00:00Z", languages: ["en"] };
let made: Promise<Snapshot> | undefined;

async function publishedOnce(): Promise<Snapshot> {
  const site = newSite(settings);
  await site.gather("2026-11-18", "2026-11-21");
  for (const language of settings.languages) await site.keep(leo(language), words);
  await site.night();
  return snapshotOf({ site: site.site, vault: site.publishing.vault.store });
}

/** A published site, whose pointer can be put back to what it is now. */
async function newWorld() {
  made ??= publishedOnce();
  const stores = inMemory();
  await fill(stores, await made);
  const site = newSite(settings, stores);
  const before = await site.site.read(pointerPath);
  if (before === undefined) throw new Error("nothing was published");
  const putBack = async () => void (await site.site.write(pointerPath, before.body, { type: "" }, always));
  return { site, putBack };
}

/** The first call of that kind is preceded, or followed, by a deed of somebody else's. */
function once(
  store: Store,
  when: "before" | "after",
  isIt: (call: Call) => boolean,
  deed: () => Promise<void>,
) {
  let isFirst = true;
  return through(store, async (call, make) => {
    if (!isFirst || !isIt(call)) return make();
    isFirst = false;
    if (when === "before") await deed();
    const answer = await make();
    if (when === "after") await deed();
    return answer;
  });
}

const isSwap = ({ doing, keys }: Call) => doing === "write" && keys[0] === pointerPath;
const isNote = ({ doing, keys }: Call) => doing === "write" && keys[0] === "site/projection.json";
const isLastLook = ({ doing, keys }: Call) => doing === "list" && keys[0] === "site/sweeps/";

function take(site: PublishedSite, language: string, place: Publishing = site.publishing) {
  return withdraw(recordOf(leo(language)), requestAt(leo(language)), place);
}

async function publishEnglish(site: PublishedSite, place: Publishing = site.publishing) {
  await site.keep(leo("en"), fresh);
  return publish(night, place);
}

/** The Hindi files of the state that the pointer names which have the text. */
async function shownIn(site: PublishedSite) {
  return (await site.filesWith(words)).filter((path) => path.includes("hi/"));
}

describe("an older pointer of ours that somebody puts back", () => {
  test("before the withdrawal has noted its swap, which then publishes once more", async () => {
    const { site, putBack } = await newWorld();
    const struck = { ...site.publishing, site: once(site.site, "after", isSwap, putBack) };
    const { version } = await take(site, "hi", struck);
    expect(version).toBe(3);
    expect(await shownIn(site)).toEqual([]);
    await publishEnglish(site);
    expect(await shownIn(site)).toEqual([]);
    expect(await site.filesWith(fresh)).not.toEqual([]);
  });

  test("so that another one publishes on it before the withdrawal has noted its swap", async () => {
    const { site, putBack } = await newWorld();
    const deed = async () => {
      await putBack();
      expect((await publishEnglish(site)).version).toBe(3);
    };
    await take(site, "hi", { ...site.publishing, site: once(site.site, "after", isSwap, deed) });
    expect(await shownIn(site)).toEqual([]);
    expect(await site.filesWith(fresh)).not.toEqual([]);
  });

  test("so that one publishes on it and dies, and another one builds on that, which stops once the withdrawal is noted", async () => {
    const { site, putBack } = await newWorld();
    const [begun, noted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const dying = once(site.site, "after", isSwap, () => Promise.reject(new Error("killed")));
    const { store } = site.publishing.vault;
    const waiting = once(store, "before", isLastLook, async () => {
      begun.resolve();
      await noted.promise;
    });
    let late: Promise<unknown> = Promise.resolve();
    const deed = async () => {
      await putBack();
      await expect(publishEnglish(site, { ...site.publishing, site: dying })).rejects.toThrow("killed");
      await site.keep(leo("en"), `${fresh} Once more.`);
      late = expect(publish(night, { ...site.publishing, vault: createVault(waiting) })).rejects.toThrow(
        StateRefused,
      );
      await begun.promise;
    };
    const slow = createVault(once(store, "before", isNote, deed));
    await take(site, "hi", { ...site.publishing, vault: slow });
    noted.resolve();
    await late;
    await repair(site.publishing, false);
    expect(await shownIn(site)).toEqual([]);
  });

  test("between the last look and the swap of another publish, which publishes again on what was withdrawn", async () => {
    const { site, putBack } = await newWorld();
    const deed = async () => {
      await take(site, "hi");
      await putBack();
    };
    const { version } = await publishEnglish(site, {
      ...site.publishing,
      site: once(site.site, "before", isSwap, deed),
    });
    expect(version).toBe((await readState(site.site))?.pointer.version);
    expect(await shownIn(site)).toEqual([]);
    expect(await site.filesWith(fresh)).not.toEqual([]);
  });

  test("while a withdrawal goes on above what was put back, and another text was withdrawn meanwhile", async () => {
    const { site, putBack } = await newWorld();
    await publishEnglish(site);
    await putBack();
    const deed = async () => {
      await take(site, "hi");
      await putBack();
    };
    const slow = createVault(once(site.publishing.vault.store, "after", isLastLook, deed));
    await take(site, "en", { ...site.publishing, vault: slow });
    expect(await site.filesWith(words)).toEqual([]);
    expect(await site.filesWith(fresh)).toEqual([]);
  });

  test("while a turn is about to renew the pointer, which then stops", async () => {
    const { site, putBack } = await newWorld();
    const before = await site.site.read(pointerPath);
    site.setClock("2026-11-30T12:00:00Z");
    const deed = async () => {
      await take(site, "hi");
      await putBack();
    };
    const isManifest = ({ doing, keys: [key = ""] }: Call) =>
      doing === "read" && key.startsWith("v1/manifests/");
    const struck = { ...site.publishing, site: once(site.site, "after", isManifest, deed) };
    await expect(publishTurn(struck)).rejects.toThrow(StateRefused);
    expect(await site.site.read(pointerPath)).toEqual(before);
  });

  test("before a night has noted its swap, which then stops; a repair goes on from the night's state", async () => {
    const { site, putBack } = await newWorld();
    const struck = { ...site.publishing, site: once(site.site, "after", isSwap, putBack) };
    await expect(publishEnglish(site, struck)).rejects.toThrow(
      "an older state of ours, which somebody has put back",
    );
    await expect(site.night()).rejects.toThrow(StateRefused);
    expect((await repair(site.publishing, false)).version).toBe(3);
    expect(await site.filesWith(fresh)).not.toEqual([]);
  });
});
