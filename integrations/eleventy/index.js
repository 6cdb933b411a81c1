// An Eleventy plugin: before each build it brings the site's JSON into a folder, checked, and gives it to templates as `almanac`.
// Where the site is away the build goes on with what the folder has.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pull } from "@almanac/client/pull";

/** `folder` should outlive a build, so that there is something to go on with: let CI keep it. */
export default function almanac(eleventy, { url, folder = ".almanac", ...options }) {
  eleventy.addGlobalData("almanac", async () => {
    const { stale, reason } = await pull({ url, folder, ...options });
    if (stale) console.warn(`[almanac] the last good readings, because ${url} was refused: ${reason}`);
    return dataIn(folder);
  });
}

/** `v1/en/daily/latest.json` is `almanac.en.daily.latest`. */
async function dataIn(folder) {
  const { files } = JSON.parse(await readFile(join(folder, "pulled.json"), "utf8"));
  const data = {};
  for (const path of Object.keys(files)) {
    const names = path
      .replace(/^v1\//, "")
      .replace(/\.json$/, "")
      .split("/");
    const last = names.pop();
    let at = data;
    for (const name of names) at = at[name] ??= {};
    at[last] = JSON.parse(await readFile(join(folder, path), "utf8"));
  }
  return data;
}
