// `almanac worker`: runs a production worker until it gets a stop signal.
import { open } from "../worker/opened-site.ts";
import { work } from "../worker/worker-process.ts";
import type { Define } from "./terminal/command.ts";
import { NotSetUp } from "./terminal/errors.ts";
import { queuesIn } from "./terminal/options.ts";

export const define: Define = (command) => {
  command
    .option(
      "--queues <list>",
      "take work of these alone: main (workflows, renders, publishes) and the calls to english, translator, legacy",
      queuesIn,
    )
    .addHelpText(
      "after",
      `
With ALMANAC_MONITOR_ADDRESS (such as 9464, which is this machine's alone) it shows /metrics for Prometheus, /livez, and
/readyz, which says whether Temporal, vault and site can be reached. On SIGTERM or Ctrl-C it takes no more work, lets
calls in flight end, and exits within ALMANAC_DRAIN_SECONDS (25).`,
    )
    .action(async ({ queues }) => {
      const opening = await open();
      const { service } = opening;
      if (service === undefined) {
        throw new NotSetUp(
          "a worker asks a real service: set READING_SERVICE_URL, READING_SERVICE_TRANSLATOR_URL, READING_SERVICE_TOKEN and READING_SERVICE_API_KEY (`almanac sandbox` prints some to try with)",
        );
      }
      await work({ ...opening, service }, queues);
    });
};
