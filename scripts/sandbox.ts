// `almanac sandbox`: runs the local reading service in the foreground, and prints the variables that make other commands use it.
import { once } from "node:events";
import { endpointVariables } from "../service/limits.ts";
import { profileNames } from "../packages/sandbox/profiles.ts";
import { type Sandbox, startSandbox } from "../packages/sandbox/server.ts";
import type { Define } from "./terminal/command.ts";
import { oneOf, portIn, wholeIn, onPort } from "./terminal/options.ts";
import { print, printJson, say } from "./terminal/output.ts";

/** Fixed port, so that exported variables stay valid. */
const usualPort = 8421;

export const define: Define = (command) => {
  command
    .option("--port <number>", `Port, or 0 for a free one. Default: ${usualPort}`, portIn)
    .option(
      "--faults <profile>",
      "Simulate faults: flaky, slow, outage, revoked (credentials refused) or rude (unusable responses)",
      oneOf("fault profile", profileNames),
    )
    .option(
      "--seed <number>",
      "Seed, to draw the same cards in the same order each time",
      wholeIn("--seed", { least: 0, most: Number.MAX_SAFE_INTEGER }),
    )
    .action(async ({ port = usualPort, faults, seed, json }) => {
      const sandbox = await onPort(port, () => startSandbox({ faults, seed, port }));
      if (json) printJson({ origin: sandbox.origin, environment: environmentOf(sandbox) });
      else tell(sandbox);
      await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
      await sandbox.close();
    });
};

function tell(sandbox: Sandbox) {
  say(`sandbox listening at ${sandbox.origin}. Its texts are invented. Press Ctrl-C to stop`);
  say("to use it from other terminals, paste these lines there:");
  print(...Object.entries(environmentOf(sandbox)).map(([name, value]) => `export ${name}=${value}`));
}

/** The sandbox's credentials are made up and open nothing else, so they can be shown. */
function environmentOf({ endpoints, token, apiKey }: Sandbox): Record<string, string> {
  return {
    [endpointVariables.english]: endpoints.english,
    [endpointVariables.translator]: endpoints.translator,
    [endpointVariables.legacy]: endpoints.legacy,
    READING_SERVICE_TOKEN: token,
    READING_SERVICE_API_KEY: apiKey,
  };
}
