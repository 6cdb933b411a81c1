// `almanac pull`: downloads the JSON of any published site to a folder, with packages/client/almanac-pull.js.
import { keyIn, keyProblem, type PullOptions, pull, summaryOf } from "../packages/client/almanac-pull.js";
import { sentenceFor } from "../service/exchange.ts";
import { reportingWait } from "../store/clock.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes, WrongUsage } from "./terminal/errors.ts";
import { languagesIn, siteUrlIn } from "./terminal/options.ts";
import { typedDate } from "./terminal/dates.ts";
import { printAs } from "./terminal/output.ts";

export const define: Define = (command) => {
  command
    .argument("<url>", "URL of the site, such as https://almanac.example", siteUrlIn)
    .argument("<folder>", "Folder for the JSON")
    .option("--key <keys...>", "Require a signature by one of these public keys: base64 or a PEM file")
    .option("--languages <list>", "Languages, such as en,hi. Default: all", languagesIn)
    .option(
      "--since <date>",
      "Also download dated readings from this date. Default: only the current ones",
      typedDate("--since"),
    )
    .option("--strict", "Fail if the folder can't be updated to the current version, whatever the reason")
    .option(
      "--reset",
      "Accept the current version even if the folder contains a newer version or a different site",
    )
    .addHelpText(
      "after",
      `
All files are verified and belong to one version of the site. If the site is unreachable or fails verification, the folder keeps its
files. The exit code is then 0 for an outage of less than two weeks or a publish in progress, and 1 for any other reason. The
command needs no configuration.

Example: download the JSON before each build of a site:
  almanac pull https://almanac.example data/almanac --key site-key.pem --languages en,hi`,
    )
    .action(async (url, folder, { key, languages, since, strict, reset, json }) => {
      const keys = key && (await Promise.all(key.map(keyGiven)));
      const get: PullOptions["fetch"] = (file, init) =>
        reportingWait(`the site at ${url.host}`, fileMs, () => fetch(file, init).catch(failWithReason));
      const options = { url: url.href, folder, keys, languages, since, reset, fetch: get, timeoutMs: fileMs };
      const pulled = await pull(options).catch((error: unknown) => {
        throw wordedFor(url, error);
      });
      const reason = pulled.reason && { type: pulled.reason.name, message: pulled.reason.message };
      printAs(json, { ...pulled, reason }, summaryOf(pulled, folder));
      if (pulled.stale && (strict === true || pulled.passes !== true)) process.exitCode = exitCodes.failed;
    });
};

/** Timeout of one file's request. */
const fileMs = 10_000;

async function keyGiven(given: string): Promise<string> {
  const key = await keyIn(given);
  if (key === undefined) throw new WrongUsage(keyProblem(given));
  return key;
}

/** Thrown if the site cannot be reached and the folder has no files yet. */
class Unreachable extends Error {
  override readonly name = "Unreachable";
}

function wordedFor(url: URL, error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== "Unreachable") return error;
  const seen = error.message.replace(/^\S+: /, "");
  const place = url.href.replace(/\/$/, "");
  return new Unreachable(`cannot reach ${place}: ${seen}. Check the URL`, { cause: error });
}

/** `fetch failed` names no reason: that is in its cause. */
function failWithReason(error: unknown): never {
  const cause = error instanceof Error ? error.cause : undefined;
  throw cause instanceof Error ? new Error(sentenceFor(cause), { cause: error }) : error;
}
