// The one call of `almanac reading`, with the same client and validation rules as in a night.
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { zoneOf } from "../../readings/catalogue.ts";
import { Unavailable } from "../../readings/answer.ts";
import type { Language, Operation } from "../../readings/tables.ts";
import { listedPictureHosts } from "../../readings/picture-hosts.ts";
import { requestKey, selectEndpoint } from "../../readings/request.ts";
import { localDate } from "../../readings/calendar.ts";
import { endpointVariables, timeoutsOf } from "../../service/limits.ts";
import { createService, settingsFrom } from "../../service/service.ts";
import { withShownPictures } from "../../site/copied-pictures.ts";
import { reportingWait } from "../../store/clock.ts";
import { longestWaitMs, openCommandCalls, requireCurrentLayout } from "../../worker/command-calls.ts";
import { now, readEnvironment } from "../../worker/settings/environment.ts";
import { loadConfiguration } from "../../worker/settings/configuration.ts";
import { credentialSource } from "../../worker/settings/credentials.ts";
import { chooseLocation } from "../../worker/opened-site.ts";
import { NotSetUp } from "../terminal/errors.ts";
import { printAs, say } from "../terminal/output.ts";
import { readingLines } from "./print.ts";
import { type ReadingOptions, requestFrom } from "./request.ts";

export async function read(
  operation: Operation,
  language: Language,
  options: ReadingOptions,
  json: boolean,
): Promise<void> {
  const environment = readEnvironment();
  const configuration = await loadConfiguration(environment.configPath, process.cwd());
  const date = localDate(zoneOf(configuration, language), now());
  const { request, person } = requestFrom(operation, language, options, {
    date,
    cards: configuration.cards[operation],
  });
  const endpoint = selectEndpoint(request);
  const credentials = credentialSource(environment);
  if (credentials === undefined || environment.endpoints[endpoint] === undefined)
    throw new NotSetUp(
      `the reading service is not configured. Set ${endpointVariables[endpoint]}, READING_SERVICE_TOKEN and READING_SERVICE_API_KEY. Without an account, run \`almanac sandbox\`: it starts a local service with invented texts, and prints the variables to set`,
    );
  const service = createService({
    ...settingsFrom(configuration),
    endpoints: environment.endpoints,
    credentials,
    person: () => person,
    proxies: environment.proxies,
    now,
  });
  const { location } = chooseLocation(environment, resolve(".almanac"));
  await requireCurrentLayout(location, environment);
  const commandCalls = openCommandCalls(location, environment, configuration, "almanac reading");
  const usual = endpoint === "translator" ? ", where a translation takes 20 to 35 s" : "";
  const mostMs = longestWaitMs + timeoutsOf(configuration)[endpoint].answerMs;
  try {
    const {
      reading: received,
      notes,
      tries,
    } = await retryUnavailable(async () => {
      const name = `the reading service (${endpointVariables[endpoint]})${usual}`;
      const answer = await reportingWait(name, mostMs, async () => {
        const onSent = await commandCalls.acquire(endpoint);
        return service.call(request, { instant: now(), onSent });
      });
      // The rules are loaded only here: a call that fails earlier need not wait half a second for every language's words.
      const { judgeAnswer } = await import("../../readings/quality.ts");
      return judgeAnswer(request, answer, configuration.quality.rules);
    });
    const pictureHosts = listedPictureHosts(configuration.pictures);
    const reading = withShownPictures(received, { ...configuration.site, pictureHosts });
    const document = { key: requestKey(request), tries, notes, reading };
    printAs(json, document, readingLines(reading, notes));
  } finally {
    await commandCalls.close();
    await service.close();
  }
}

/** Four tries in a few seconds, because a person waits before the screen. */
const mostTries = 4;
const firstPauseMs = 500;
const longestPauseMs = 60_000;

/** Pauses as long as the service requests; else the pause doubles, with jitter. */
async function retryUnavailable<Result extends object>(work: () => Promise<Result>) {
  for (let tries = 1; ; tries += 1) {
    try {
      return { ...(await work()), tries };
    } catch (error) {
      if (!(error instanceof Unavailable) || tries >= mostTries) throw error;
      const pauseMs = error.retryAfterMs ?? firstPauseMs * 2 ** (tries - 1) * (0.75 + Math.random() / 2);
      if (pauseMs > longestPauseMs) throw error;
      say(`${error.message}; attempt ${tries + 1} of ${mostTries} in ${(pauseMs / 1000).toFixed(1)} s`);
      await delay(pauseMs);
    }
  }
}
