// The icon at the address at which programs look that read no page: feed readers, lists of links, some browsers. It is ours, or
// made of the theme's; where the theme's fits into no such file there is none, and pages name the theme's all the same.
import { readFileSync } from "node:fs";
import type { Draft } from "./draft.ts";
import type { SiteSettings } from "./edition.ts";
import { iconOf } from "./icon-file.ts";
import { pathOf } from "./paths.ts";
import type { Theme } from "./theme/theme.ts";

const ours: Uint8Array = readFileSync(new URL("pictures/favicon.ico", import.meta.url));

export function faviconDrafts({ theme }: Pick<SiteSettings, "theme">): Draft[] {
  const bytes = theme?.icon === undefined ? ours : ownFavicon(theme);
  return bytes === undefined ? [] : [{ at: { row: "favicon" }, print: () => [bytes] }];
}

function ownFavicon({ icon, files }: Theme): Uint8Array | undefined {
  const bytes = files.find(({ at }) => icon !== undefined && pathOf(at) === pathOf(icon))?.bytes;
  if (bytes === undefined || icon?.asset === "ico") return bytes;
  return iconOf(bytes);
}
