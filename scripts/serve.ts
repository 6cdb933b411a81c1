// `almanac serve`: serves the published site to browsers on this machine only.
import { once } from "node:events";
import { pointerPath } from "../publish/state/state.ts";
import { startPublishedServer } from "../worker/site-server.ts";
import { freePorts } from "../worker/temporal/ports.ts";
import type { Define } from "./terminal/command.ts";
import { open } from "../worker/opened-site.ts";
import { portIn, onPort } from "./terminal/options.ts";
import { printAs, say } from "./terminal/output.ts";

export const define: Define = (command) => {
  command
    .option(
      "--port <number>",
      "Port, or 0 for a free one. Default: the port of site.url, else 8420, else a free one",
      portIn,
    )
    .addHelpText("after", "\nExample: serve the site on port 8420:\n  almanac serve --port 8420")
    .action(async ({ port, json }) => {
      const { configuration, site } = await open();
      const usual = Number(new URL(configuration.site.url).port || 8420);
      const [wished = 0] = port === undefined ? await freePorts([usual]) : [port];
      const preview = await onPort(wished, () => startPublishedServer(site, wished, configuration.site.url));
      if ((await site.read(pointerPath)) === undefined)
        say("nothing is published yet. Run `almanac local` or `almanac nightly`");
      printAs(json, { url: preview.url }, [preview.url]);
      say("press Ctrl-C to stop");
      await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
      await preview.close();
    });
};
