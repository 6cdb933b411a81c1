// This version's own outlook on the project in whose folder it was started: what it refuses of it, what it can't read of its vault, and
// what its first publish would change. It writes nothing there.
import type { Configuration } from "../../readings/configuration.schema.ts";
import packageJson from "../../package.json" with { type: "json" };
import { changedPaths } from "../../insight/path-changes.ts";
import { readNewest } from "../../insight/unread-files.ts";
import { readState } from "../../publish/state/state.ts";
import { checkTheme } from "../../worker/checks/theme/theme.ts";
import { openSite, requireOwnVault } from "../../worker/opened-site.ts";
import { openPublisher } from "../../worker/publisher.ts";
import {
  configurationFile,
  loadConfiguration,
  WrongConfiguration,
} from "../../worker/settings/configuration.ts";
import { readEnvironment, WrongSettings } from "../../worker/settings/environment.ts";
import type { CommandRows } from "../terminal/command.ts";
import { inventedLanguage } from "../preview/invented-language.ts";
import type { Outlook, Problem } from "./outlook.schema.ts";
import { stableNames } from "./stable-names.ts";

export async function outlookHere(rows: CommandRows): Promise<Outlook> {
  const names = await stableNames(rows);
  const settings = await settingsHere();
  const told = { format: 1, version: packageJson.version, names } as const;
  if (!settings.areUsable) return { ...told, problems: settings.problems, read: 0 };
  const { problems, ...site } = await siteHere();
  return { ...told, ...site, problems: [...settings.problems, ...problems] };
}

/** What is wrong with environment, configuration and theme; whether a site can be opened by them. */
async function settingsHere() {
  const folder = process.cwd();
  const environment = environmentHere();
  const problems = [...environment.problems];
  let configuration: Configuration | undefined;
  try {
    configuration = await loadConfiguration(environment.configPath, folder);
  } catch (error) {
    if (!(error instanceof WrongConfiguration)) throw error;
    problems.push(...error.problems.map((what) => ({ of: "configuration", what })));
  }
  if (configuration === undefined) return { problems, areUsable: false };
  const checks = await checkTheme(
    configuration,
    configurationFile(environment.configPath, folder),
    inventedLanguage,
  );
  const found = checks.filter(({ remedy }) => remedy !== undefined);
  problems.push(...found.map(({ seen }) => ({ of: "theme", what: seen })));
  return { problems, areUsable: environment.isRight && checks.every(({ ok }) => ok) };
}

function environmentHere(): { configPath: string | undefined; problems: Problem[]; isRight: boolean } {
  try {
    return { configPath: readEnvironment().configPath, problems: [], isRight: true };
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    const problems = error.wrong.map(({ name, problem }) => ({
      of: "environment",
      what: `${name}: ${problem}`,
    }));
    return { configPath: error.configPath, problems, isRight: false };
  }
}

async function siteHere(): Promise<Pick<Outlook, "problems" | "read" | "changes">> {
  const problems: Problem[] = [];
  let read = 0;
  try {
    const opening = await openSite();
    await requireOwnVault(opening);
    const vault = await readNewest(opening.vault.store);
    ({ read } = vault);
    problems.push(...vault.unread.map(({ file, reason }) => ({ of: "vault", what: `${file}: ${reason}` })));
    if ((await readState(opening.site)) === undefined) return { problems, read };
    const say = (what: string) => void problems.push({ of: "site", what });
    await using publisher = await openPublisher(opening, "almanac upgrade", say, { isTrial: true });
    return { problems, read, changes: await changedPaths(publisher.publishing) };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return { problems: [...problems, { of: "site", what }], read };
  }
}
