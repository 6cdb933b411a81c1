// Actions of a repair, and how its steps report them.
import type { FileEntry } from "../state/manifest.schema.ts";

export interface RepairedPath {
  readonly path: string;
  readonly deed: "restored" | "written" | "removed";
  readonly reason: string;
}

export type TellRepair = (path: string, deed: RepairedPath["deed"], reason: string) => void;

/** The current state's files. */
export type Entries = ReadonlyMap<string, FileEntry>;
