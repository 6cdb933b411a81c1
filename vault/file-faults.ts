// Faults of a vault file, found from only its name and bytes. A file of a newer version is not a fault.
import { z } from "zod";
import { quarantinedSchema, storedResponseIn } from "./vault.ts";
import { parseJson, UnreadableFile, sha256, isOfNewerVersion, folders, siteFolders } from "./files.ts";
import { parseCopy } from "./note.ts";
import { reportSchema } from "./runs.ts";

interface FileKind {
  /** The beginning of the keys of such files. */
  readonly folder: string;
  /** Throws `UnreadableFile` for bytes that can't be what was kept. `name` is the key without folder and ending. */
  readonly read: (key: string, body: Uint8Array, name: string) => void;
  readonly remedy: string;
}

const fromCopy = "restore it from a backup (`almanac restore`)";
const numbered = z.object({ format: z.int().min(1) });

const otherJson: FileKind = {
  folder: "",
  read: (key, body) => void parseJson(key, body, numbered),
  remedy: `${fromCopy}, or remove it (docs/storage-setup.md lists the consequences)`,
};

/** The kinds of the account's files, the most special first. */
const kindsOfAccount: readonly FileKind[] = [
  {
    folder: folders.responses,
    read: (key, body, name) => void storedResponseIn(key, name, body),
    remedy: `the next run requests it again if the service still offers it; else ${fromCopy}`,
  },
  {
    folder: folders.superseded,
    read: (key, body, name) => void storedResponseIn(key, name, body),
    remedy: fromCopy,
  },
  {
    folder: folders.quarantine,
    read: (key, body) => void parseJson(key, body, quarantinedSchema),
    remedy: "remove it, or have it requested again: `almanac quarantine retry`",
  },
  {
    folder: folders.pictures,
    read: requireHash,
    remedy: fromCopy,
  },
  // The bytes of damaged responses, which are not checked.
  { folder: folders.damaged, read: () => undefined, remedy: "" },
  otherJson,
];

/** The kinds of a site's files. */
const kindsOfSite: readonly FileKind[] = [
  {
    folder: siteFolders.runs,
    read: (key, body) => void parseJson(key, body, reportSchema),
    remedy: `${fromCopy}, or remove it: only \`almanac status\` and \`why\` use it`,
  },
  {
    folder: siteFolders.manifests,
    read: (key, body, name) => requireHash(key, body, name.split("~")[1]),
    remedy: "`almanac repair` writes it again",
  },
  ...[siteFolders.decisions, siteFolders.journal, siteFolders.record].map((folder) => ({
    folder,
    read: (key: string, body: Uint8Array) => void parseCopy(key, body),
    remedy: "`almanac repair` restores it from its copies",
  })),
  otherJson,
];

function requireHash(key: string, body: Uint8Array, hash: string | undefined): void {
  if (sha256(body) !== hash) throw new UnreadableFile(`the hash of ${key} differs from its name`);
}

const inFolderOfSite = new RegExp(`^${folders.sites}[^/]+/(.+)$`);

export function faultInFile(key: string, body: Uint8Array) {
  const [, ofSite] = inFolderOfSite.exec(key) ?? [];
  const within = ofSite ?? key;
  const kind = (ofSite === undefined ? kindsOfAccount : kindsOfSite).find(({ folder }) =>
    within.startsWith(folder),
  );
  if (kind === undefined || (!key.endsWith(".json") && !key.startsWith(folders.pictures))) return undefined;
  try {
    kind.read(key, body, within.slice(kind.folder.length, within.lastIndexOf(".")));
    return undefined;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return isOfNewerVersion(key, body) ? undefined : { seen: error.message, remedy: kind.remedy };
  }
}

/** The request key in the key of a stored response. */
export function requestOfResponse(key: string): string | undefined {
  return key.startsWith(folders.responses) ? key.slice(folders.responses.length, -".json".length) : undefined;
}
