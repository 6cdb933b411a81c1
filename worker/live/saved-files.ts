// Detects saved files of the theme and the configuration, and makes the next import read them again.
import { existsSync, type FSWatcher, watch } from "node:fs";
import { registerHooks } from "node:module";
import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";

/** Debounce delay: an editor writes several times per save. Too short for a person to notice. */
const settleMs = 20;

export interface SavedFiles {
  readonly configFile: string;
  /** May be created and deleted at any time. */
  readonly themeFolder: string;
}

/** Calls `saved` after each save, until it is closed. */
export function watchSaved({ configFile, themeFolder }: SavedFiles, saved: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let theme: FSWatcher | undefined;
  const notice = () => {
    clearTimeout(timer);
    timer = setTimeout(saved, settleMs);
  };
  const watchTheme = () => {
    theme?.close();
    theme = existsSync(themeFolder) ? watch(themeFolder, { recursive: true }, notice) : undefined;
  };
  watchTheme();
  const config = watch(dirname(configFile), (_, name) => {
    if (name === basename(themeFolder)) watchTheme();
    // Stylesheets and imported files lie there, too; state and published files lie in folders.
    if (name === basename(themeFolder) || /\.(?:[cm]?[jt]s|json|css)$/.test(name ?? "")) notice();
  });
  return {
    close() {
      clearTimeout(timer);
      theme?.close();
      config.close();
    },
  };
}

/** Node caches modules forever. This makes those of the theme and the configuration load again after each `next()`. */
export function freshModules({ configFile, themeFolder }: SavedFiles) {
  let edition = 0;
  const config = pathToFileURL(configFile).href;
  const theme = `${pathToFileURL(themeFolder).href}/`;
  const isOurs = (url: string) => url === config || url.startsWith(theme);
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const [url = ""] = found.url.split("?");
      return isOurs(url) ? { ...found, url: `${url}?edition=${edition}` } : found;
    },
  });
  return {
    next() {
      edition += 1;
    },
  };
}
