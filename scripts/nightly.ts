// `almanac nightly`: starts a night on Temporal, or attaches to the one that is under way.
import type { RunRequest } from "../readings/run-messages.ts";
import { startNightly } from "../worker/temporal/runs.ts";
import type { Define } from "./terminal/command.ts";
import { open, withClient } from "../worker/opened-site.ts";
import { requirePart } from "./terminal/narrowing.ts";
import { instantIn, languagesIn } from "./terminal/options.ts";
import { type Following, tellOrFollow, warnWithoutWorker } from "./terminal/run-start.ts";

export const define: Define = (command) => {
  command
    .option(
      "--as-of <instant>",
      "the instant the night is for, such as 2026-11-21T03:05:00Z (now unless said)",
      instantIn,
    )
    .option("--languages <codes>", "only these, such as en,hi", languagesIn)
    .option("--wait", "follow it to its end; Ctrl-C leaves it going")
    .addHelpText(
      "after",
      "\nExample: gather and publish what is missing, and wait for it:\n  almanac nightly --wait",
    )
    .action(async ({ wait = false, json = false, ...request }) => {
      process.exitCode = await nightly(request, { wait, json });
    });
};

async function nightly(request: RunRequest, following: Following) {
  const opening = await open();
  requirePart(opening.configuration, request);
  const { id: site } = opening.configuration.site;
  return withClient(opening, async (client) => {
    const run = await startNightly(client, site, request, new Date());
    await warnWithoutWorker(client, site);
    return tellOrFollow(run, opening.vault, following);
  });
}
