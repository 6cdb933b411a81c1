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
      "Poll only these queues: main (workflows, rendering, publishing), and english, translator or legacy (calls to that endpoint). Default: all",
      queuesIn,
    )
    .addHelpText(
      "after",
      `
If ALMANAC_MONITOR_ADDRESS is set (such as 9464, for this machine only), it serves /metrics for Prometheus, /livez, and
/readyz, which reports whether it reaches Temporal, vault and site. On SIGTERM or Ctrl-C it takes no new work, finishes the
calls in flight, and exits within ALMANAC_DRAIN_SECONDS (25).`,
    )
    .action(async ({ queues }) => {
      const opening = await open();
      const { service } = opening;
      if (service === undefined) {
        throw new NotSetUp(
          "a worker needs a reading service. Set READING_SERVICE_URL, READING_SERVICE_TRANSLATOR_URL, READING_SERVICE_TOKEN and READING_SERVICE_API_KEY. To try it, use the values that `almanac sandbox` prints",
        );
      }
      await work({ ...opening, service }, queues);
    });
};
