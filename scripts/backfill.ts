// `almanac backfill`: requests missing readings of languages, operations or dates, as far as the service still offers them.
import type { RunRequest } from "../readings/run-messages.ts";
import { planFor, type RunPlanInput } from "../insight/plan.ts";
import type { PlanLine } from "../readings/plan-order.ts";
import { startBackfill } from "../worker/temporal/runs.ts";
import { backfillId } from "../workflows/names.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes } from "./terminal/errors.ts";
import { open, withClient } from "../worker/opened-site.ts";
import { requirePart, wrongDates, languagesIn, operationsIn, requireOrder } from "./terminal/options.ts";
import { ownInstallation, type Following, tellOrFollow, warnWithoutWorker } from "./terminal/run.ts";
import { typedDate } from "./terminal/dates.ts";
import { counted, firstLines, type Lines, printAs, say } from "./terminal/output.ts";
import { plannedRefusalLines } from "./terminal/run-words.ts";
import { now } from "../worker/settings/environment.ts";

export const define: Define = (command) => {
  command
    .requiredOption("--languages <codes>", "Languages to fill, such as gu,uk", languagesIn)
    .option(
      "--operations <names>",
      "Limit to these operations, such as daily-horoscope,daily-tarot",
      operationsIn,
    )
    .option("--from <date>", "First local date. Default: yesterday if only --to is set", typedDate("--from"))
    .option("--to <date>", "Last local date. Default: tomorrow if only --from is set", typedDate("--to"))
    .option("--wait", "Follow the run until it ends. Ctrl-C stops only the display")
    .addHelpText(
      "after",
      `
Without dates, it requests the same readings as a nightly run.
It lists readings that the service no longer offers, or does not offer yet, and skips them. With --wait, the exit code is then 3.

Example: fill this week in Gujarati and Ukrainian:
  almanac backfill --languages gu,uk --from 2026-11-15 --to 2026-11-21 --wait`,
    )
    .action(async ({ wait = false, json = false, ...request }) => {
      requireOrder(request);
      process.exitCode = await backfill(request, { wait, json });
    });
};

async function backfill(request: RunRequest, following: Following) {
  const opening = await open();
  requirePart(opening.configuration, request);
  const at = now();
  const asOf = at.toISOString();
  const { id: site } = opening.configuration.site;
  const id = backfillId(site, asOf.slice(0, 10), request.languages);
  // The same plan as the run's, to report beforehand which readings are no longer available.
  const input: RunPlanInput = { run: id, kind: "backfill", request: { ...request, asOf } };
  const { due, outOfReach, refusals } = await wrongDates(planFor(input, { ...opening, now }));
  say(outOfReachLines(outOfReach), plannedRefusalLines(refusals));
  const left = outOfReach.length + refusals.length === 0 ? exitCodes.done : exitCodes.incomplete;
  const counts = { due: due.length, outOfReach: outOfReach.map(({ key }) => key) };
  if (due.length === 0) {
    printAs(following.json, { run: null, ...counts }, [
      "nothing to request: all available readings are in the vault or in quarantine",
    ]);
    return left;
  }
  return withClient(opening, async (client) => {
    const run = await startBackfill(client, site, request, at, await ownInstallation(opening, client));
    await warnWithoutWorker(client, site);
    const code = await tellOrFollow(run, opening, following, counts);
    return following.wait && code === exitCodes.done ? left : code;
  });
}

function outOfReachLines(lines: readonly PlanLine[]): Lines {
  if (lines.length === 0) return [];
  const title = `${counted(lines.length, "reading")} skipped, because the service does not offer them:`;
  return [title, firstLines(lines, ({ key }) => `  ${key}`, { most: 3, indent: "  " })];
}
