// The client as a night uses it, on a sandbox in a process of its own.
import { defaultConnections, defaultTimeouts } from "../../service/addresses.ts";
import { Secret } from "../../service/secret.ts";
import { createService, type Service, type ServiceSettings } from "../../service/service.ts";
import { languages } from "../../readings/languages.ts";
import type { SpawnedSandbox } from "./sandbox.ts";

export const person = { fullName: "Example Person", birthDate: "1992-02-29" };

export function clientFor(
  { addresses, token, apiKey }: Pick<SpawnedSandbox, "addresses" | "token" | "apiKey">,
  over: Partial<ServiceSettings> = {},
): Service {
  return createService({
    addresses,
    timeouts: defaultTimeouts,
    connections: defaultConnections,
    credentials: async () => ({ token: new Secret(token), apiKey: new Secret(apiKey) }),
    zones: (language) => languages[language].zone,
    person: () => person,
    ...over,
  });
}
