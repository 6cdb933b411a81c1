// The version of a package built here: the one in package.json at its release, and a development version of the next one afterward.
import { execFileSync } from "node:child_process";

/** `0.2.0` at the release of 0.2.0, then `0.3.0-dev.<commits since>+<commit>`. A folder without git history is a release's own files. */
export function packageVersion(released: string, root: string): string {
  const head = git(root, "rev-parse", "--short", "HEAD");
  const base = releaseCommit(released, root);
  if (head === undefined || base === undefined) return released;
  const count = git(root, "rev-list", "--count", `${base}..HEAD`);
  if (count === "0") return released;
  const [major = "0", minor = "0"] = released.split(".");
  return `${major}.${Number(minor) + 1}.0-dev.${count}+${head}`;
}

/** The tagged commit, or before there is a tag the one that set this version. */
function releaseCommit(released: string, root: string) {
  const tagged = git(root, "rev-parse", "--verify", "--quiet", `v${released}^{commit}`);
  if (tagged !== undefined) return tagged;
  const set = git(root, "log", "--format=%H", "-S", `"version": "${released}"`, "--", "package.json");
  return set?.split("\n").at(-1);
}

function git(root: string, ...words: string[]): string | undefined {
  try {
    const text = execFileSync("git", ["-C", root, ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return text.trim() === "" ? undefined : text.trim();
  } catch {
    return undefined;
  }
}
