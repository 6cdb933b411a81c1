// Output of all commands, including errors: text for a person, or one JSON document.
import { stripVTControlCharacters, styleText } from "node:util";
import { Help } from "@commander-js/extra-typings";
import { showWaits } from "../../store/clock.ts";
import { describe, exitCodes, type ExitCode } from "./errors.ts";

export type Format = "bold" | "dim" | "red" | "yellow" | "green" | "cyan";

/** Longer lines are hard to follow, however wide the terminal is. */
const mostColumns = 100;

/** Wrap width: the terminal's, or a default if there is no terminal or its width is unknown. */
export function columns(stream: Pick<NodeJS.WriteStream, "columns"> = process.stdout): number {
  return Math.min(stream.columns || 80, mostColumns);
}

/** Styles text only for a terminal, and not if NO_COLOR is set; styleText checks both. */
export function styled(format: Format, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(format, text, { stream });
}

/** Removes escape codes and other control characters from untrusted text: they could move the terminal's cursor or reverse its text. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, " ");
}

/** Nested lines of output. As in page templates, false and undefined are skipped. */
export type Lines = string | false | undefined | readonly Lines[];

/** Wraps a sentence at blanks, to the terminal's width. */
export function sentence(words: string, indent = "", width = columns()): string[] {
  return wrapped(plainLine(words), width - indent.length).map((line) => indent + line);
}

const help = Object.assign(new Help(), { minWidthToWrap: 1 });

/** Wraps text at blanks, as commander wraps the descriptions of options. */
export function wrapped(text: string, width: number): string[] {
  return help.boxWrap(text, width).split("\n");
}

/** Prints results to stdout. */
export function print(...lines: readonly Lines[]): void {
  process.stdout.write(
    inOrder(lines)
      .map((line) => `${line}\n`)
      .join(""),
  );
}

export function inOrder(lines: Lines): readonly string[] {
  if (typeof lines === "string") return [lines];
  return lines ? lines.flatMap(inOrder) : [];
}

/** The first of many lines, so that they don't scroll away. `indent` and `rest` format the line that counts the others. */
export function firstLines<Item>(
  items: readonly Item[],
  linesOf: (item: Item) => Lines,
  { most = 30, indent = "", rest = ". --json lists all" } = {},
): string[] {
  const more = items.length - most;
  return [
    ...items.slice(0, most).flatMap((item) => inOrder(linesOf(item))),
    ...(more > 0 ? [`${indent}and ${figureOf(more)} more${rest}`] : []),
  ];
}

/** A table under a dim head: columns as wide as they need to be, numbers to the right. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const columnsOf = head.map((title, column) => {
    const cells = rows.map((row) => row[column] ?? "");
    const width = Math.max(...[title, ...cells].map((cell) => String(cell).length));
    return { width, isNumeric: cells.some((cell) => typeof cell === "number") };
  });
  const lineOf = (row: readonly (string | number)[]) =>
    columnsOf
      .map(({ width, isNumeric }, column) => {
        const text = String(row[column] ?? "");
        return isNumeric ? text.padStart(width) : text.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [styled("dim", lineOf(head)), ...rows.map(lineOf)];
}

/** `1 file`, `1,204 files` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figureOf(count)} ${count === 1 ? one : many}`;
}

/** `1,204` */
export function figureOf(count: number): string {
  return count.toLocaleString("en");
}

/** `12.3 MB` */
export function sizeInWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const figure = bytes / 1000 ** power;
  return `${power === 0 ? figure : figure.toFixed(1)} ${units[power] ?? ""}`;
}

/** Prints one JSON document to stdout. */
export function printJson(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** Prints the JSON document with `--json`, else the lines. */
export function printAs(json: boolean | undefined, document: object, lines: Lines): void {
  if (json === true) printJson(document);
  else print(lines);
}

/** Result of a command: its JSON document, its lines for a person, and its exit code. */
export interface CommandResult {
  readonly document: object;
  readonly lines: Lines;
  /** Lines on stderr. */
  readonly said?: Lines;
  readonly code?: ExitCode;
}

export function printResult(
  json: boolean | undefined,
  { document, lines, said, code = exitCodes.done }: CommandResult,
): void {
  printAs(json, document, lines);
  say(said);
  if (code !== exitCodes.done) process.exitCode = code;
}

/** Prints progress and messages to stderr. */
export function say(...lines: readonly Lines[]): void {
  for (const line of inOrder(lines)) process.stderr.write(`${plainLine(line)}\n`);
}

const sayWaitAgainMs = 20_000;

/** Reports each wait for another process or server once, and again from time to time. */
export function sayWaits(): void {
  const saidMs = new Map<string, number>();
  showWaits(({ name, waitedMs, mostMs }) => {
    const nowMs = performance.now();
    if (nowMs - (saidMs.get(name) ?? Number.NEGATIVE_INFINITY) < sayWaitAgainMs) return;
    saidMs.set(name, nowMs);
    const since = new Date(Date.now() - waitedMs).toISOString();
    say(`waiting for ${name} (since ${since}, at most ${Math.round(mostMs / 1000)} s)`);
  });
}

/** Reports the error and its remedy; returns the exit code. */
export function printFailure(
  error: unknown,
  { json, verbose }: { json: boolean; verbose: boolean },
): ExitCode {
  const { type, message, next, facts, code } = describe(error);
  if (json) printJson({ error: { type, message, ...facts, next } });
  else {
    const lines = message.split("\n").map((line) => plainLine(line));
    const [first = "", ...rest] = lines;
    const head = `${styled("red", "error", process.stderr)}: ${rest.length === 0 ? ended(first) : first}`;
    if (next !== undefined) rest.push(...wrapped(`next: ${next}`, columns(process.stderr)));
    process.stderr.write(`${[head, ...rest].join("\n")}\n`);
  }
  if (verbose && error instanceof Error) process.stderr.write(`${type}\n${placesOf(error)}\n`);
  return code;
}

/** A sentence with its period. */
function ended(words: string) {
  return /[\p{L}\p{N}"`)]$/u.test(words) ? `${words}.` : words;
}

/** Stack frames without the message: it has been printed already, and commander's may quote a person's name. */
function placesOf({ stack = "" }: Error) {
  return stack
    .split("\n")
    .filter((line) => /^ {4}at /.test(line))
    .join("\n");
}
