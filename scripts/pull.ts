// `almanac pull`: downloads the JSON of any published site to a folder, with client/almanac-pull.js.
import { readFile } from "node:fs/promises";
import { type Pulled, type PullOptions, pull, summaryOf } from "../client/almanac-pull.js";
import { reportingWait } from "../store/waits.ts";
import { serverUrl } from "../site/address.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes, WrongUsage } from "./terminal/errors.ts";
import { languagesIn } from "./terminal/options.ts";
import { typedDate } from "./terminal/dates.ts";
import { printAs } from "./terminal/output.ts";

export const define: Define = (command) => {
  command
    .argument("<url>", "the site's address, such as https://almanac.example", addressIn)
    .argument("<folder>", "where its JSON is to lie")
    .option("--key <keys...>", "public keys of which one must have signed the site: base64 or a PEM file")
    .option("--languages <list>", "such as en,hi (all unless said)", languagesIn)
    .option(
      "--since <date>",
      "also the texts of dates from then on (the current ones unless said)",
      typedDate("--since"),
    )
    .option("--strict", "fail for every reason to keep an earlier state")
    .option(
      "--reset",
      "accept the site as it is now, although the folder has a newer state or another site's",
    )
    .addHelpText(
      "after",
      `
For generators that build pages from files. Everything is checked and of one state of the site. If the site can't be had or is
refused, the files in the folder stay. The exit code is then 0 for an outage of less than two weeks or a publish under way, and 1
for a reason that does not pass by itself. The command needs no configuration, and makes no call to the reading service.

Example: before each build of a site
  almanac pull https://almanac.example data/almanac --key site-key.pem --languages en,hi`,
    )
    .action(async (url, folder, { key, languages, since, strict, reset, json }) => {
      const keys = key && (await Promise.all(key.map((one) => readFile(one, "utf8").catch(() => one))));
      const get: PullOptions["fetch"] = (file, init) =>
        reportingWait(`the site at ${url.host}`, fileMs, () => fetch(file, init));
      const pulled = await pull({
        url: url.href,
        folder,
        keys,
        languages,
        since,
        reset,
        fetch: get,
        timeoutMs: fileMs,
      });
      printAs(json, documentOf(pulled), summaryOf(pulled, folder));
      if (pulled.stale && (strict === true || pulled.passes !== true)) process.exitCode = exitCodes.failed;
    });
};

/** Timeout of one file's request. */
const fileMs = 10_000;

function addressIn(text: string): URL {
  const address = serverUrl(text);
  if (address !== undefined) return address;
  throw new WrongUsage(`"${text}" is no site's address by https (http on this machine only)`, undefined, {
    allowed: "such as https://almanac.example",
  });
}

function documentOf({ reason, ...pulled }: Pulled) {
  return { ...pulled, reason: reason && { type: reason.name, message: reason.message } };
}
