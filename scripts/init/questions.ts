// Asks a person for the answers that no flag has given. What can't be is said, and asked again.
import { createInterface } from "node:readline/promises";
import { describe, exitCodes } from "../terminal/errors.ts";
import { say, styled } from "../terminal/output.ts";
import { answerReaders, idFrom, type ProjectAnswers } from "./answers.ts";

/** Thrown where the person ends it: what was answered is forgotten. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

export interface Interview extends AsyncDisposable {
  readonly answer: <T>(question: string, usual: string, read: (text: string) => T) => Promise<T>;
  readonly consent: (question: string, usual: boolean) => Promise<boolean>;
}

export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Questions go to stderr, as all that is no result. */
export function openInterview(): Interview {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const lines = terminal[Symbol.asyncIterator](); // keeps what is typed ahead, or pasted
  const ask = async (question: string) => {
    terminal.setPrompt(question);
    terminal.prompt();
    const line = await lines.next();
    if (line.done !== true) return line.value;
    process.stderr.write("\n");
    throw new Unanswered("left at a question: what was not answered is not done");
  };
  return {
    async answer(question, usual, read) {
      for (;;) {
        const given = await ask(`${styled("bold", question, process.stderr)} [${usual}] `);
        try {
          return read(given.trim() === "" ? usual : given);
        } catch (error) {
          const { message, code } = describe(error);
          if (code !== exitCodes.wrong) throw error;
          say(message.replace(/^--\w+:? /, ""));
        }
      }
    },
    async consent(question, usual) {
      const given = await ask(`${styled("bold", question, process.stderr)} [${usual ? "Y/n" : "y/N"}] `);
      return given.trim() === "" ? usual : /^y(es)?$/i.test(given.trim());
    },
    async [Symbol.asyncDispose]() {
      terminal.close();
    },
  };
}

/** Those that were given are not asked for. */
export async function askFor(
  { answer }: Interview,
  given: Partial<ProjectAnswers>,
  usual: ProjectAnswers,
): Promise<ProjectAnswers> {
  const { name, id, languages, url, site, alarms } = answerReaders;
  const called = given.name ?? (await answer("What is the site called?", usual.name, name));
  const shortId = "Which id does it have on Temporal? No other site there may have it:";
  return {
    name: called,
    id: given.id ?? (await answer(shortId, idFrom(called), id)),
    languages:
      given.languages ??
      (await answer("In which languages? Codes such as en,hi:", usual.languages.join(","), languages)),
    url: given.url ?? (await answer("At which address will readers find it?", usual.url, url)),
    site:
      given.site ??
      (await answer("Where is it kept? In a folder, or in s3://bucket/prefix:", usual.site, site)),
    alarms:
      given.alarms ??
      (await answer("Who is told of trouble? none, webhook, slack or mail:", usual.alarms, alarms)),
  };
}
