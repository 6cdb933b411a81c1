// `almanac reading` after its options are parsed: settings, one call with its tries, the reading on the screen.
import { resolve } from "node:path";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/languages.ts";
import type { Operation } from "../../readings/operations.ts";
import { listedPictureHosts } from "../../readings/picture-hosts.ts";
import { serviceAddressOf } from "../../readings/request-fields.ts";
import { requestKey } from "../../readings/request.ts";
import { localDate } from "../../readings/zones.ts";
import { timeoutsOf } from "../../service/limits.ts";
import { withShownPictures } from "../../site/copied-pictures.ts";
import { loadConfiguration } from "../../worker/settings/configuration.ts";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { placeFor } from "../../worker/settings/location.ts";
import { longestTurnMs, openCommandCalls, requireCurrentLayout } from "../../worker/command-calls.ts";
import { columns, printAs } from "../terminal/output.ts";
import { ask, openService } from "./ask.ts";
import { readingLines } from "./print.ts";
import type { ReadingOptions } from "./flags.ts";
import { requestFrom } from "./request.ts";
import { now } from "../../worker/settings/clock.ts";

export async function read(
  operation: Operation,
  language: Language,
  options: ReadingOptions,
  json: boolean,
): Promise<void> {
  const environment = readEnvironment();
  const configuration = await loadConfiguration(environment.configPath, process.cwd());
  const date = localDate(zoneOf(configuration, language), now());
  const standing = { date, cards: configuration.cards[operation] };
  const { request, person } = requestFrom(operation, language, options, standing);
  const service = openService(request, { environment, configuration, person });
  const { place } = placeFor(environment, resolve(".almanac"));
  await requireCurrentLayout(place, environment);
  const turns = openCommandCalls(place, environment, configuration, "almanac reading");
  try {
    const { answerMs } = timeoutsOf(configuration)[serviceAddressOf(request)];
    const answered = await ask(
      { service, turns, mostMs: longestTurnMs + answerMs },
      request,
      configuration.quality.rules,
    );
    const { notes, tries } = answered;
    const pictureHosts = listedPictureHosts(configuration.pictures);
    const reading = withShownPictures(answered.reading, { ...configuration.site, pictureHosts });
    printAs(
      json,
      { key: requestKey(request), tries, notes, reading },
      readingLines(reading, notes, columns()),
    );
  } finally {
    await turns.close();
    await service.close();
  }
}
