// `almanac deploy`: the published state as a folder for a host that takes one, within its limits, and where the host has an
// interface of its own, on it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Host, type HostName, hosts } from "../publish/hosting/hosts.ts";
import { leastDays } from "../publish/hosting/recent-paths.ts";
import { copyForHost, type HostCopy, netlifyFor } from "../worker/hosting/host-copy.ts";
import type { Deployed } from "../worker/hosting/netlify.ts";
import { inNewFolder, type PutFile, writerIn } from "../worker/hosting/new-folder.ts";
import { openSite } from "../worker/opened-site.ts";
import type { Define } from "./terminal/command.ts";
import { WrongUsage } from "./terminal/errors.ts";
import { counted, figureOf, sizeInWords, type Lines, plainLine, printAs, styled } from "./terminal/output.ts";
import { oneOf, wholeIn } from "./terminal/options.ts";
import { progressOf } from "./terminal/progress.ts";

const hostNames = Object.keys(hosts).filter(isHostName);

function isHostName(text: string): text is HostName {
  return Object.hasOwn(hosts, text);
}

export const define: Define = (command) => {
  command
    .argument("<host>", hostNames.join(", "), oneOf("<host>", hostNames))
    .argument("[folder]", "where the copy is to lie: a folder that is empty, new, or an earlier copy")
    .option(
      "--days <number>",
      "of the archive only so many days of each language, today's counted in (all of it unless said)",
      wholeIn("--days", { least: leastDays, most: 36_500 }),
    )
    .option("--site <id>", "for netlify: the site's id there")
    .addHelpText(
      "after",
      `
It copies the published state without v1/objects and states of before, each file held against its hash, and looks whether the host
takes so much. A folder is replaced when the copy is whole. netlify is given the files, shows them all together, and needs
ALMANAC_NETLIFY_TOKEN; the others' own tools take the folder (docs/live-static-host.md). It publishes nothing, and makes no call to
the reading service.

Example: what Cloudflare Pages is to show, with four weeks of the archive
  almanac deploy cloudflare-pages public --days 28`,
    )
    .action(async (host, folder, { days, site, json }) => {
      if (host !== "netlify" && folder === undefined)
        throw new WrongUsage(`${host} takes a folder: almanac deploy ${host} public`);
      if ((host === "netlify") !== (site !== undefined))
        throw new WrongUsage("--site is the site's id at netlify, which wants it, and no other host does");
      const opening = await openSite();
      const deploy = site === undefined ? undefined : netlifyFor(site, opening);
      const done = await inPlace(folder, async (put, place) => {
        using copying = progressOf("copied");
        const wish = { host: hosts[host], days, put, onProgress: copying.show };
        const copied = await copyForHost(wish, opening);
        copying[Symbol.dispose]();
        using uploading = progressOf("uploaded");
        return { ...copied, deployed: await deploy?.(place, copied.paths, uploading.tell) };
      });
      printAs(json, documentOf(done, host, folder), linesOf(done, hosts[host], folder));
    });
};

/** The folder that was named; without a name one that lasts as long as the work. */
async function inPlace<Result>(
  folder: string | undefined,
  work: (put: PutFile, place: string) => Promise<Result>,
): Promise<Result> {
  if (folder !== undefined) return inNewFolder(folder, work);
  const place = await mkdtemp(join(tmpdir(), "almanac-deploy-"));
  try {
    return await work(writerIn(place), place);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

type Done = HostCopy & { readonly deployed: Deployed | undefined };

function documentOf({ version, manifest, leftOut, size, deployed }: Done, host: HostName, folder?: string) {
  const { files, bytes } = size;
  return { host, folder: folder ?? null, version, manifest, files, bytes, leftOut, deployed };
}

function linesOf(
  { version, leftOut, size, deployed }: Done,
  { name, mostFiles }: Host,
  folder?: string,
): Lines {
  const most = mostFiles === undefined ? "" : ` of at most ${figureOf(mostFiles)}`;
  return [
    `${folder ?? name} has version ${version}: ${counted(size.files, "file")}${most}, ${sizeInWords(size.bytes)}`,
    leftOut > 0 && `${counted(leftOut, "file")} of the archive left out`,
    deployed !== undefined &&
      styled(
        "green",
        plainLine(`deployed, ${counted(deployed.uploaded, "file")} uploaded: ${deployed.url ?? name}`),
      ),
  ];
}
