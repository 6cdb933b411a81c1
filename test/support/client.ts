// The service's client as a night uses it, with a sandbox in a separate process.
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { Secret } from "../../service/secret.ts";
import { createService, settingsFrom, type Service, type ServiceSettings } from "../../service/service.ts";
import type { SpawnedSandbox } from "./sandbox.ts";

export const person = { fullName: "Example Person", birthDate: "1992-02-29" };

export function clientFor(
  { endpoints, token, apiKey }: Pick<SpawnedSandbox, "endpoints" | "token" | "apiKey">,
  over: Partial<ServiceSettings> = {},
): Service {
  return createService({
    ...settingsFrom(configurationSchema.parse({})),
    endpoints,
    credentials: async () => ({ token: new Secret(token), apiKey: new Secret(apiKey) }),
    person: () => person,
    now: () => new Date(),
    ...over,
  });
}
