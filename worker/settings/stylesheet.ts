// The site's own stylesheet: it is read once, with the configuration, because pressing reads no files. And what it costs readers.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { styleFor } from "../../site/style.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Thrown where the named file can't stand in a page. */
export class UnusableStylesheet extends Error {
  override readonly name = "UnusableStylesheet";
}

/** `file` is the path of the configuration. */
export function withStylesheet(configuration: Configuration, file: string): Configuration {
  const { site } = configuration;
  if (site.stylesheet === undefined) return configuration;
  const { path } = site.stylesheet;
  return {
    ...configuration,
    site: { ...site, stylesheet: { path, css: read(resolve(dirname(file), path)) } },
  };
}

function read(path: string) {
  const css = decoded(path);
  if (!/<\/style/i.test(css)) return css;
  throw new UnusableStylesheet(
    `site.stylesheet: ${path} has "</style" in it, which would end the page's own style there: take it out`,
  );
}

function decoded(path: string) {
  try {
    return decoder.decode(readFileSync(path));
  } catch (error) {
    const why = error instanceof TypeError ? "it is not UTF-8" : String(error);
    throw new UnusableStylesheet(`site.stylesheet: ${path} can't be read: ${why}`, { cause: error });
  }
}

/** The bytes that a server sends in one go (ten packets). */
export const mostPageBytes = 14_336;
/** The rest of a page, compressed: some 7,500 with long texts in Greek, the most of all, and some room. */
const restBytes = 8_000;

/** The style's size, compressed, with the rules for the script and the site's colours; and the most that costs no second round trip. */
export function styleCost({ site }: Configuration) {
  const sizeBytes = gzipSync(styleFor("Latin", site)).length;
  return { sizeBytes, mostBytes: mostPageBytes - restBytes };
}
