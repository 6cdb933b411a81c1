// `almanac nightly`: starts a night on Temporal, or attaches to the running one.
import type { RunRequest } from "../readings/run-messages.ts";
import { startNightly } from "../worker/temporal/runs.ts";
import type { Define } from "./terminal/command.ts";
import { open, withClient } from "../worker/opened-site.ts";
import { requirePart, languagesIn } from "./terminal/options.ts";
import { ownInstallation, type Following, tellOrFollow, warnWithoutWorker } from "./terminal/run.ts";
import { WrongUsage } from "./terminal/errors.ts";
import { instantIn } from "./terminal/dates.ts";
import { now } from "../worker/settings/environment.ts";

export const define: Define = (command) => {
  command
    .option("--as-of <time>", "Time of the run, such as 2026-11-21T03:05:00Z. Default: now", instantIn)
    .option("--languages <codes>", "Limit to these languages, such as en,hi", languagesIn)
    .option("--wait", "Follow the run until it ends. Ctrl-C stops only the display")
    .addHelpText(
      "after",
      "\nExample: request and publish the missing readings, and wait for the run to finish:\n  almanac nightly --wait",
    )
    .action(async ({ wait = false, json = false, ...request }) => {
      process.exitCode = await nightly(request, { wait, json });
    });
};

const mostAwayMs = 366 * 24 * 60 * 60_000;

/** The service gives texts of this year, the last and the next. Cards it draws for any date, and each is a call. */
function requireNear(asOf: string | undefined, today: Date) {
  if (asOf === undefined || Math.abs(Date.parse(asOf) - today.getTime()) <= mostAwayMs) return;
  throw new WrongUsage(
    `--as-of ${asOf} is more than a year from now (${today.toISOString()}). Use an instant within a year`,
  );
}

async function nightly(request: RunRequest, following: Following) {
  requireNear(request.asOf, now());
  const opening = await open();
  requirePart(opening.configuration, request);
  const { id: site } = opening.configuration.site;
  return withClient(opening, async (client) => {
    const installation = await ownInstallation(opening, client);
    const run = await startNightly(client, site, request, now(), installation);
    await warnWithoutWorker(client, site);
    return tellOrFollow(run, opening, following);
  });
}
