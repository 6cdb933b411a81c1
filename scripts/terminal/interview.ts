// Questions to the person at a terminal. They go to stderr, because stdout is for results.
import { createInterface } from "node:readline/promises";
import { styled } from "./output.ts";

/** Thrown if the person aborts at a question. Earlier answers are discarded. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks the person at the terminal. */
export type Ask = (question: string) => Promise<boolean>;

/** With `yes`, every answer is yes. Undefined if there is no terminal. */
export function asking(yes: boolean): Ask | undefined {
  if (yes) return () => Promise.resolve(true);
  if (!isTerminal()) return undefined;
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      terminal.setPrompt(`${styled("bold", question, process.stderr)} [y/N] `);
      terminal.prompt();
      const line = await terminal[Symbol.asyncIterator]().next();
      if (line.done !== true) return /^y(es)?$/i.test(line.value.trim());
    } finally {
      terminal.close(); // Ctrl-C then reaches other programs
    }
    process.stderr.write("\n");
    throw new Unanswered("interrupted at the question. Nothing was changed");
  };
}
