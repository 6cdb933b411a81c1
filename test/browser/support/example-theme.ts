// A site with a theme of examples/themes/.
import { fileURLToPath } from "node:url";
import { configurationSchema } from "../../../readings/configuration.schema.ts";
import type { Language, Operation } from "../../../readings/tables.ts";
import { siteSettingsOf } from "../../../site/edition.ts";
import { renderShared } from "../../../site/render.ts";
import { loadTheme } from "../../../worker/theme/load-theme.ts";
import { renderLanguage, settings, summaryOf, wholeEdition } from "../../site/editions.ts";
import type { Site } from "../../site/kinds.ts";

const configuration = fileURLToPath(new URL("../../../examples/themes/almanac.config.ts", import.meta.url));

export async function siteWith(
  name: string,
  language: Language,
  operations?: readonly Operation[],
): Promise<Site> {
  const theme = await loadTheme(`./${name}`, configuration);
  const themed = siteSettingsOf(configurationSchema.parse({ site: settings }), theme);
  const edition = { ...wholeEdition(language, operations), pages: theme?.pages };
  const files = renderLanguage(edition, themed);
  const shared = renderShared([summaryOf(files, language)], themed);
  return new Map([...files, ...shared].map((file) => [file.path, file]));
}
