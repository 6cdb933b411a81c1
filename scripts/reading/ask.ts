// The one call of `almanac reading`, with the same client and gates as in a night; after a failure that passes by waiting it
// is made again a few times.
import { setTimeout as wait } from "node:timers/promises";
import { addressVariables } from "../../service/addresses.ts";
import { createService, settingsFrom, type Service } from "../../service/service.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { Unavailable } from "../../readings/failures.ts";
import { serviceAddressOf, type Person } from "../../readings/request-fields.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { reportingWait } from "../../store/waits.ts";
import { credentialSource } from "../../worker/settings/credentials.ts";
import type { Environment } from "../../worker/settings/environment.ts";
import type { CommandCalls } from "../../worker/command-calls.ts";
import { NotSetUp } from "../terminal/errors.ts";
import { say } from "../terminal/output.ts";
import { now } from "../../worker/settings/clock.ts";

/** Four tries in a few seconds, because a person waits before the screen. */
const mostTries = 4;
const firstPauseMs = 500;
const longestPauseMs = 60_000;

/** Everything for calls on a request's address; closed by whoever opened it. */
export function openService(
  request: ReadingRequest,
  {
    environment,
    configuration,
    person,
  }: { environment: Environment; configuration: Configuration; person?: Person },
): Service {
  const variable = addressVariables[serviceAddressOf(request)];
  const credentials = credentialSource(environment);
  if (credentials === undefined || environment.addresses[serviceAddressOf(request)] === undefined) {
    throw new NotSetUp(howToSetUp(variable));
  }
  return createService({
    ...settingsFrom(configuration),
    addresses: environment.addresses,
    credentials,
    person: () => person,
    proxies: environment.proxies,
    now,
  });
}

function howToSetUp(variable: string) {
  return [
    "the reading service is not set up. Set these in the environment:",
    `  ${variable.padEnd(30)}  the service's address for this request`,
    `  ${"READING_SERVICE_TOKEN".padEnd(30)}  its access token, or ..._FILE a file that holds it`,
    `  ${"READING_SERVICE_API_KEY".padEnd(30)}  its API key, or ..._FILE likewise`,
    "To try it without an account: `almanac sandbox` starts a local service with invented texts and prints the lines to set.",
  ].join("\n");
}

type Levels = Configuration["quality"]["rules"];

interface Calling {
  readonly service: Service;
  readonly turns: CommandCalls;
  /** The bound of one call. */
  readonly mostMs: number;
}

export async function ask(calling: Calling, request: ReadingRequest, levels: Levels) {
  for (let tries = 1; ; tries += 1) {
    try {
      return { ...(await askOnce(calling, request, levels)), tries };
    } catch (error) {
      if (!(error instanceof Unavailable) || tries >= mostTries) throw error;
      const pauseMs = pauseAfter(error, tries);
      if (pauseMs > longestPauseMs) throw error;
      say(`${error.message}; try ${tries + 1} of ${mostTries} in ${(pauseMs / 1000).toFixed(1)} s`);
      await wait(pauseMs);
    }
  }
}

async function askOnce({ service, turns, mostMs }: Calling, request: ReadingRequest, levels: Levels) {
  const address = serviceAddressOf(request);
  const usual = address === "translator" ? ", whose translations take 20 to 35 s" : "";
  const name = `the reading service (${addressVariables[address]})${usual}`;
  const answer = await reportingWait(name, mostMs, async () => {
    const onSent = await turns.turn(address);
    return service.ask(request, { instant: now(), onSent });
  });
  // The rules are loaded only here: a call that fails earlier need not wait half a second for every language's words.
  const { judgeAnswer } = await import("../../readings/quality.ts");
  return judgeAnswer(request, answer, levels);
}

/** The pause that the service asks for; else a pause that doubles, with jitter. */
function pauseAfter({ retryAfterMs }: Unavailable, tries: number) {
  return retryAfterMs ?? firstPauseMs * 2 ** (tries - 1) * (0.75 + Math.random() / 2);
}
