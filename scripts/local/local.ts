// `almanac local`: runs everything on this machine. It prints the site's URL at once; gathering.ts does the rest: Temporal, the
// sandbox or the real service, a worker and a night.
import { pointerPath } from "../../publish/state/state.ts";
import { html } from "../../site/html.ts";
import { open, type Opening } from "../../worker/opened-site.ts";
import { startPublishedServer } from "../../worker/site-server.ts";
import { Closing, endForCertain } from "../../worker/shutdown.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { Define } from "../terminal/command.ts";
import type { ExitCode } from "../terminal/errors.ts";
import {
  concurrencyIn,
  languagesIn,
  requirePart,
  paced,
  sandboxPace,
  portIn,
  rateIn,
} from "../terminal/options.ts";
import { operatorPage } from "../terminal/operator-page.ts";
import { say } from "../terminal/output.ts";
import type { LocalEnd, LocalOptions, UnderWay } from "./gathering.ts";

export const define: Define = (command) => {
  command
    .option("--once", "Exit after the run, without starting schedules or the preview")
    .option(
      "--languages <codes>",
      "Limit the first run to these languages, such as en,hi. Later nightly runs request all configured languages",
      languagesIn,
    )
    .option("--rate <calls>", "Calls per second to each endpoint", rateIn)
    .option("--concurrency <calls>", "Concurrent calls to each endpoint", concurrencyIn)
    .option(
      "--port <number>",
      "Port of the preview, or 0 for a free one. Default: the port of site.url",
      portIn,
    )
    .addHelpText(
      "after",
      `
English and the language of this system come first, so that the first pages are ready within seconds.

Example: run a site in two languages:
  almanac local --languages en,hi`,
    )
    .action(async (options) => {
      process.exitCode = await local(options);
    });
};

async function local(options: LocalOptions): Promise<ExitCode> {
  const opened = await open();
  const pace = opened.location.kind === "sandbox" ? { ...sandboxPace, ...options } : options;
  const opening = { ...opened, configuration: paced(opened.configuration, pace) };
  requirePart(opening.configuration, options);
  const underWay: UnderWay = { kill: () => undefined, progress: undefined, isTemporalGone: false };
  const closing = new Closing(
    () => underWay.kill(),
    () => say("stopping: waiting for calls in flight. Press Ctrl-C again to stop at once"),
  );
  let end: LocalEnd;
  try {
    const url = options.once === true ? undefined : await showSite(opening, options.port, closing);
    // Temporal's library takes longer to load than all before it.
    const { gatherHere } = await import("./gathering.ts");
    end = await gatherHere(opening, { options, url, underWay }, closing);
  } finally {
    await closing.all((what, error) =>
      say(!underWay.isTemporalGone && `cannot close ${what}: ${String(error)}`),
    );
    if (underWay.isTemporalGone) endForCertain(); // Temporal's library repeats its calls for over a minute
  }
  if (end.stopped !== undefined) {
    say(await end.stopped());
    endForCertain(); // the client would wait for the run's end for another minute
  }
  return end.code;
}

/** Started first, so that the URL works at once and the first pages can be viewed while others are being gathered. */
async function showSite({ configuration, site }: Opening, wished: number | undefined, closing: Closing) {
  const usual = wished ?? Number(new URL(configuration.site.url).port);
  const [port = 0] = await freePorts([usual === 0 ? undefined : usual]);
  const waiting = { body: waitingPage, type: "text/html; charset=utf-8" };
  const preview = await startPublishedServer(site, port, configuration.site.url, waiting);
  closing.add("the preview", () => preview.close());
  const isEmpty = (await site.read(pointerPath)) === undefined;
  say(`the site:    ${preview.url}`, isEmpty && "             its first pages appear there in a moment");
  return preview.url;
}

const waitingPage = operatorPage(
  "Preparing the first pages",
  html`<p>They appear here automatically. The terminal shows the progress.</p>`,
);
