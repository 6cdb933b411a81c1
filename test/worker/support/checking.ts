// `almanac check` for settings and configuration, for tests in which some are wrong. All servers that it asks are real.
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, vi } from "vitest";
import { Client, Connection } from "@temporalio/client";
import { configurationSchema } from "../../../readings/configuration.schema.ts";
import { applySchedules } from "../../../worker/temporal/schedules.ts";
import { inventedLanguage } from "../../../scripts/preview/invented-language.ts";
import type { Check } from "../../../worker/checks/check.ts";
import { runChecks } from "../../../worker/checks/checks.ts";
import { environmentFor } from "../../support/cli.ts";
import { spawnSandbox } from "../../support/sandbox.ts";
import { sharedTemporal } from "../../support/temporal.ts";

const small = { languages: ["en", "hi"], operations: ["daily-tarot"] };

export async function newChecking() {
  const temporal = await sharedTemporal();
  const sandbox = await spawnSandbox();
  const folder = await mkdtemp(join(tmpdir(), "almanac-checks-"));
  const connection = await Connection.connect({ address: temporal.address });
  await applySchedules(new Client({ connection }), configurationSchema.parse({}));
  await connection.close();
  const page = createServer((_request, response) => response.end("<html>a portal</html>"));
  page.listen(0, "127.0.0.1");
  await once(page, "listening");
  await mkdir(join(folder, "vault"), { mode: 0o700 });
  afterEach(() => void vi.unstubAllEnvs());
  afterAll(async () => {
    page.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });
  const usual: Readonly<Record<string, string>> = {
    ...environmentFor(sandbox),
    TEMPORAL_ADDRESS: temporal.address,
    ALMANAC_VAULT: pathToFileURL(join(folder, "vault")).href,
    ALMANAC_SITE: pathToFileURL(join(folder, "site")).href,
  };
  let configurations = 0;
  return {
    temporal,
    sandbox,
    folder,
    usual,
    /** The address of a web page that is no service's. */
    pageUrl: (): string => {
      const address = page.address();
      return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    },
    /** Each configuration is a new file, because a loaded module stays cached. */
    checked: async (env: Readonly<Record<string, string>>, configuration: object = {}): Promise<Check[]> => {
      const path = join(folder, `almanac-${(configurations += 1)}.config.ts`);
      await writeFile(path, `export default ${JSON.stringify({ ...small, ...configuration })};\n`);
      for (const [name, value] of Object.entries({ ...usual, ALMANAC_CONFIG: path, ...env }))
        vi.stubEnv(name, value);
      return runChecks(folder, join(folder, ".almanac"), inventedLanguage);
    },
  };
}
