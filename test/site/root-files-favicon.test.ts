import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { iconOf, pngSize } from "../../site/root-files.ts";
import { pathOf } from "../../site/paths.ts";
import { renderShared } from "../../site/render.ts";
import type { ThemeInput } from "../../worker/theme/theme.schema.ts";
import { themeOf, type FolderFiles } from "../support/theme-folder.ts";
import { renderedIn, settings, summaryOf } from "./editions.ts";

async function faviconWith(theme: ThemeInput, files: FolderFiles): Promise<Buffer | undefined> {
  const shared = renderShared([summaryOf(renderedIn("en"), "en")], {
    ...settings,
    theme: await themeOf(theme, files),
  });
  const found = shared.find(({ path }) => path === pathOf({ row: "favicon" }));
  if (found !== undefined) expect(found.type).toBe("image/x-icon");
  return found && Buffer.from(found.bytes);
}

/** The picture in an icon file, according to its header. */
function pictureIn(icon: Buffer): Buffer {
  expect([...icon.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
  return icon.subarray(icon.readUInt32LE(18), icon.readUInt32LE(18) + icon.readUInt32LE(14));
}

const own = readFileSync(new URL("../../site/pictures/favicon.ico", import.meta.url));
const emblem = pictureIn(own);

test("is ours, 32 pixels wide, unless a theme has an icon", async () => {
  expect(await faviconWith({}, {})).toEqual(own);
  expect(pngSize(emblem)).toEqual({ width: 32, height: 32 });
  expect([own[6], own[7]]).toEqual([32, 32]);
});

test("is made from a theme's PNG, or is a theme's icon file unchanged", async () => {
  const png = Buffer.concat([emblem, Buffer.from("another")]);
  const made = await faviconWith({ icon: "icon.png" }, { "icon.png": png });
  expect(made && pictureIn(made)).toEqual(png);
  const ico = Buffer.concat([own, Buffer.from("another")]);
  expect(await faviconWith({ icon: "icon.ico" }, { "icon.ico": ico })).toEqual(ico);
});

test("does not exist if the theme's icon does not fit into such a file", async () => {
  const large = Buffer.from(emblem);
  large.writeUInt32BE(512, 16);
  expect(iconOf(large)).toBeUndefined();
  expect(await faviconWith({ icon: "icon.svg" }, { "icon.svg": "<svg/>" })).toBeUndefined();
  expect(await faviconWith({ icon: "icon.png" }, { "icon.png": large })).toBeUndefined();
});
