// One night of the demonstration: `almanac local --once` on the sandbox, as any user would run it, in a temporary folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const almanac = fileURLToPath(new URL("../../../scripts/almanac.js", import.meta.url));
const work = fileURLToPath(new URL(".night/", import.meta.url));

/** Copies its pages into that folder, for readers at that URL. */
export async function demonstrationIn(folder: string, url: string): Promise<void> {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, "almanac.config.ts"), configurationAt(url));
  const night = spawn(process.execPath, [almanac, "local", "--once"], {
    cwd: work,
    env: environment(),
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(night, "exit");
  if (code !== 0)
    throw new Error(`the demonstration's night ended with ${String(code)}: its words are above`);
  cpSync(join(work, ".almanac/sandbox/site"), folder, { recursive: true });
  rmSync(work, { recursive: true });
}

function configurationAt(url: string): string {
  return [
    'import demonstration from "../almanac.config.ts";',
    `const site = { ...demonstration.site, url: ${JSON.stringify(url)} };`,
    'export default { ...demonstration, site, theme: "../theme" };',
    "",
  ].join("\n");
}

/** Variables of this machine, without those of its own site or account: the demonstration uses the sandbox wherever it is built. */
function environment(): NodeJS.ProcessEnv {
  const own = /^(?:ALMANAC_|READING_SERVICE_|TEMPORAL_(?!CLI_PATH)|AWS_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}
