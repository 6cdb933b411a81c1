// What pressing knows of a site, from its configuration.
import type { Configuration } from "../readings/configuration.schema.ts";
import { listedPictureHosts } from "../readings/picture-hosts.ts";
import type { SiteSettings } from "./edition.ts";
import type { Theme } from "./theme/theme.ts";

/** A site with copies of its own shows no picture of another host. */
export function siteSettingsOf(
  { site, pictures }: Pick<Configuration, "site" | "pictures">,
  theme?: Theme,
): SiteSettings {
  const pictureHosts = pictures.mirror === undefined ? listedPictureHosts(pictures) : [];
  return { ...site, ...(theme && { theme }), pictureHosts };
}
