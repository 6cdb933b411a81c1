// Every remedy that the program prints for a damaged site or vault leads to a sound one: each text in these folders' sources that
// names a command is provoked here by damage, and followed. A new text, or one that nothing provokes, fails the test.
import { generateKeyPairSync } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { ownOf, placeOn } from "../support/places.ts";
import { renderArchive } from "../../publish/archive.ts";
import { cleanUpSite, planCleanUp } from "../../publish/history/clean-up.ts";
import { history } from "../../publish/history/past-states.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { copyState } from "../../publish/site-copy.ts";
import { acceptState } from "../../publish/repair/current-state.ts";
import { repair } from "../../publish/repair/repair.ts";
import { groupLook } from "../../publish/repair/scrub.ts";
import { storeSource, verifyVault } from "../../publish/repair/store-source.ts";
import { verify } from "../../publish/repair/verify.ts";
import { publish, publishDue } from "../../publish/publish.ts";
import { canonical } from "../../vault/files.ts";
import type { Pointer } from "../../site/manifest.schema.ts";
import { createPartReader } from "../../publish/state/parts.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { publishedBytes } from "../../publish/state/published-files.ts";
import { signed } from "../../publish/step/pointer.ts";
import { hashed, manifestPath, objectPath, pointerPath, readState } from "../../publish/state/state.ts";
import { findBase } from "../../publish/step/site-state.ts";
import { textOn, withdraw } from "../../publish/withdraw.ts";
import { requestKey } from "../../readings/request.ts";
import { always, type Store } from "../../store/store.ts";
import { identify, reidentify } from "../../vault/installation.ts";
import { recordDecision } from "../../vault/journal.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { isIn, shownAs, type SourceText, textsIn } from "../support/literals.ts";
import { damage, fill, inMemory, keysOf, type Snapshot, snapshotOf } from "../support/stores.ts";
import { acceptanceOf, newSite, recordOf, requestAt } from "./support/published-site.ts";
import { finishOn, forgetWritten } from "./support/commit-on.ts";

const json = { type: "application/json" };
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const theirs = generateKeyPairSync("ed25519").privateKey;
const keyed = { signer: privateKey, publicKeys: [publicKey] };
const settings = {
  operations: ["daily-tarot" as const],
  people: [],
  pairs: [],
  publishing: { unusualShare: 0.5 },
};
const front = "en/index.html";
const dated = "v1/en/daily-tarot/2026-11-19.json";

/** Advice about damage to site or vault. */
const sources = textsIn(["publish", "vault"]).filter((one) => /`almanac [a-z]/.test(shownAs(one)));
/** Advice about other subjects, with the test that follows it. `test/advice.test.ts` checks that each such test exists. */
const elsewhere = new Set([
  "publish/backup/snapshots.ts",
  "publish/correct.ts",
  "publish/repair/live-site.ts",
  "publish/render/render-jobs.ts",
  "publish/render/leaving-paths.ts",
  "publish/state/published-files.ts",
  "publish/withdraw.ts",
  "vault/call-notes.ts",
  "vault/quarantine.ts",
  "vault/sets.ts",
]);
const wanted = sources.filter(({ file }) => !elsewhere.has(file));
const met = new Set<SourceText>();

let made: Promise<Snapshot> | undefined;

async function threeNights(): Promise<Snapshot> {
  const site = newSite(settings);
  const place = { ...site.publishing, ...keyed };
  await site.gather("2026-11-18", "2026-11-22");
  for (const date of ["2026-11-19", "2026-11-20", "2026-11-21"]) {
    site.setClock(`${date}T12:00:00Z`);
    await publish({ run: "almanac-nightly", asOf: `${date}T12:00:00Z`, languages: ["en", "hi"] }, place);
  }
  return snapshotOf({ site: site.site, vault: site.publishing.vault.store });
}

type World = Awaited<ReturnType<typeof newWorld>>;

async function newWorld() {
  const stores = inMemory();
  await fill(stores, await (made ??= threeNights()));
  const own = newSite(settings, stores);
  own.setClock("2026-11-21T13:00:00Z");
  const place: Publishing = { ...own.publishing, ...keyed };
  const state = await readState(stores.site);
  if (state === undefined) throw new Error("nothing is published");
  const paths = await own.paths();
  const put = (store: Store, key: string, body: Uint8Array) => store.write(key, body, json, always);
  return {
    ...stores,
    own,
    place,
    state,
    put,
    object: (path: string) => objectPath(paths.get(path) ?? "", path),
    point: (change: Partial<Pointer>, signer = privateKey) => {
      const { signature: _old, ...rest } = state.pointer;
      return put(stores.site, pointerPath, canonical(signed({ ...rest, ...change }, signer)));
    },
    night: () => publish({ run: "another", asOf: place.now().toISOString(), languages: ["en", "hi"] }, place),
    verify: () => verify(storeSource(stores.site), { publicKeys: [publicKey], now: place.now }),
    forget: async (store: Store, prefix: string) => store.remove(await keysOf(store, prefix)),
    log: async () => Array.fromAsync(history(stores.site), ({ version }) => version),
    accept: (hash: string) => acceptState(place, hash, { by: "editor" }),
    back: async (to: string | undefined) => {
      const choice = { site: stores.site, now: place.now(), keepDays: 30 };
      return rollback({ to: await chooseState(to, choice), evenMany: true, by: { by: "editor" } }, place);
    },
  };
}

/** A state of somebody else's, which names ours as its parent. */
async function forge({ state, site, put, point }: World, signer = theirs): Promise<string> {
  const root = hashed(canonical({ ...state.manifest, parent: state.pointer.manifest, version: 4, run: "x" }));
  await put(site, manifestPath(root.hash), root.bytes);
  await point({ manifest: root.hash, version: 4 }, signer);
  return root.hash;
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

async function findingsOf({ verify: look }: World): Promise<string> {
  return (await look()).findings.map(({ seen, remedy }) => `${seen}\n${remedy}`).join("\n");
}

async function vaultFindings({ vault }: World): Promise<string> {
  return (await verifyVault(vault)).findings.map(({ remedy }) => remedy).join("\n");
}

interface Case {
  readonly name: string;
  readonly harm: (world: World) => Promise<unknown>;
  /** The program's message in the place where the operator meets it. */
  readonly says: (world: World) => Promise<string>;
  /** The command that it names, and a part of the line. */
  readonly line: string;
  readonly follow?: (world: World) => Promise<unknown>;
}

const runRepair = ({ place }: World) => repair(place, true);
const copies = "sites/almanac/manifests/";

const cases: readonly Case[] = [
  {
    name: "the pointer gone, met by a night",
    harm: ({ site }) => site.remove([pointerPath]),
    says: (world) => messageOf(world.night()),
    line: "`almanac repair` restores it",
  },
  {
    name: "the pointer gone, met by verify",
    harm: ({ site }) => site.remove([pointerPath]),
    says: findingsOf,
    line: "if the site was published before, run `almanac repair`; else publish it with `almanac nightly`",
  },
  {
    name: "the pointer gone, met by gc",
    harm: async ({ site, vault, forget }) => {
      await site.remove([pointerPath]);
      await forget(vault, "sites/almanac/");
    },
    says: ({ place }) => messageOf(planCleanUp(place, { keepDays: 0, graceMs: 0 })),
    line: "so the needed files are unknown",
    follow: async (world) => {
      expect(await messageOf(runRepair(world))).toContain("this vault has never published");
      await world.point({});
      await world.accept(world.state.pointer.manifest);
      await runRepair(world);
    },
  },
  {
    name: "nothing of the store left",
    harm: ({ site, forget }) => forget(site, ""),
    says: (world) => messageOf(runRepair(world)),
    line: "If the site is lost, publish the current pages with `almanac publish`, then past ones with `almanac render --from`",
    follow: async ({ place }) => {
      await publishDue(place);
      const dates = { from: "2026-11-19", to: "2026-11-20" };
      await renderArchive({ languages: ["en", "hi"], dates, evenMany: false }, place);
    },
  },
  {
    name: "a pointer of an unknown format",
    harm: ({ put, site }) => put(site, pointerPath, canonical({ format: 2 })),
    says: (world) => messageOf(world.night()),
    line: "if not, `almanac repair` continues from version 3",
  },
  {
    name: "a state of somebody else's",
    harm: forge,
    says: (world) => messageOf(publishDue(world.place)),
    line: "`almanac repair` continues from version 3",
  },
  {
    name: "a state of our key that the vault does not know",
    harm: async (world) => {
      const hash = await forge(world, privateKey);
      await world.forget(world.vault, "sites/almanac/record/");
      await world.forget(world.vault, copies);
      return hash;
    },
    says: (world) => messageOf(world.night()),
    line: "`almanac repair --accept",
    follow: async (world) => {
      const { pointer } = (await readState(world.site)) ?? world.state;
      await world.accept(pointer.manifest);
      await runRepair(world);
    },
  },
  {
    name: "an older state put back, and then accepted",
    harm: ({ point, state }) => point({ manifest: state.manifest.parent ?? "", version: 2 }),
    says: (world) => messageOf(world.accept(world.state.manifest.parent ?? "")),
    line: "is not newer than version 3, which this vault knows. `almanac repair`",
  },
  {
    name: "a manifest lost with its copy",
    harm: async ({ site, vault, state }) => {
      await site.remove([manifestPath(state.pointer.manifest)]);
      for (const key of await keysOf(vault, copies)) await damage(vault, key);
    },
    says: ({ place }) => messageOf(findBase(place)),
    line: "and its copy in the vault are missing or damaged. `almanac repair` continues from the previous version",
  },
  {
    name: "a manifest lost, met by a command that looks",
    harm: ({ site, state }) => site.remove([manifestPath(state.pointer.manifest)]),
    says: (world) => messageOf(world.log()),
    line: "which is missing. `almanac repair` restores it",
  },
  {
    name: "a manifest damaged, met by a command that looks",
    harm: ({ site, state }) => damage(site, manifestPath(state.pointer.manifest)),
    says: (world) => messageOf(world.log()),
    line: "its hash differs from its name. Run `almanac repair`",
  },
  {
    name: "a manifest damaged, met by the scrub",
    harm: ({ site, state }) => damage(site, manifestPath(state.pointer.manifest)),
    says: async ({ site }) => {
      const { findings } = await groupLook("", { againAfterMs: 0 }, { site });
      return findings.map(({ remedy }) => remedy).join("\n");
    },
    line: "`almanac repair`",
  },
  {
    name: "a part gone, met by gc",
    harm: ({ site, state }) => site.remove([manifestPath(state.manifest.parts["en/current"] ?? "")]),
    says: ({ place }) => messageOf(planCleanUp(place, { keepDays: 0, graceMs: 0 })),
    line: "which a kept version names for en/current",
  },
  {
    name: "a part gone and one of its paths, repaired with an earlier one",
    harm: async ({ site, state }) => {
      await site.remove([manifestPath(state.manifest.parts["en/current"] ?? ""), front]);
    },
    says: async (world) => (await runRepair(world)).repairs.map(({ reason }) => reason).join("\n"),
    line: "until the next publish, or `almanac render`, restores those in the vault",
    follow: ({ place }) => publishDue(place),
  },
  {
    name: "an object gone, met by verify",
    harm: ({ site, object }) => site.remove([object(front)]),
    says: findingsOf,
    line: "`almanac repair`",
  },
  {
    name: "an object gone, met by a publish that reads it",
    harm: ({ site, object }) => site.remove([object("v1/en/index.json")]),
    says: async ({ site, state }) => {
      const published = { site, manifest: state.manifest, reader: createPartReader(site) };
      return messageOf(publishedBytes(published, "v1/en/index.json"));
    },
    line: "for v1/en/index.json, which is missing. Run `almanac repair`",
  },
  {
    name: "an object damaged, met by a copy for a host",
    harm: ({ site, object }) => damage(site, object(front)),
    says: async ({ site, state: { pointer } }) => {
      const put = async (): Promise<void> => undefined;
      return messageOf(copyState(site, pointer, { put }));
    },
    line: "of the published version is damaged. Run `almanac repair`",
  },
  {
    name: "an object and its path gone, met by whoever writes the public paths",
    harm: async ({ site, place, object }) => {
      await site.remove([object(front), front]);
      await forgetWritten(place);
    },
    says: ({ place }) => messageOf(finishOn(place)),
    line: "for en/index.html, which is missing. Run `almanac repair`",
  },
  {
    name: "public paths of which nothing is known, met by gc",
    harm: ({ place }) => forgetWritten(place),
    says: async ({ place }) => {
      const later = { ...place, now: () => new Date("2027-02-01T12:00:00Z") };
      const plan = await planCleanUp(later, { keepDays: 1, graceMs: 0 });
      return messageOf(cleanUpSite(later, plan));
    },
    line: "nothing is deleted before it is finished. Finish it with `almanac publish`",
    follow: ({ place }) => publishDue(place),
  },
  {
    name: "an object that can't be made again",
    harm: async ({ site, object, vault }) => {
      await vault.remove(["responses/daily/2026-11-19/en/daily-tarot/reading.json"]);
      await site.remove([object(dated), dated]);
    },
    says: async (world) => (await runRepair(world)).lost.map(({ remedy }) => remedy).join("\n"),
    line: "Restore the text from a backup (`almanac restore`), then run `almanac repair`",
    follow: async (world) => {
      await world.own.keep("daily/2026-11-19/en/daily-tarot/reading", "Words of the backup");
      return runRepair(world);
    },
  },
  {
    name: "a public path changed",
    harm: ({ site }) => damage(site, front),
    says: findingsOf,
    line: "`almanac repair`",
  },
  {
    name: "a public path of before put back",
    harm: async ({ site, put, own, place, object }) => {
      const before = await site.read(object("v1/en/index.json"));
      own.setClock("2026-11-22T12:00:00Z");
      await publishDue(place);
      await put(site, "v1/en/index.json", before?.body ?? new Uint8Array());
    },
    says: findingsOf,
    line: "`almanac repair`, unless a publish is writing it now",
  },
  {
    name: "a page that the manifest does not have",
    harm: ({ site }) => damage(site, "en/daily/leo/1999-01-01/index.html"),
    says: findingsOf,
    line: "`almanac repair` deletes it",
  },
  {
    name: "a signature of somebody else's under our state, where the key is",
    harm: ({ point }) => point({}, theirs),
    says: findingsOf,
    line: "it may have been written without the key. `almanac repair`",
  },
  {
    name: "a signature of somebody else's under our state, where no key is",
    harm: ({ point }) => point({}, theirs),
    says: async ({ place }) => {
      const { lost } = await repair({ ...place, signer: undefined }, false);
      return lost.map(({ remedy }) => remedy).join("\n");
    },
    line: "A worker that has it signs the pointer at its next publish",
    follow: ({ place }) => publishDue(place),
  },
  {
    name: "a pointer that nobody renewed",
    harm: ({ point }) => point({ expires: "2026-11-20T12:00:00.000Z" }),
    says: findingsOf,
    line: "`almanac publish` renews it",
    follow: ({ place }) => publishDue(place),
  },
  {
    name: "an earlier state that is not whole, chosen for a rollback",
    harm: async ({ site, own, place, object }) => {
      const gone = object("v1/en/index.json");
      own.setClock("2026-11-22T12:00:00Z");
      await publishDue(place);
      await site.remove([gone]);
    },
    says: (world) => messageOf(world.back("3")),
    line: "Nothing was changed. Choose another version (`almanac log`)",
    follow: async (world) => {
      expect(await world.log()).toEqual([4, 3, 2, 1]);
      await world.back("2");
    },
  },
  {
    name: "a rollback of a rollback",
    harm: (world) => world.back("2"),
    says: (world) => messageOf(world.back(undefined)),
    line: "`almanac log` lists them",
    follow: async (world) => {
      expect(await world.log()).toEqual([4, 3, 2, 1]);
      await world.back("3");
    },
  },
  {
    name: "a rollback to what is no state",
    harm: async () => undefined,
    says: (world) => messageOf(world.back("xy")),
    line: "`almanac log` lists both",
    follow: (world) => world.back("2"),
  },
  {
    name: "a rollback to a state that is kept no more",
    harm: async () => undefined,
    says: (world) => messageOf(world.back("abcdef")),
    line: "days (publishing.keepDays). `almanac log` lists them",
    follow: (world) => world.back("2"),
  },
  {
    name: "a rollback to a state that led to nothing of ours",
    harm: forge,
    says: async (world) => {
      const { manifest, pointer } = (await readState(world.site)) ?? world.state;
      await world.point({});
      return messageOf(
        rollback(
          { to: { hash: pointer.manifest, manifest }, evenMany: true, by: { by: "editor" } },
          world.place,
        ),
      );
    },
    line: "Nothing was changed. Choose again (`almanac log`)",
    follow: (world) => world.back("2"),
  },
  ...["1", "3"].map((copy) => ({
    name: `copy ${copy} of what was withdrawn damaged`,
    harm: async ({ vault, place }: World) => {
      const key = "daily/2026-11-20/en/daily-tarot/reading";
      await withdraw(recordOf(key), requestAt(key), place);
      await damage(vault, `sites/almanac/decisions/${copy}.json`);
    },
    says: vaultFindings,
    line: "`almanac repair` restores it from its copies",
  })),
  ...["1", "2"].map((copy) => ({
    name: `copy ${copy} of a decision damaged`,
    harm: async ({ vault, place }: World) => {
      await recordDecision(place.vault.own, acceptanceOf("daily/2026-11-21/en/daily-tarot/reading"));
      for (const one of await keysOf(vault, "sites/almanac/journal/"))
        if (one.endsWith(`.${copy}.json`)) await damage(vault, one);
    },
    says: vaultFindings,
    line: "`almanac repair` restores it from its copies",
  })),
  {
    name: "both copies of a decision damaged",
    harm: async ({ vault, place }) => {
      await recordDecision(place.vault.own, acceptanceOf("daily/2026-11-21/en/daily-tarot/reading"));
      for (const one of await keysOf(vault, "sites/almanac/journal/")) await damage(vault, one);
    },
    says: async (world) => {
      const { lost } = await repair(world.place, false);
      expect(lost).toMatchObject([
        { path: expect.stringContaining("sites/almanac/journal/daily/2026-11-21/en/") },
      ]);
      return lost.map(({ remedy }) => remedy).join();
    },
    line: "restore it from a backup (`almanac restore`), or remove both copies and decide again",
    follow: ({ vault, forget }) => forget(vault, "sites/almanac/journal/"),
  },
  ...["1", "2"].map((copy) => ({
    name: `copy ${copy} of the record of states damaged`,
    harm: ({ vault }: World) => damage(vault, `sites/almanac/record/${copy}.json`),
    says: vaultFindings,
    line: "`almanac repair` restores it from its copies",
  })),
  {
    name: "all copies of what was withdrawn damaged",
    harm: async ({ vault, place }) => {
      const key = "daily/2026-11-20/en/daily-tarot/reading";
      await withdraw(recordOf(key), requestAt(key), place);
      for (const one of await keysOf(vault, "sites/almanac/decisions/")) await damage(vault, one);
    },
    says: (world) => messageOf(world.night()),
    line: "remove them and withdraw the texts again with `almanac withdraw`",
    follow: async ({ vault, place, forget }) => {
      await forget(vault, "sites/almanac/decisions/");
      const request = await textOn("v1/en/daily-tarot/latest.json", place);
      await withdraw(recordOf(requestKey(request)), request, place);
      expect((await readWithheld(ownOf(vault))).note.withdrawn).toHaveLength(1);
    },
  },
  {
    name: "a damaged copy of a manifest",
    harm: async ({ vault }) => damage(vault, (await keysOf(vault, copies)).at(-1) ?? ""),
    says: vaultFindings,
    line: "`almanac repair` writes it again",
  },
  {
    name: "a damaged answer in quarantine",
    harm: ({ vault }) => damage(vault, "quarantine/daily/2026-11-21/en/daily-tarot/reading.json"),
    says: vaultFindings,
    line: "`almanac quarantine retry`",
    follow: ({ place }) => place.vault.release("daily/2026-11-21/en/daily-tarot/reading"),
  },
  {
    name: "the vault lost, with no copy of it",
    harm: async (world) => {
      await identify(placeOn(world));
      await world.forget(world.vault, "");
    },
    says: (world) => messageOf(identify(placeOn(world))),
    line: "If the vault is lost, restore it from a backup. Without a backup, continue with `almanac repair --new-vault`",
    follow: async (world) => {
      await reidentify(placeOn(world));
      expect(await messageOf(runRepair(world))).toContain("`almanac repair --accept");
      await world.accept(world.state.pointer.manifest);
      await runRepair(world);
      await identify(placeOn(world));
    },
  },
  {
    name: "the vault of another site",
    harm: async (world) => {
      await identify(placeOn(world));

      await reidentify(placeOn({ vault: inMemory().vault, site: world.site }));
    },
    says: (world) => messageOf(identify(placeOn(world))),
    line: "If the site's vault is lost, run `almanac repair --new-vault`",
    follow: async (world) => {
      await reidentify(placeOn(world));
      await runRepair(world);
      await identify(placeOn(world));
    },
  },
  {
    name: "a damaged report",
    harm: ({ vault }) => damage(vault, "sites/almanac/runs/2026-11-21/almanac-nightly/1.json"),
    says: vaultFindings,
    line: "or remove it: only `almanac status` and `why` use it",
    follow: ({ vault, forget }) => forget(vault, "sites/almanac/runs/"),
  },
  {
    name: "a damaged note",
    harm: async ({ vault }) => damage(vault, (await keysOf(vault, "sites/almanac/shown/"))[0] ?? ""),
    says: vaultFindings,
    line: "or remove it (docs/storage-setup.md lists the consequences)",
    follow: ({ vault, forget }) => forget(vault, "sites/almanac/shown/"),
  },
];

describe("what is said is followed, and the site is sound:", () => {
  test.each(cases)("$name", async ({ harm, says, line, follow = runRepair }) => {
    const world = await newWorld();
    await harm(world);
    const said = await says(world);
    expect(said.replaceAll(/\s+/g, " ")).toContain(line);
    for (const one of wanted) if (isIn(said, one)) met.add(one);
    await follow(world);
    await world.night();
    const { findings } = await world.verify();
    expect(findings).toEqual([]);
    expect((await verifyVault(world.vault)).findings).toEqual([]);
  });

  afterAll(() => {
    expect(wanted.filter((one) => !met.has(one)).map((one) => `${one.file}: ${shownAs(one)}`)).toEqual([]);
  });
});

test("what is told elsewhere is still told", () => {
  expect([...elsewhere].filter((file) => !sources.some((one) => one.file === file))).toEqual([]);
});
