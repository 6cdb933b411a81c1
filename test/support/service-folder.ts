// A machine's root for `almanac service --root`: a site's folder, the settings and the credentials, and nothing that runs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { placesBelow } from "../../scripts/service/units.ts";

/** With these additional settings; in an existing root, only the settings change. */
export function serviceFolder(more: Readonly<Record<string, string>> = {}, there?: string): string {
  const root = there ?? mkdtempSync(join(tmpdir(), "almanac-service-"));
  if (there === undefined) onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const { environment, token, apiKey } = placesBelow(root);
  const nowhere = "http://127.0.0.1:9/";
  const files = {
    [token]: "token\n",
    [apiKey]: "key\n",
    [join(root, "opt/almanac/almanac.config.ts")]: "export default {};\n",
    [environment]: linesOf({
      READING_SERVICE_URL: nowhere,
      READING_SERVICE_TRANSLATOR_URL: nowhere,
      READING_SERVICE_LEGACY_URL: nowhere,
      ALMANAC_VAULT: `file://${root}/var/lib/almanac/vault`,
      ALMANAC_SITE: `file://${root}/srv/almanac/site`,
      ...more,
    }),
  };
  for (const [path, text] of Object.entries(files)) {
    rmSync(path, { force: true }); // one that was installed may only be read
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return root;
}

export function linesOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}
