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
    using interview = new Interview();
    return await interview.consent(question);
  };
}

export class Interview implements Disposable {
  readonly #terminal = createInterface({ input: process.stdin, output: process.stderr });
  readonly #lines = this.#terminal[Symbol.asyncIterator](); // keeps lines that are typed ahead or pasted

  async consent(question: string): Promise<boolean> {
    return /^y(es)?$/i.test(await this.#ask(question, "y/N"));
  }

  async #ask(question: string, usual: string) {
    this.#terminal.setPrompt(`${styled("bold", question, process.stderr)} [${usual}] `);
    this.#terminal.prompt();
    const line = await this.#lines.next();
    if (line.done !== true) return line.value.trim();
    process.stderr.write("\n");
    throw new Unanswered("interrupted at a question. Nothing was changed");
  }

  /** Releases the terminal, so that Ctrl-C reaches other programs. */
  [Symbol.dispose]() {
    this.#terminal.close();
  }
}
