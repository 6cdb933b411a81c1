// A site in a folder, for commands that are run on it as an operator types them: its configuration, vault and site there, and
// the variables that name them. Without a Temporal server, a service or a credential.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { openFolder } from "../../store/folder.ts";
import { newSite } from "../publish/support/published-site.ts";

export async function siteInFolder(folder: string, configuration: ConfigurationInput) {
  const configPath = join(folder, "almanac.config.ts");
  await writeFile(configPath, `export default ${JSON.stringify(configuration)};\n`);
  const places = { vault: join(folder, "vault"), site: join(folder, "site") };
  return {
    site: newSite(configuration, { vault: openFolder(places.vault), site: openFolder(places.site) }),
    env: {
      ALMANAC_CONFIG: configPath,
      ALMANAC_VAULT: pathToFileURL(places.vault).href,
      ALMANAC_SITE: pathToFileURL(places.site).href,
    },
  };
}
