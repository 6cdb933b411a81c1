// The mistakes of a theme, each with its file, its line and what to do, collected so that all are said at once.
import { relative } from "node:path";
import { WrongConfiguration } from "../settings/configuration.ts";

/** Thrown for a theme that can't be used. */
export class WrongTheme extends WrongConfiguration {
  constructor(folder: string, problems: readonly string[], options?: ErrorOptions) {
    super(`the theme in ${folder} is not right:`, problems, options);
  }
}

export class ThemeMistakes {
  readonly #folder: string;
  readonly #found: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `problem` ends with what to do. */
  note(file: string, line: number | undefined, problem: string): void {
    this.#found.push(`${shownPlace(this.#folder, file, line)}: ${problem}`);
  }

  /** Ends where something was found. */
  settle(): void {
    if (this.#found.length > 0) throw new WrongTheme(this.#folder, [...new Set(this.#found)]);
  }
}

/** A file of the theme as a person finds it from where she is, with its line where that is known. */
export function shownPlace(folder: string, file: string, line?: number): string {
  const place = relative(process.cwd(), `${folder}/${file}`);
  const shown = place.startsWith("..") ? `${folder}/${file}` : place;
  return line === undefined ? shown : `${shown}:${line}`;
}

/** The line of an index in a text. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** The line on which a value is most likely written: each name of its path is looked for after the one before it. */
export function lineOf(source: string, path: readonly PropertyKey[]): number {
  let at = 0;
  for (const key of path) {
    if (typeof key === "number") continue;
    const name = String(key).replaceAll(/[^\w]/g, String.raw`\$&`);
    const found = new RegExp(`["']?${name}["']?\\s*:`).exec(source.slice(at));
    if (found !== null) at += found.index + found[0].search(/\S/);
  }
  return lineAt(source, at);
}

/** The first file of the theme, with its line, that an error's stack names. */
export function placeIn(error: unknown, folder: string): { file: string; line: number } | undefined {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const start = stack.indexOf(`${folder}/`);
  const [, file = "", line = ""] = /^([^\s)?]+?)(?:\?edition=\d+)?:(\d+)/.exec(stack.slice(start)) ?? [];
  return start < 0 || file === "" ? undefined : { file, line: Number(line) };
}
