// Whatever the program tells a person to do next is known to a test: each text in the sources that names a command, or that is
// what a check, a finding or an answer says to do, is quoted by some test. Those about a damaged site or vault are followed
// besides, from the damage to a sound site (test/publish/mend-advice.test.ts).
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { shownAs, type SourceText, textsIn } from "./support/literals.ts";

const cwd = fileURLToPath(new URL("../", import.meta.url));
const rooms = [
  "activities",
  "foresight",
  "hindsight",
  "publish",
  "scripts",
  "service",
  "store",
  "vault",
  "worker",
];
/** Of a command's --help. */
const help = /^(addHelpText|argument|describe|description|option)\.\d$/;
const saying = /^(next|nextSteps|remed(y|ies)|temporalGone|(broken|warning|wrongSetting)\.2)$/;

/** What only another machine, bucket or clock could have wrong, or what names nothing but the setting that is wrong. */
const untried: ReadonlySet<string> = new Set([
  "hindsight/why/prospects.ts: or `retry`",
  "hindsight/why/prospects.ts: it is tried again on the next UTC day",
  "publish/mend/live-site.ts: `almanac verify` says whether the store is sound; if it is, something on the way changes or keeps it:",
  "publish/mend/live-site.ts: {}purge it",
  "publish/mend/live-site.ts: readers of today do not need it. {}purge it",
  "scripts/terminal/errors.ts: ask again later; if it stays so, check the address above",
  "scripts/withdraw/print.ts: earlier states hold it under its hash until `almanac gc` takes them, {} from now",
  "store/exposure.ts: chmod 700 {}",
  "store/exposure.ts: take the public policy or access list off the bucket {}, or move ALMANAC_VAULT to one of its own",
  "vault/file-faults.ts: {}, or take it away (docs/store.md says what is lost with it)",
  "worker/checks/checks.ts: mend or unset {}",
  "worker/checks/checks.ts: rename it to {}",
  "worker/checks/checks.ts: mend it in {}",
  "worker/checks/machine.ts: set the clock by the network (timedatectl set-ntp true), or see who else is wrong",
  "worker/checks/machine.ts: install a Node with full ICU (the one that `npm ci` brings along has it)",
  "worker/checks/service.ts: ask again when no night is under way",
  "worker/checks/stores.ts: mend ALMANAC_{}",
  "worker/checks/stores.ts: see by hand that nobody else can read it",
  "worker/checks/stores.ts: serve it by https, and say so in site.url",
  "worker/checks/temporal.ts: mend what they name, a profile or a file ({})",
  "worker/checks/theme/theme.ts: mend it there",
  "worker/checks/workers.ts: restart the worker with them",
  "worker/checks/webhooks.ts: mend {}",
  "worker/checks/webhooks.ts: see that {} is right, and that this machine gets there",
  "worker/temporal/temporal-server.ts: look for one with that file after --db-filename, end it and try again",
]);

function isAdvice(one: SourceText): boolean {
  const shown = shownAs(one);
  if (!shown.includes(" ") || one.within.some((name) => help.test(name))) return false;
  return /`almanac [a-z]/.test(shown) || one.within.some((name) => saying.test(name));
}

const enough = 16;

/** All pieces of texts of so many letters that a test has somewhere. */
function quotedAmong(texts: readonly SourceText[]): ReadonlySet<string> {
  const wanted = new Set(texts.flatMap(windowsOf));
  const found = new Set<string>();
  for (const path of globSync("test/**/*.ts", { cwd })) {
    if (path === "test/advice.test.ts") continue;
    // As the text reads: without what a pattern or a template puts before a sign.
    const text = readFileSync(`${cwd}${path}`, "utf8").replaceAll(/\\([`.(){}?$])/g, "$1");
    for (let at = 0; at + enough <= text.length; at += 1) {
      const window = text.slice(at, at + enough);
      if (wanted.has(window)) found.add(window);
    }
  }
  return found;
}

function windowsOf({ pieces }: SourceText): string[] {
  return pieces.flatMap((piece) =>
    Array.from({ length: Math.max(0, piece.length - enough + 1) }, (_, at) => piece.slice(at, at + enough)),
  );
}

test("every next step that the program can name is known to a test", () => {
  const advice = textsIn(rooms).filter(isAdvice);
  expect(advice.length).toBeGreaterThan(100);
  const quoted = quotedAmong(advice);
  const unquoted = advice.filter((one) => !windowsOf(one).some((window) => quoted.has(window)));
  const lost = unquoted.map((one) => `${one.file}: ${shownAs(one)}`);
  expect(lost.filter((one) => !untried.has(one))).toEqual([]);
  const known = new Set(advice.map((one) => `${one.file}: ${shownAs(one)}`));
  expect([...untried].filter((one) => !known.has(one))).toEqual([]);
});
