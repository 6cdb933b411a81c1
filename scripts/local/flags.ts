// The options of `almanac local`.
import type { NewCommand } from "../terminal/command.ts";
import { concurrencyIn, languagesIn, portIn, rateIn } from "../terminal/options.ts";

export const withLocalOptions = (command: NewCommand) =>
  command
    .option("--once", "end after the night; no schedule, no preview")
    .option("--languages <codes>", "only these, such as en,hi", languagesIn)
    .option("--rate <calls>", "calls a second, per address", rateIn)
    .option("--concurrency <calls>", "calls in flight, per address", concurrencyIn)
    .option(
      "--port <number>",
      "of the preview (that of the site's URL unless said; 0 for a free one)",
      portIn,
    )
    .addHelpText(
      "after",
      `
The language of this system and English come first, so that there is something to look at within seconds.

Example: the whole of it in two languages:
  almanac local --languages en,hi`,
    );

export type LocalOptions = ReturnType<ReturnType<typeof withLocalOptions>["opts"]>;
