// Notices that a file of the theme or the configuration was saved, and lets the next import of it read it anew.
import { existsSync, type FSWatcher, watch } from "node:fs";
import { registerHooks } from "node:module";
import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";

/** An editor that saves writes several times; readers notice less than this. */
const settleMs = 20;

export interface SavedFiles {
  readonly configFile: string;
  /** It may come and go. */
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

/** Node keeps a module for good. From here on those of the theme and the configuration are read anew after each `next()`. */
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
