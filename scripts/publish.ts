// `almanac publish`: publishes the due languages from the vault, without a call.
import type { PublishResult } from "../readings/run-messages.ts";
import { runPublish } from "../worker/temporal/runs.ts";
import type { Define } from "./terminal/command.ts";
import { exitCodes } from "./terminal/errors.ts";
import { ownInstallation, warnWithoutWorker } from "./terminal/run.ts";
import { counted, printAs } from "./terminal/output.ts";
import { open, withClient } from "../worker/opened-site.ts";
import { damagedLines } from "./terminal/run-words.ts";

export const define: Define = (command) => {
  command.addHelpText("after", "\nIt makes no call.").action(async ({ json }) => {
    const opening = await open();
    const { id: site } = opening.configuration.site;
    await withClient(opening, async (client) => {
      await warnWithoutWorker(client, site);
      const published = await runPublish(client, site, await ownInstallation(opening, client));
      const { damaged, staying } = published;
      const reasons = staying?.map(({ reason }) => reason);
      printAs(json, published, [publishWords(published), damagedLines(published), reasons]);
      if ((damaged ?? staying) !== undefined) process.exitCode = exitCodes.incomplete;
    });
  });
};

export function publishWords({ languages, changed, version }: PublishResult): string {
  if (languages.length === 0)
    return `nothing to publish: no language has a new date. The site stays at version ${version}`;
  if (changed === 0)
    return `${languages.join(" ")}: nothing new in the vault. The site stays at version ${version}`;
  return `published version ${version}: ${counted(changed, "file")} new or changed in ${languages.join(" ")}`;
}
