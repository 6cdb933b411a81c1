// Strips the invalid settings from a configuration, so that the rest can be checked for errors too.
import type { z } from "zod";
import { configurationSchema } from "../../readings/configuration.schema.ts";

/** A part within a part may be what makes the outer one wrong, by its absence: so many times more is left out at most. */
const mostRounds = 8;

/** The rest, undefined where none can be had, and whether settings, such as `schedule.deadlineHours`, are wholly in it. */
export function rightPart(given: unknown, issues: readonly z.core.$ZodIssue[]) {
  const wrong = issues.flatMap(pathsOf);
  let rest: unknown = wrong.reduce(without, given);
  let parsed = configurationSchema.safeParse(rest);
  for (let round = 1; !parsed.success && round <= mostRounds; round += 1) {
    const more = parsed.error.issues
      .flatMap(pathsOf)
      .map((path) => path.slice(0, Math.max(1, path.length - round)));
    rest = more.reduce(without, rest);
    parsed = configurationSchema.safeParse(rest);
  }
  const isWrong = (setting: string) => wrong.some((path) => overlap(path.join("."), setting));
  return { data: parsed.data, areRight: (...settings: string[]) => !settings.some(isWrong) };
}

/** A list counts as a whole. */
function pathsOf(issue: z.core.$ZodIssue): PropertyKey[][] {
  const paths =
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [[...issue.path]];
  return paths.map((path) => {
    const inList = path.findIndex((key) => typeof key === "number");
    return inList === -1 ? path : path.slice(0, inList);
  });
}

function without(value: unknown, [key, ...inner]: readonly PropertyKey[]): unknown {
  if (key === undefined || typeof value !== "object" || value === null || Array.isArray(value))
    return undefined;
  const entries = Object.entries(value).map(([name, one]: [string, unknown]) => {
    return [name, name === String(key) ? without(one, inner) : one] as const;
  });
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
}

function overlap(one: string, other: string) {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}
