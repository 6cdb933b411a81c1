// The requests that a run set aside, a line each, and where to find the rest.
import type { RunProgress } from "../../readings/run-messages.ts";
import { plainLine } from "../terminal/output.ts";

export function setAsideLines({ setAside }: Pick<RunProgress, "setAside">, most: number): string[] {
  if (setAside.length === 0) return [];
  const more = setAside.length - most;
  return [
    "set aside:",
    ...setAside.slice(0, most).map(({ key, type, reason }) => plainLine(`  ${key}  ${type}: ${reason}`)),
    ...(more > 0 ? [`  and ${more} more`] : []),
    "  almanac quarantine list",
  ];
}
