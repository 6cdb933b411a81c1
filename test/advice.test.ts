// Every instruction to the user is covered by a test: each text in the sources that names a command, or that is the remedy of a
// check, a finding or an answer, is quoted in some test. Instructions about a damaged site or vault are also followed, from the
// damage to a sound site (test/publish/repair-advice.test.ts).
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { shownAs, type SourceText, textsIn } from "./support/literals.ts";

const cwd = fileURLToPath(new URL("../", import.meta.url));
const rooms = ["activities", "insight", "publish", "scripts", "service", "store", "vault", "worker"];
/** Calls that define a command's --help. */
const help = /^(addHelpText|argument|describe|description|option)\.\d$/;
const saying = /^(next|nextSteps|remed(y|ies)|temporalGone|(broken|warning|wrongSetting)\.2)$/;

function isAdvice(one: SourceText): boolean {
  const shown = shownAs(one);
  if (!shown.includes(" ") || one.within.some((name) => help.test(name))) return false;
  return /`almanac [a-z]/.test(shown) || one.within.some((name) => saying.test(name));
}

/** A piece of so many letters is a quotation; of a text that has none so long, its longest one. */
const enough = 16;
const least = 9;

/** All quotations of texts in tests. */
function quotedAmong(texts: readonly SourceText[]): ReadonlySet<string> {
  const wanted = new Set(texts.flatMap(windowsOf));
  const short = [...wanted].filter((one) => one.length < enough);
  const found = new Set<string>();
  for (const path of globSync("test/**/*.ts", { cwd })) {
    if (path === "test/advice.test.ts") continue;
    // The text without the escapes of patterns and templates.
    const text = readFileSync(`${cwd}${path}`, "utf8").replaceAll(/\\([`.(){}?$])/g, "$1");
    for (const one of short) if (text.includes(one)) found.add(one);
    for (let at = 0; at + enough <= text.length; at += 1) {
      const window = text.slice(at, at + enough);
      if (wanted.has(window)) found.add(window);
    }
  }
  return found;
}

function windowsOf({ pieces }: SourceText): string[] {
  const size = Math.max(least, Math.min(enough, Math.max(...pieces.map(({ length }) => length))));
  return pieces.flatMap((piece) =>
    Array.from({ length: Math.max(0, piece.length - size + 1) }, (_, at) => piece.slice(at, at + size)),
  );
}

test("every instruction that the program can print is covered by a test", () => {
  const advice = textsIn(rooms).filter(isAdvice);
  expect(advice.length).toBeGreaterThan(100);
  const quoted = quotedAmong(advice);
  const unquoted = advice.filter((one) => !windowsOf(one).some((window) => quoted.has(window)));
  expect(unquoted.map((one) => `${one.file}: ${shownAs(one)}`)).toEqual([]);
});
