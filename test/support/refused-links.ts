// A file system that refuses hard links: always, or every so often.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

/** Fails every link of this process with that code until the test ends, or each `every`-th. Returns the count of refused links. */
export function refuseLinks(code: string, every = 1): () => number {
  const { linkSync } = fs;
  const put = (link: typeof linkSync) => {
    fs.linkSync = link;
    syncBuiltinESMExports();
  };
  let [links, refused] = [0, 0];
  put((from, to) => {
    links += 1;
    if (links % every !== 0) return linkSync(from, to);
    refused += 1;
    throw Object.assign(new Error(`${code}: no link`), { code });
  });
  onTestFinished(() => put(linkSync));
  return () => refused;
}
