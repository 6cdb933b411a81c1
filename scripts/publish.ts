// `almanac publish`: publishes the due languages from the vault, without a call.
import { publishDue } from "../publish/publish.ts";
import type { PublishResult } from "../readings/run-messages.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes } from "./terminal/errors.ts";
import { type ActivePin, activePins, warningLines } from "./terminal/findings.ts";
import { counted, type Lines, printAs, say } from "./terminal/output.ts";
import { readWithheld } from "../vault/withheld.ts";
import { openSite, requireOwnVault } from "../worker/opened-site.ts";
import { openPublisher } from "../worker/publisher.ts";
import { now } from "../worker/settings/environment.ts";
import { damagedLines, rejectedLines } from "./terminal/run-words.ts";

export const define: Define = (command) => {
  command.addHelpText("after", "\nIt makes no call and needs no worker.").action(async ({ json }) => {
    const opening = await requireOwnVault(await openSite());
    const options = { isTrial: false, needsKey: true };
    await using publisher = await openPublisher(opening, "almanac publish", say, options);
    const published = await publishDue(publisher.publishing);
    const { damaged, rejectedSets, staying } = published;
    const { note } = await readWithheld(opening.vault.own);
    const pins = activePins(note.pins, opening.configuration, now());
    printAs(json, { ...published, pins: pins.map(({ pin }) => pin) }, [
      publishLines(published, pins),
      damagedLines(published),
      rejectedLines(published),
      staying?.map(({ reason }) => reason),
    ]);
    if ((damaged ?? rejectedSets ?? staying) !== undefined) process.exitCode = exitCodes.incomplete;
  });
};

/** The outcome, and the pins for which languages or sets were left out. */
export function publishLines(published: PublishResult, pins: readonly ActivePin[]): Lines {
  return [publishWords(published, pins.length > 0), pins.map(warningLines)];
}

export function publishWords({ languages, changed, version }: PublishResult, isPinned = false): string {
  const others = isPinned ? "no language without a pin" : "no language";
  if (languages.length === 0)
    return version === 0
      ? "nothing to publish: no language has all readings of its date yet. Run `almanac local` or `almanac nightly`"
      : `nothing to publish: ${others} has a new date. The site stays at version ${version}`;
  // Other settings make a new version even if they change no file.
  if (changed === 0)
    return `${languages.join(" ")}: nothing new in the vault. The site has version ${version}`;
  return `published version ${version}: ${counted(changed, "file")} new or changed in ${languages.join(" ")}`;
}
