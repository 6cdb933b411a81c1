// `almanac serve`: serves the published site to browsers on this machine only.
import { once } from "node:events";
import { pointerPath } from "../publish/state/state.ts";
import { startPublishedServer } from "../worker/published-server.ts";
import { freePorts } from "../worker/temporal/ports.ts";
import type { Define } from "./terminal/command.ts";
import { open } from "../worker/opened-site.ts";
import { portIn, onPort } from "./terminal/options.ts";
import { printAs, say } from "./terminal/output.ts";

export const define: Define = (command) => {
  command
    .option(
      "--port <number>",
      "where to listen (that of the site's URL, or 8420, or a free one, unless said; 0 for a free one)",
      portIn,
    )
    .addHelpText("after", "\nExample: look at the site in a browser:\n  almanac serve --port 8420")
    .action(async ({ port, json }) => {
      const { configuration, site } = await open();
      const usual = Number(new URL(configuration.site.url).port || 8420);
      const [wished = 0] = port === undefined ? await freePorts([usual]) : [port];
      const preview = await onPort(wished, () => startPublishedServer(site, wished));
      if ((await site.read(pointerPath)) === undefined)
        say("nothing is published yet: `almanac local` or `almanac nightly` does it");
      printAs(json, { url: preview.url }, [preview.url]);
      say("Ctrl-C ends");
      await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
      await preview.close();
    });
};
