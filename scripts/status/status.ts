// `almanac status`: the progress of the active run, or the outcome of the last one.
import { waitingNow } from "../../insight/review-list.ts";
import { addDays } from "../../readings/calendar.ts";
import { requestOf } from "../../readings/request.ts";
import type { RejectedSet } from "../../readings/run-messages.ts";
import { countsOf } from "../../readings/tally.ts";
import { leftOutPictures } from "../../vault/site-notes.ts";
import { openBreakers, stoppedLanguages } from "../../vault/call-notes.ts";
import { datesAhead } from "../../publish/state/published-files.ts";
import { staleCorrections, staleWords } from "../../insight/why-facts.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { activePins, warningLines } from "../terminal/findings.ts";
import { rejectionDespite } from "../../vault/stored-readings.ts";
import { lastScrub } from "../../vault/scrub-note.ts";
import { followRun } from "../../worker/temporal/runs.ts";
import type { Define } from "../terminal/command.ts";
import { endLines, exitCodeOf } from "../terminal/run-words.ts";
import { watchToEnd } from "../terminal/run.ts";
import { exitCodes, WrongUsage } from "../terminal/errors.ts";
import { publishedState } from "../../worker/published-state.ts";
import { open, type Opening, withClient } from "../../worker/opened-site.ts";
import { print, printJson } from "../terminal/output.ts";
import { look, type Status } from "./found-run.ts";
import { credentialsRefusedSince, scrubLines, statusLines } from "./print.ts";
import { now } from "../../worker/settings/environment.ts";

export const define: Define = (command) => {
  command
    .argument("[run]", "Run, such as almanac-nightly-2026-11-21. Default: the current or most recent one")
    .option("--watch", "Follow the run until it ends, and exit with its result")
    .addHelpText(
      "after",
      "\nCtrl-C stops only the display, not the run.\n\nExample: watch the active run:\n  almanac status --watch",
    )
    .action(async (run, { watch = false, json }) => {
      const opening = await open();
      const seen = await look(opening, run);
      if (seen === undefined && run !== undefined) {
        throw new WrongUsage(
          `no run ${run} in Temporal or in the vault. \`almanac status\` shows the last run`,
        );
      }
      const isWatched = watch && seen?.running === true;
      const status = isWatched ? await watched(opening, seen) : seen && (await settled(opening, seen));
      const breakers = await openBreakers(opening.vault);
      const stopped = status?.running === true ? await stoppedLanguages(opening.vault, status.run) : [];
      const refusedSince = status?.running === true ? credentialsRefusedSince(breakers) : undefined;
      const leftOut = await leftOutPictures(opening.vault.own, opening.configuration.pictures);
      const ahead = await datesAhead(opening.site, opening.configuration, now());
      const unreviewed = await waitingNow({ ...opening, now: now() });
      const { refusal } = await publishedState(opening);
      const scrub = await lastScrub(opening.vault.own);
      const { pins, stale } = await decisionsIn(opening);
      const warnings = [refusal, ahead, leftOut, unreviewed, ...pins, ...stale.map(staleWords)];
      if (json)
        printJson({
          ...status,
          run: status?.run ?? null,
          ...(refusedSince !== undefined && { pace: undefined, credentialsRefusedSince: refusedSince }),
          breakers,
          stoppedLanguages: stopped,
          leftOutPictures: leftOut?.origins ?? [],
          datesAhead: ahead?.dates ?? [],
          waitingForReview: unreviewed?.waiting ?? [],
          scrub: scrub ?? null,
          pins: pins.map((one) => one.pin),
          staleCorrections: stale.map(({ key, field, by, at }) => ({ key, field, by, at })),
          refused: refusal === undefined ? null : { seen: refusal.seen, remedy: refusal.remedy },
        });
      else if (isWatched && process.stderr.isTTY && status?.progress !== undefined) {
        print(endLines(status.progress), unreviewed && warningLines(unreviewed)); // the languages are shown above
      } else print([statusLines(status, { breakers, stopped }, warnings), scrub && scrubLines(scrub)]);
      // A run without progress did not come to its end.
      if (watch && status !== undefined)
        process.exitCode = status.progress === undefined ? exitCodes.failed : exitCodeOf(status.progress);
    });
};

/** The pins in force, and the corrections that a newer response has made stale. */
async function decisionsIn({ vault, configuration }: Opening) {
  const withheld = await readWithheld(vault.own);
  const since = addDays(now().toISOString().slice(0, 10), -40); // the service sends no earlier text again
  const pins = activePins(withheld.note.pins, configuration, now());
  return { pins, stale: await staleCorrections(vault, withheld, since) };
}

async function watched(opening: Opening, { run, earlier }: Status): Promise<Status> {
  const progress = await withClient(opening, async (client) =>
    watchToEnd(followRun(client, run), opening.vault),
  );
  return { run, state: progress.state, running: false, source: "temporal", progress, earlier };
}

/**
 * A run that has ended, as of now: a request that it skipped, and that a person has settled since, is skipped no longer.
 * An accepted answer counts as stored; one that is to be requested again counts as open. A set that a set rule still rejects although a
 * person accepted an answer of it is listed.
 */
async function settled({ vault, configuration }: Opening, status: Status): Promise<Status> {
  const { progress, running } = status;
  if (progress === undefined || running) return status;
  const waiting = new Set(await vault.inQuarantine(""));
  // Other failures leave nothing in quarantine.
  const gone = progress.skipped.filter(
    ({ key, type }) => (type === "Unfit" || type === "Rejected") && !waiting.has(key),
  );
  const accepted = (progress.rejectedSets ?? []).map(({ key }) => key);
  if (gone.length + accepted.length === 0) return status;
  const languages = structuredClone(progress.languages);
  for (const { key } of gone) {
    const request = requestOf(key);
    const tally = request && languages[request.language];
    if (request === undefined || tally === undefined) continue;
    const counts = countsOf(tally, request.operation);
    counts.skipped = Math.max(0, counts.skipped - 1);
    if ((await vault.response(key)) === undefined) continue;
    counts.stored += 1;
    accepted.push(key);
  }
  const rejectedSets: RejectedSet[] = [];
  for (const key of new Set(accepted)) {
    const response = await vault.response(key);
    if (response?.accepted === undefined) continue;
    const reason = await rejectionDespite(response, vault, configuration.quality.rules);
    if (reason !== undefined) rejectedSets.push({ key, reason });
  }
  const skipped = progress.skipped.filter((one) => !gone.includes(one));
  return { ...status, progress: { ...progress, languages, skipped, rejectedSets } };
}
