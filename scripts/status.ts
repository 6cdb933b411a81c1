// `almanac status`: how far the running run has come, or how the last one went.
import { closedGates } from "../activities/gate.ts";
import { followRun } from "../worker/runs.ts";
import type { Define } from "./command.ts";
import { exitCodeOf, followToEnd } from "./ended.ts";
import { type ExitCode, exitCodes, WrongUsage } from "./errors.ts";
import { open, withClient } from "./opening.ts";
import { print, printJson } from "./output.ts";
import { look, type Status } from "./status-look.ts";
import { statusLines } from "./status-print.ts";

export const define: Define = (command) => {
  command
    .argument("[run]", "such as almanac-nightly-2026-11-21 (the running or the last one unless said)")
    .option("--watch", "follow it to its end, which is then the exit code's too")
    .addHelpText("after", "\nExample: watch the night that is under way:\n  almanac status --watch")
    .action(async (run, { watch = false, json = false }) => {
      const opening = await open();
      const seen = await look(opening, run);
      if (seen === undefined && run !== undefined) {
        throw new WrongUsage(
          `neither Temporal nor the vault knows a run ${run}: \`almanac status\` shows the last one`,
        );
      }
      const status = watch && seen?.running === true ? await watched(opening, seen) : seen;
      const gates = await closedGates(opening.vault);
      if (json) printJson({ ...status, run: status?.run ?? null, gates });
      else print(...statusLines(status, gates));
      if (watch && status !== undefined) process.exitCode = codeOf(status);
    });
};

/** One that left no word of its own did not come to its end. */
function codeOf({ progress }: Status): ExitCode {
  return progress === undefined ? exitCodes.failed : exitCodeOf(progress);
}

async function watched(opening: Parameters<typeof withClient>[0], { run }: Status): Promise<Status> {
  const progress = await withClient(opening, async (client) => followToEnd(followRun(client, run)));
  return { run, state: progress.state, running: false, source: "temporal", progress };
}
