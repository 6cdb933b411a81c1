// A folder with a configuration and a theme, as an owner has it, which goes away with the test.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Theme } from "../../site/theme/theme.ts";
import type { ThemeInput } from "../../worker/theme/theme.schema.ts";
import { loadTheme } from "../../worker/theme/load-theme.ts";

export type FolderFiles = Readonly<Record<string, string | Uint8Array>>;

export function folderWithFiles(files: FolderFiles): string {
  const folder = mkdtempSync(join(tmpdir(), "almanac-theme-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeInto(folder, files);
  return folder;
}

export function writeInto(folder: string, files: FolderFiles): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** theme.ts as an owner would write it, one word a line. */
export function themeModule(theme: ThemeInput | object): string {
  return `export default ${JSON.stringify(theme, undefined, 2)};\n`;
}

export async function themeOf(theme: ThemeInput, files: FolderFiles = {}): Promise<Theme | undefined> {
  const inTheme = Object.entries(files).map(([name, content]) => [`theme/${name}`, content]);
  const all = { "theme/theme.ts": themeModule(theme), ...Object.fromEntries(inTheme) };
  return loadTheme(undefined, join(folderWithFiles(all), "almanac.config.ts"));
}
