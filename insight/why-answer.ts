// The answer of `almanac why`: from a path of the site back to its sources, or why it is not there.
import type { DatesAhead } from "../publish/state/dates-ahead.ts";
import { createPartReader } from "../publish/state/parts.ts";
import { readState } from "../publish/state/state.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import type { RuleName } from "../readings/rules/rule.ts";
import type { RequestKey, ReadingRequest } from "../readings/request.ts";
import type { Store } from "../store/store.ts";
import type { StoredResponse, Quarantined, Vault } from "../vault/vault.ts";
import { type Damaged, UnreadableFile } from "../vault/files.ts";
import { storedReader } from "../vault/stored-readings.ts";
import type { Report } from "../vault/runs.ts";
import { type Withdrawal, readWithheld } from "../vault/withheld.ts";

export interface PathContent {
  /** The text that the path shows, or would show. */
  readonly shows: ShownOn;
  /** The set of the texts, and whether the vault has all of its readings. */
  readonly set: SetFacts | undefined;
  readonly texts: readonly TextFacts[];
  /** For a path that shows several texts or none: the paths to try next. */
  readonly parts: readonly NamedPath[];
  /** Why the path, or its text, is not there. */
  readonly absence: Absence | undefined;
}

export interface Why extends PathContent {
  readonly path: string;
  /** The entry, if the question was about an entry of a feed. */
  readonly entry: EntryFacts | undefined;
  /** The state that readers see; absent before the first publish. */
  readonly site: PublishedState | undefined;
  /** The path in that state; absent where it is not there. */
  readonly file: PublishedFile | undefined;
  /** The published date of the path's language if it is in the future: no night gathers texts that are due before it. */
  readonly dateAhead: DatesAhead | undefined;
  /** Files that can't be read; the answer is made without them. */
  readonly damaged: readonly Damaged[];
}

export interface EntryFacts {
  readonly id: string;
  /** The feeds that have the entry now: they contain only the current day. */
  readonly feeds: readonly string[];
}

interface PublishedState {
  readonly version: number;
  readonly manifest: string;
  readonly publishedAt: string;
  readonly expires: string;
}

export interface PublishedFile {
  /** The part of the manifest that names the path, such as `en/2026-11`. */
  readonly part: string;
  /** The path of the object with the file's bytes. */
  readonly object: string;
  readonly sizeBytes: number;
  readonly type: string;
  readonly since: PublishedSince;
}

/** The state that first published these bytes on the path. */
interface PublishedSince {
  readonly version: number;
  readonly manifest: string;
  /** The run that published, which may differ from the run that called the service. */
  readonly run: string;
  readonly asOf: string;
  /** False where the first state with these bytes was not found: it is removed by now, or too many states ago. */
  readonly isKnown: boolean;
}

export interface ShownOn {
  readonly kind: "text" | "twelve" | "several" | "none";
  /** A sentence about it. */
  readonly words: string;
}

export interface SetFacts {
  /** `daily/2026-11-21/hi/daily-horoscope` */
  readonly set: string;
  /** The number of the set's readings that the vault has. */
  readonly readings: number;
  readonly of: number;
  /** The reason why the set can't be rendered from the vault now; absent if it can. */
  readonly hindrance?: string;
}

export interface TextFacts {
  readonly key: RequestKey;
  /** The path of the reading as data; a person's reading has none. */
  readonly data?: string;
  /** The origin of the published text: the stored response, the superseded one, another answer, or unknown. */
  readonly isFrom: "stored response" | "superseded response" | "another" | "unknown" | "nothing";
  /** When the published text was received. */
  readonly shownReceivedAt?: string;
  /** From when readers see it, as the site says it of the text. */
  readonly shownFrom?: string;
  readonly response?: ResponseFacts;
  readonly rules?: RuleResults;
  readonly run?: RunFacts;
  readonly quarantined?: Omit<Quarantined, "body">;
  readonly withdrawn?: Withdrawal;
}

interface ResponseFacts extends Omit<StoredResponse, "body" | "format"> {
  readonly file: string;
}

export interface RuleResults {
  readonly passed: readonly RuleName[];
  /** Findings that did not refuse the answer: oddities, and rules of which the configuration only warns. */
  readonly noted: readonly { readonly rule: RuleName; readonly note: string; readonly isWarning: boolean }[];
  /** The finding that refused the answer, and the person who accepted it nevertheless. */
  readonly waived?: NonNullable<StoredResponse["accepted"]> & { readonly note: string };
}

interface RunFacts {
  /** The run's id, which is the workflow's id too. */
  readonly id: string;
  readonly state?: Report["state"];
  readonly endedAt?: string;
}

export interface NamedPath {
  readonly name: string;
  readonly path: string;
}

type AbsenceKind =
  | "never due"
  | "not due yet"
  | "due"
  | "out of reach"
  | "not in the subscription"
  | "quarantined"
  | "damaged"
  | "withdrawn"
  | "rolled back"
  | "waiting for its set"
  | "waiting for its day"
  | "waiting for the next publish";

export interface Absence {
  readonly kind: AbsenceKind;
  readonly reason: string;
  /** The next step: a command, or an event that happens by itself. */
  readonly next?: string;
  /** The readings that the set waits for. */
  readonly missing?: readonly MissingReading[];
}

export interface MissingReading extends Omit<Absence, "missing"> {
  readonly key: RequestKey;
}

// The sources of an answer of `almanac why`: the published state, the withheld texts, and the vault. A file that can't be read
// is noted and passed over.

export interface WhyInput {
  readonly configuration: Configuration;
  readonly vault: Vault;
  readonly site: Store;
  readonly now: Date;
  /** The id that a night would have if it began now. */
  readonly run: string;
}

export type WhySources = Awaited<ReturnType<typeof openWhySources>>;

export async function openWhySources(looking: WhyInput) {
  const { configuration, vault, site } = looking;
  const damaged: Damaged[] = [];
  const note = (found: readonly Damaged[]) => {
    for (const { file, reason } of found)
      if (!damaged.some((one) => one.file === file)) damaged.push({ file, reason });
  };
  const state = await readState(site);
  const published = { site, manifest: state?.manifest, reader: createPartReader(site) };
  const withheld = await readWithheld(vault.own);
  const superseded = new Set(await vault.supersededKeys());
  const readKept = storedReader(vault, superseded);
  return {
    ...looking,
    state,
    published,
    withheld,
    // The sources of sets.
    source: { configuration, vault, withheld },
    /** Reads stored responses from the vault and notes the damaged ones. */
    read: async (requests: readonly ReadingRequest[]) => {
      const found = await readKept(requests);
      note(found.damaged);
      return found.stored;
    },
    // The keys of answers that are shown until another answer has their place.
    superseded,
    damaged,
    note,
    /** Undefined where the file is damaged or of another form, which is noted. */
    async unlessNoted<Result>(file: string, read: () => Promise<Result>) {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        note([{ file, reason: error.message }]);
        return undefined;
      }
    },
  };
}
