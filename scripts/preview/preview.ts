// `almanac preview`: serves the site with the theme and configuration on disk, as of now or as it will be published on a date, and
// updates it while they are edited.
import { once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import { currentJob } from "../../publish/render/render-jobs.ts";
import { loadLanguage } from "../../publish/render/loading.ts";
import { createPartReader } from "../../publish/state/parts.ts";
import type { PublishedSite } from "../../publish/state/published-files.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { readState } from "../../publish/state/state.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { LivePreview } from "../../worker/live/live-preview.ts";
import { type LiveLanguage, LiveSite } from "../../worker/live/live-site.ts";
import { startLiveServer } from "../../worker/live/live-server.ts";
import { freshModules, watchSaved } from "../../worker/live/saved-files.ts";
import { siteAhead } from "../../worker/live/site-ahead.ts";
import { type Opening, openSite } from "../../worker/opened-site.ts";
import { openPublisher } from "../../worker/publisher.ts";
import { configurationFile, loadConfiguration } from "../../worker/settings/configuration.ts";
import { loadTheme, themeFolder } from "../../worker/theme/load-theme.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { Define } from "../terminal/command.ts";
import { dateToCome } from "../terminal/dates.ts";
import { portIn, onPort } from "../terminal/options.ts";
import { printAs, say } from "../terminal/output.ts";
import { inventedLanguage } from "./invented-language.ts";
import { now } from "../../worker/settings/environment.ts";

export const define: Define = (command) => {
  command
    .option("--port <number>", "Port. Default: the port of site.url, or a free one", portIn)
    .option("--date <date>", "Show the site as it will be on this date, or `tomorrow`", dateToCome)
    .addHelpText(
      "after",
      `
Open pages reload when you save a file of the theme or the configuration, and show errors in it. A language without stored
readings shows invented texts, marked as such. With --date, each language has its texts of that date, and the bar on each page
lists the texts that are not ready. It publishes nothing and makes no call.

Examples: preview a theme while you edit it; read tomorrow's pages before they are published:
  almanac preview
  almanac preview --date tomorrow`,
    )
    .action(async ({ port, date, json }) => {
      const opening = await openSite();
      const { configPath } = opening.environment;
      const configFile = configurationFile(configPath, process.cwd());
      const saved = { configFile, themeFolder: themeFolder(opening.configuration.theme, configFile) };
      const modules = freshModules(saved);
      const siteNow = liveSites();
      const preview = new LivePreview(async () => {
        modules.next();
        const configuration = await loadConfiguration(configPath, process.cwd());
        const current = {
          ...opening,
          configuration,
          theme: await loadTheme(configuration.theme, configFile),
        };
        return date === undefined ? siteNow(current) : siteOn(date, current);
      });
      await preview.refresh();
      const usual = Number(new URL(opening.configuration.site.url).port || 8420);
      const [wished = 0] = port === undefined ? await freePorts([usual]) : [port];
      const server = await onPort(wished, () => startLiveServer(preview, wished));
      const update = async () => {
        await preview.refresh();
        const { problems } = preview.now;
        say(...(problems.length === 0 ? ["preview updated"] : problems));
      };
      const watch = watchSaved(saved, () => void update());
      printAs(json, { url: server.url }, [server.url]);
      say("the preview updates when you save a file. Press Ctrl-C to stop");
      await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
      watch.close();
      await server.close();
    });
};

/** The site as of now. Its texts are loaded again only if the configuration changes. */
function liveSites() {
  let loaded: { configuration: Configuration; languages: readonly LiveLanguage[] } | undefined;
  return async (opening: Opening) => {
    const { configuration, theme } = opening;
    if (!isDeepStrictEqual(loaded?.configuration, configuration))
      loaded = { configuration, languages: await languagesOf(opening) };
    return LiveSite.of(loaded?.languages ?? [], configuration, theme, await publishedNow(opening));
  };
}

async function siteOn(date: (zone: string) => string, opening: Opening) {
  await using publisher = await openPublisher(opening, "preview", say, { isTrial: true, forgets: false });
  return siteAhead(date, publisher.publishing);
}

async function languagesOf(opening: Opening): Promise<LiveLanguage[]> {
  const { configuration } = opening;
  const published = await publishedNow(opening);
  await using publisher = await openPublisher(opening, "preview", say, { isTrial: true, forgets: false });
  const languages: LiveLanguage[] = [];
  for (const language of configuration.languages) {
    const kept = await keptLanguage(language, published, { ...publisher.publishing, theme: undefined });
    languages.push(kept ?? inventedLanguage(language, configuration, now()));
  }
  return languages;
}

async function publishedNow({ site }: Opening): Promise<PublishedSite> {
  return { site, manifest: (await readState(site))?.manifest, reader: createPartReader(site) };
}

/** Undefined if the vault has nothing for the language's current date. */
async function keptLanguage(
  language: Configuration["languages"][number],
  published: PublishedSite,
  publishing: Publishing,
): Promise<LiveLanguage | undefined> {
  const onState = { ...publishing, ...published };
  const job = await currentJob(language, onState);
  const { home, files, linked } = await loadLanguage({ ...job, current: true }, onState);
  return files.length === 0 ? undefined : { home, files, linked, isInvented: false };
}
