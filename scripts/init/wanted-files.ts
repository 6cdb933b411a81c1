// Which of a project's files are written: the missing ones of a new site, and otherwise what a person says.
import { diff } from "node:util";
import { say, styled } from "../terminal/output.ts";
import { type ComparedFile, writeProjectFile } from "./project.ts";
import type { Interview } from "./questions.ts";

interface Consent {
  /** Whether what takes nothing away is written without a question. */
  readonly isUsual: boolean;
  readonly interview: Interview | undefined;
}

export async function writeWanted(
  folder: string,
  compared: readonly ComparedFile[],
  consent: Consent,
): Promise<ComparedFile[]> {
  const written: ComparedFile[] = [];
  for (const file of compared) {
    if (!(await isWanted(file, consent))) continue;
    await writeProjectFile(folder, file);
    written.push(file);
  }
  return written;
}

async function isWanted({ path, text, there = "", state }: ComparedFile, { isUsual, interview }: Consent) {
  if (state === "same") return false;
  if (isUsual && state !== "different") return true;
  if (interview === undefined) return false;
  if (state === "missing") return interview.consent(`${path} is missing. Write it?`, true);
  say(`${path} is other than it would be made now:`, changedLines(there, text));
  return state === "lacking"
    ? interview.consent(`Add that to ${path}?`, true)
    : interview.consent(`Replace ${path}, and lose what is marked with -?`, false);
}

function changedLines(there: string, text: string) {
  const changes = diff(text.split("\n"), there.split("\n")).filter(([side]) => side !== 0);
  return changes.map(([side, line]) =>
    side === 1
      ? styled("green", `  + ${line}`, process.stderr)
      : styled("red", `  - ${line}`, process.stderr),
  );
}
