// What is wrong with a file of the vault, by its name and bytes alone. A file of a newer version is not wrong.
import { z } from "zod";
import { quarantinedSchema } from "./capture.schema.ts";
import { parseJson, UnreadableFile } from "./json.ts";
import { parseCopy } from "./kept.ts";
import { folders } from "./layout.ts";
import { reportSchema } from "./report.schema.ts";
import { sha256 } from "./sha256.ts";
import { captureIn, isOfNewerVersion } from "./stored-capture.ts";

interface FileKind {
  /** The beginning of the keys of such files. */
  readonly folder: string;
  /** Throws `UnreadableFile` for bytes that can't be what was kept. `name` is the key without folder and ending. */
  readonly read: (key: string, body: Uint8Array, name: string) => void;
  readonly remedy: string;
}

const fromCopy = "put it back from a copy of the vault";
const numbered = z.object({ format: z.int().min(1) });

/** The kinds, the most special first. */
const kinds: readonly FileKind[] = [
  {
    folder: folders.captures,
    read: (key, body, name) => void captureIn(key, name, body),
    remedy: `the next night asks again if the service still gives it, else ${fromCopy}`,
  },
  {
    folder: folders.standIns,
    read: (key, body, name) => void captureIn(key, name, body),
    remedy: fromCopy,
  },
  {
    folder: folders.quarantine,
    read: (key, body) => void parseJson(key, body, quarantinedSchema),
    remedy: "take it away, or have it asked for again: `almanac quarantine retry`",
  },
  {
    folder: folders.runs,
    read: (key, body) => void parseJson(key, body, reportSchema),
    remedy: `${fromCopy}, or take it away: only \`almanac status\` and \`why\` would know of it`,
  },
  {
    folder: folders.pictures,
    read: (key, body, name) => {
      if (sha256(body) !== name) throw new UnreadableFile(`${key} has another hash than its name says`);
    },
    remedy: fromCopy,
  },
  {
    folder: folders.manifests,
    read: (key, body, name) => {
      if (sha256(body) === name.split("~")[1]) return;
      throw new UnreadableFile(`${key} has another hash than its name says`);
    },
    remedy: "`almanac repair` writes it again",
  },
  // Bytes that were found damaged are as they were found.
  { folder: folders.damaged, read: () => undefined, remedy: "" },
  ...[folders.decisions, folders.record].map((folder) => ({
    folder,
    read: (key: string, body: Uint8Array) => void parseCopy(key, body),
    remedy: "`almanac repair` writes it again from its copies",
  })),
  {
    folder: "",
    read: (key, body) => void parseJson(key, body, numbered),
    remedy: `${fromCopy}, or take it away (docs/store.md says what is lost with it)`,
  },
];

export interface FileFault {
  readonly seen: string;
  readonly remedy: string;
}

export function faultInFile(key: string, body: Uint8Array): FileFault | undefined {
  const kind = kinds.find(({ folder }) => key.startsWith(folder));
  if (kind === undefined || isForeign(key)) return undefined;
  try {
    kind.read(key, body, key.slice(kind.folder.length, key.lastIndexOf(".")));
    return undefined;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return isOfNewerVersion(key, body) ? undefined : { seen: error.message, remedy: kind.remedy };
  }
}

/** Whether nothing of ours has such a key. */
function isForeign(key: string): boolean {
  return !key.endsWith(".json") && !key.startsWith(folders.pictures);
}

/** The request of a capture's key. */
export function requestOfCapture(key: string): string | undefined {
  return key.startsWith(folders.captures) ? key.slice(folders.captures.length, -".json".length) : undefined;
}
