// The files and errors of a theme. Each file is read once; published files get a path with their hash. Errors are collected with
// their file, line and remedy, so that one exception reports all of them.
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, relative, resolve } from "node:path";
import { isTreePath } from "../../site/paths.ts";
import type { ThemeFile } from "../../site/theme/theme.ts";
import type { TreePathOf } from "../../site/tree.ts";
import { WrongConfiguration } from "../settings/configuration-problems.ts";

/** Thrown for a theme that can't be used. */
export class WrongTheme extends WrongConfiguration {
  constructor(folder: string, problems: readonly string[], options?: ErrorOptions) {
    super(`invalid theme in ${folder}:`, problems, options);
  }
}

export class ThemeProblems {
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

/** The likely line of a value: searches for each name of its path after the previous name. */
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

/** Place of a reference to a file, for the error message if that file is missing. */
export interface NamedAt {
  readonly file: string;
  readonly line?: number;
}

export class ThemeFiles {
  readonly #folder: string;
  readonly #problems: ThemeProblems;
  readonly #read = new Map<string, Uint8Array>();
  readonly #published = new Map<string, ThemeFile>();

  constructor(folder: string, problems: ThemeProblems) {
    this.#folder = folder;
    this.#problems = problems;
  }

  /** Records an error and returns undefined if the file can't be read. */
  bytes(name: string, at: NamedAt): Uint8Array | undefined {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const path = resolve(this.#folder, name);
    if (relative(this.#folder, path).startsWith("..")) {
      this.#problems.note(at.file, at.line, `${name} is outside the theme's folder. Copy it there`);
      return undefined;
    }
    try {
      const bytes = readFileSync(path);
      this.#read.set(name, bytes);
      return bytes;
    } catch {
      this.#problems.note(
        at.file,
        at.line,
        `cannot read ${name}. Put it into the theme's folder, or remove its name`,
      );
      return undefined;
    }
  }

  text(name: string, at: NamedAt): string | undefined {
    const bytes = this.bytes(name, at);
    if (bytes === undefined) return undefined;
    if (isUtf8(bytes)) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    this.#problems.note(name, undefined, "it is not UTF-8. Save it as UTF-8");
    return undefined;
  }

  /** Publishes a file that pages refer to, and returns its path. */
  published(name: string, at: NamedAt): TreePathOf<"themeFile"> | undefined {
    const known = this.#published.get(name);
    if (known !== undefined) return known.at;
    const bytes = this.bytes(name, at);
    if (bytes === undefined) return undefined;
    const hash = createHash("sha256").update(bytes).digest("hex");
    const path = { row: "themeFile", hash, asset: extname(name).slice(1).toLowerCase() };
    if (!isTreePath(path) || path.row !== "themeFile") {
      this.#problems.note(at.file, at.line, `${name} cannot be published. Use css, js, woff2 or a picture`);
      return undefined;
    }
    this.#published.set(name, { file: name, at: path, bytes: new Uint8Array(bytes) });
    return path;
  }

  /** Names of the files in a theme folder; empty if the folder does not exist. */
  in(folder: string): string[] {
    try {
      return readdirSync(resolve(this.#folder, folder))
        .sort()
        .map((name) => `${folder}/${name}`);
    } catch {
      return [];
    }
  }

  /** The files to publish, each path once. */
  get all(): ThemeFile[] {
    return [
      ...new Map([...this.#published.values()].map((one) => [one.at.hash + one.at.asset, one])).values(),
    ];
  }

  /** Files read by now, sorted by name. */
  get read(): [string, Uint8Array][] {
    return [...this.#read].sort(([one], [other]) => (one < other ? -1 : 1));
  }
}
