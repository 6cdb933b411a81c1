// The units as they lie on the machine: what is otherwise is written, what is no longer wanted is taken away, and what somebody
// else has made is left alone.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { NotSetUp } from "../terminal/errors.ts";
import type { Places } from "./places.ts";
import { allUnitNames, ownMark, type Unit } from "./units.ts";

/** Those that this command has made, by name. */
export function ownUnits({ units }: Places): string[] {
  return allUnitNames.filter((name) => thereAt(join(units, name)) === "own");
}

/** Throws where one of them is somebody else's. */
export function changedUnits(units: readonly Unit[]): Unit[] {
  const others = units.filter(({ path }) => thereAt(path) === "another's").map(({ path }) => path);
  if (others.length > 0) {
    throw new NotSetUp(
      `${others.join(" and ")} was not made by this command, which leaves it as it is: take it away first; \`almanac service install --print\` shows what comes in its place`,
    );
  }
  return units.filter(({ path, text }) => !existsSync(path) || readFileSync(path, "utf8") !== text);
}

function thereAt(path: string) {
  if (!existsSync(path)) return "nothing";
  return readFileSync(path, "utf8").startsWith(ownMark) ? "own" : "another's";
}

/** Whole or not at all: a machine may go out at any moment. */
export function writeUnits(units: readonly Unit[]): void {
  for (const { path, text } of units) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.tmp`, text, { mode: 0o644 });
    renameSync(`${path}.tmp`, path);
  }
}

export function removeUnits({ units }: Places, names: readonly string[]): void {
  for (const name of names) rmSync(join(units, name));
}
