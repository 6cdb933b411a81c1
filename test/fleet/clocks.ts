// Runs a process with a shifted clock, by libfaketime. Durations and file times stay real.
import { globSync } from "node:fs";

export function clockApart(seconds: number): Record<string, string> {
  const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  if (library === undefined) throw new Error("libfaketime has to be there: `apt-get install libfaketime`");
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    NO_FAKE_STAT: "1",
  };
}
