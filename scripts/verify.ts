// `almanac verify`: checks every published file against its hash, in the store or, with a URL, over HTTP as readers get it.
import { keptSince } from "../publish/history/past-states.ts";
import { openLiveSite } from "../publish/repair/live-site.ts";
import { storeSource, verifyVault } from "../publish/repair/store-source.ts";
import type { SiteFinding } from "../publish/repair/site-source.ts";
import { verify } from "../publish/repair/verify.ts";
import { pointerPath } from "../publish/state/state.ts";
import { publishedState } from "../worker/published-state.ts";
import { publicKeysOf } from "../worker/settings/credentials.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes, WrongUsage } from "./terminal/errors.ts";
import { siteUrlIn } from "./terminal/options.ts";
import { counted, sizeInWords, type Lines, printAs, styled } from "./terminal/output.ts";
import { findingLines, noteSuccess } from "./terminal/findings.ts";
import { openSite, type Opening } from "../worker/opened-site.ts";
import { progressOf } from "./terminal/progress.ts";
import { now } from "../worker/settings/environment.ts";

export const define: Define = (command) => {
  command
    .argument("[url]", "URL of the live site, such as https://almanac.example. Default: the site's storage")
    .option("--all", "Also check the files of earlier versions that you can roll back to")
    .option("--without-objects", "Skip v1/objects/, which `almanac deploy folder` omits by default")
    .option("--vault", "Also check every file of the vault")
    .addHelpText(
      "after",
      `
It changes nothing except the time of its last success, in the vault. Exit codes: 0 if everything is sound, 1 if not.

Example: find caches that serve stale or changed files:
  almanac verify https://almanac.example`,
    )
    .action(async (url, { all = false, withoutObjects = false, vault: isVault = false, json }) => {
      const address = url === undefined ? undefined : siteUrlIn(url);
      if (withoutObjects && (address === undefined || all))
        throw new WrongUsage(
          "--without-objects needs the URL of a copy, and excludes --all: a copy has no earlier versions",
        );
      const opening = await openSite({ isAnywhere: address !== undefined });
      const verified = await verifyAt({ address, all, withoutObjects }, opening);
      const kept = isVault ? await verifyKept(opening) : undefined;
      const isSound = verified.findings.length === 0 && kept?.sound !== false;
      const document = { ...documentOf(verified), sound: isSound, ...(kept && { vault: kept }) };
      printAs(json, document, [
        verifyLines(verified),
        kept && [
          "",
          checkedLines(kept.findings, [
            `${kept.where} has ${counted(kept.files, "file")}, ${sizeInWords(kept.sizeBytes)}`,
          ]),
        ],
      ]);
      process.exitCode = isSound ? exitCodes.done : exitCodes.failed;
      const isOfStore = address === undefined && verified.pointer !== undefined;
      if (isSound && isOfStore) await noteSuccess(opening, "verify", now());
    });
};

type VerifyAnswer = Awaited<ReturnType<typeof verifyAt>>;

interface VerifyWish {
  readonly address: URL | undefined;
  readonly all: boolean;
  readonly withoutObjects: boolean;
}

async function verifyAt({ address, all, withoutObjects }: VerifyWish, opening: Opening) {
  const { environment, configuration, location, site } = opening;
  const { publicKeys, keepDays } = configuration.publishing;
  const live = address && openLiveSite(address, environment.proxies);
  using progress = progressOf("verified");
  try {
    const verified = await verify(live ?? storeSource(site), {
      publicKeys: publicKeysOf(publicKeys),
      now,
      since: all ? keptSince(now(), keepDays) : undefined,
      withoutObjects,
      onProgress: (done, of) => progress.show(done, of),
    });
    const refused = live === undefined ? await refusedState(opening) : [];
    const findings = [...(verified.pointer === undefined ? [] : refused), ...verified.findings];
    return {
      ...verified,
      findings,
      where: address?.href ?? location.site,
      isSignatureChecked: publicKeys.length > 0,
    };
  } finally {
    await live?.close();
  }
}

async function verifyKept({ vault, location }: Opening) {
  using progress = progressOf("verified in the vault");
  const verified = await verifyVault(vault.store, (done) => progress.tell(counted(done, "file")));
  return { where: location.vault, sound: verified.findings.length === 0, ...verified };
}

/** Whether the store's state is the last one published according to the vault. */
async function refusedState(opening: Opening): Promise<SiteFinding[]> {
  const { refusal } = await publishedState(opening);
  if (refusal === undefined) return [];
  const expected = "the version that this vault published last";
  return [{ path: pointerPath, expected, seen: refusal.seen, remedy: refusal.remedy }];
}

function documentOf({ where, pointer, isSignatureChecked, findings, ...counts }: VerifyAnswer) {
  const { manifest = null, version = null, publishedAt = null, expires = null } = pointer ?? {};
  const signature = isSignatureChecked ? "checked" : "not checked";
  return { where, manifest, version, publishedAt, expires, ...counts, signature, findings };
}

function verifyLines(verified: VerifyAnswer): Lines {
  const { where, pointer, findings, files, objects, states, isSignatureChecked } = verified;
  const seen = `checked ${counted(files, "path")}, ${counted(objects, "object")}, ${counted(states, "version")}`;
  const version =
    pointer === undefined
      ? "no readable pointer"
      : `version ${pointer.version}, published ${pointer.publishedAt}`;
  return checkedLines(findings, [
    `${where} has ${version}: ${seen}`,
    !isSignatureChecked && "signature not checked: publishing.publicKeys contains no key",
  ]);
}

/** Findings, a line about all that was checked, and the verdict. */
function checkedLines(findings: readonly SiteFinding[], head: Lines): Lines {
  if (findings.length === 0) return [head, styled("green", "sound")];
  return [findingLines(findings), "", head, styled("red", counted(findings.length, "finding"))];
}
