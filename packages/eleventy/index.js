// An Eleventy plugin: before each build it pulls the site's JSON into a folder, checked, and gives it to templates as `almanac`.
// During an outage of the site, the build continues with the files in the folder.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pull, pulledPaths } from "@almanac/client/pull";

/** The `folder` should outlive a build, so that a build can continue during an outage: let CI keep it. */
export default function almanac(eleventy, { url, folder = ".almanac", ...options }) {
  eleventy.addGlobalData("almanac", async () => {
    const { stale, passes, reason, unpublished } = await pull({ url, folder, ...options });
    if (stale && !passes) throw reason;
    for (const language of unpublished)
      console.warn(`[almanac] ${url} does not publish the language ${language}`);
    if (stale)
      console.warn(`[almanac] using the readings of the last build, because ${url} was refused: ${reason}`);
    return dataIn(folder);
  });
}

/** `v1/en/daily/latest.json` is `almanac.en.daily.latest`. */
async function dataIn(folder) {
  const data = Object.create(null);
  for (const path of await pulledPaths(folder)) {
    const names = path.slice("v1/".length, -".json".length).split("/");
    const last = names.pop();
    let at = data;
    for (const name of names) {
      if (!Object.hasOwn(at, name)) at[name] = Object.create(null); // a file's own object inherits `constructor`
      at = at[name];
    }
    at[last] = JSON.parse(await readFile(join(folder, path), "utf8"));
  }
  return data;
}
