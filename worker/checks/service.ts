// Requests one reading from each endpoint of the reading service that the site needs. This tests the URL, the proxies and the
// credentials at once. The responses are not stored.
import { endpointNames } from "../../readings/tables.ts";
import { endpointVariables, timeoutsOf } from "../../service/limits.ts";
import { createService, settingsFrom, type Service } from "../../service/service.ts";
import { catalogue } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { openEnvelope, type Failure, isFailure } from "../../readings/answer.ts";
import { type ReadingRequest, requestKey, selectEndpoint } from "../../readings/request.ts";
import { reportingWait } from "../../store/clock.ts";
import { CredentialsUnreadable } from "../settings/credentials.ts";
import { type Environment, now } from "../settings/environment.ts";
import type { RealService, SiteLocation } from "../opened-site.ts";
import { type CommandCalls, EndpointInUse, longestWaitMs, openCommandCalls } from "../command-calls.ts";
import { broken, type Check, right, warning, wrongSetting } from "./check.ts";

/** Number of tries: the service sometimes refuses a request at random, so only a repeated refusal counts. */
const mostTries = 3;

export async function checkCredentials(service: RealService | undefined): Promise<Check> {
  const name = "credentials";
  if (service === undefined) {
    return right(name, "not set; `almanac local` uses the sandbox with invented texts");
  }
  try {
    await service.credentials();
    return right(name, "token and API key found");
  } catch (error) {
    if (!(error instanceof CredentialsUnreadable)) throw error;
    return wrongSetting(name, error.message, "fix that file");
  }
}

/** One check for each endpoint that the configuration needs readings from. */
export async function checkService(
  real: RealService,
  configuration: Configuration,
  environment: Environment,
  location: SiteLocation,
): Promise<Check[]> {
  const { proxies } = environment;
  const at = now(environment);
  const requests = requestsFor(configuration, at);
  const service = createService({
    ...settingsFrom(configuration),
    endpoints: real.endpoints,
    credentials: real.credentials,
    proxies,
    now: () => now(environment),
  });
  const commandCalls = openCommandCalls(location, environment, configuration, "almanac check");
  try {
    const timeouts = timeoutsOf(configuration);
    const check = (request: ReadingRequest) =>
      checkEndpoint({ service, commandCalls }, real, request, at, timeouts[selectEndpoint(request)].answerMs);
    return await Promise.all(requests.map(check));
  } finally {
    await commandCalls.close();
    await service.close();
  }
}

/** The first reading that the site needs now from each endpoint; most sites need none from the legacy one. */
function requestsFor(configuration: Configuration, at: Date): ReadingRequest[] {
  const firsts = configuration.languages
    .flatMap((language) => catalogue(configuration, at, { languages: [language] }))
    .flatMap(({ requests }) => requests.slice(0, 1));
  return endpointNames.flatMap(
    (endpoint) => firsts.find((request) => selectEndpoint(request) === endpoint) ?? [],
  );
}

async function checkEndpoint(
  { service, commandCalls }: { readonly service: Service; readonly commandCalls: CommandCalls },
  { endpoints: named }: RealService,
  request: ReadingRequest,
  at: Date,
  answerMs: number,
): Promise<Check> {
  const endpoint = selectEndpoint(request);
  const variable = endpointVariables[endpoint];
  const name = `service: ${endpoint}`;
  if (named[endpoint] === undefined) {
    const seen = `${variable} is not set, but the configuration contains operations of this endpoint`;
    return wrongSetting(name, seen, `set ${variable} to the URL of the ${endpoint} endpoint`);
  }
  const waitName = `the reading service (${variable})`;
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await reportingWait(waitName, longestWaitMs + answerMs, async () => {
        const onSent = await commandCalls.acquire(endpoint);
        return service.call(request, { instant: at, onSent });
      });
      openEnvelope(requestKey(request), answer);
      const seconds = (answer.elapsedMs / 1000).toFixed(1);
      return right(name, `${variable} answered in ${seconds} s and accepts the credentials`);
    } catch (error) {
      if (error instanceof EndpointInUse)
        return warning(name, error.message, "run the check again when no run is active");
      if (!isFailure(error)) throw error;
      if (error.type === "Rejected" && tries < mostTries) continue;
      return broken(name, `${variable}: ${error.message}`, remedyFor(error, variable));
    }
  }
}

function remedyFor({ type }: Failure, variable: string) {
  switch (type) {
    case "CredentialsRefused":
      return "compare READING_SERVICE_TOKEN and READING_SERVICE_API_KEY, or their files, with your account at the service";
    case "Rejected":
      return "check that your plan includes the operation, or remove it from operations in the configuration";
    case "Unavailable":
      return `check that ${variable} is the endpoint's URL, and that this machine can reach it (firewall, HTTPS_PROXY)`;
    case "Unfit":
      return `check that ${variable} is the URL of the service, not of a web page or a gateway`;
  }
}
