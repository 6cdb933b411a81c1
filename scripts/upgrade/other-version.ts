// Another version of Almanac, fetched with all that it needs into a folder of its own that goes with the process, or found where it
// lies; and its outlook on the project here.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { runNpm } from "../init/npm.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { type Outlook, outlookSchema } from "./outlook.schema.ts";

/** Thrown where the other version could not be fetched, or can't say what it would change. */
export class NoOutlook extends Error {
  override readonly name = "NoOutlook";
}

const door = "scripts/almanac.js";

export interface OtherVersion extends AsyncDisposable {
  readonly outlook: () => Promise<Outlook>;
  /** The line that installs it. */
  readonly install: (version: string) => string;
}

/** `wanted` is a version, a package file, or the folder of a checkout or package that is installed. */
export async function otherVersion(wanted: string | undefined): Promise<OtherVersion> {
  const place = wanted === undefined ? undefined : resolve(wanted);
  if (place !== undefined && existsSync(join(place, door))) {
    const install = (version: string) => `git checkout v${version} && npm ci`;
    return { outlook: () => outlookOf(place), install, [Symbol.asyncDispose]: async () => undefined };
  }
  const isFile = place !== undefined && existsSync(place);
  if (isFile && !place.endsWith(".tgz")) {
    throw new WrongUsage(`--to ${wanted} is neither a package file nor a folder with Almanac in it`);
  }
  const folder = await fetched(isFile ? `file:${place}` : inRegistry(wanted));
  const install = (version: string) => {
    const spec = isFile ? relative(process.cwd(), place) : `${packageJson.name}@${version}`;
    return `npm install --save-exact ${spec}`;
  };
  return {
    outlook: () => outlookOf(join(folder, "node_modules", packageJson.name)),
    install,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** As long as the package is `private` nobody has published it, and what a registry has by its name is not ours. */
function inRegistry(version: string | undefined): string {
  if (!packageJson.private) return version ?? "latest";
  throw new WrongUsage(
    "Almanac is in no registry yet: name a package file or the folder of a checkout, such as `almanac upgrade --check --to ../almanac`",
  );
}

async function fetched(spec: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-upgrade-"));
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ private: true, dependencies: { [packageJson.name]: spec } }),
  );
  const words = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
  const ended = await runNpm(words, folder);
  if (ended === 0) return folder;
  await rm(folder, { recursive: true, force: true });
  throw new NoOutlook(`npm ended with ${String(ended)} and did not bring ${spec}: its own words are above`);
}

const failed = z.object({ error: z.object({ message: z.string() }) });

/** It is asked by its own command, in a process of its own: what it says is all that is known of it here. */
async function outlookOf(root: string): Promise<Outlook> {
  const words = [join(root, door), "upgrade", "--check", "--outlook", "--json"];
  const asked = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(asked, "close");
  const said = await text(asked.stdout);
  await ended;
  const document = jsonIn(said);
  const { data } = outlookSchema.safeParse(document);
  if (data !== undefined) return data;
  const why = failed.safeParse(document).data?.error.message ?? `it ended with ${asked.exitCode}`;
  throw new NoOutlook(
    `${root} does not say what it would change: ${why}. Versions before 0.2.0 can't, and need not be gone back to`,
  );
}

function jsonIn(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}
