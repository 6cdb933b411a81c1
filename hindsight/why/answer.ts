// What `almanac why` answers: from a path of the site back to what it is made of, or why it is not there.
import type { RequestKey } from "../../readings/request.ts";
import type { RuleName } from "../../readings/gates/gate.ts";
import type { Capture, Quarantined } from "../../vault/capture.schema.ts";
import type { Withdrawal } from "../../vault/withheld.ts";
import type { Report } from "../../vault/report.schema.ts";
import type { Damaged } from "../../vault/json.ts";

export interface Why {
  readonly path: string;
  /** Where an entry of a feed was asked for. */
  readonly entry: EntryFacts | undefined;
  /** The state that readers see; absent before the first publish. */
  readonly site: PublishedState | undefined;
  /** The path in that state; absent where it is not there. */
  readonly file: PublishedFile | undefined;
  /** What stands, or would stand, on the path. */
  readonly shows: ShownOn;
  /** Of a sheet's texts: whether the vault has it whole. */
  readonly sheet: SheetFacts | undefined;
  readonly texts: readonly TextFacts[];
  /** Of what shows several texts or none: where each of them is to be asked for. */
  readonly parts: readonly NamedPath[];
  /** Why the path, or its text, is not there. */
  readonly absence: Absence | undefined;
  /** Files that can't be read: the answer does without them. */
  readonly damaged: readonly Damaged[];
}

export interface EntryFacts {
  readonly id: string;
  /** The feeds that have it now: they hold the current day alone. */
  readonly feeds: readonly string[];
}

export interface PublishedState {
  readonly version: number;
  readonly manifest: string;
  readonly publishedAt: string;
  readonly expires: string;
}

export interface PublishedFile {
  /** `en/2026-11`: the part of the manifest that names it. */
  readonly part: string;
  /** Where its bytes are. */
  readonly object: string;
  readonly sizeBytes: number;
  readonly type: string;
  readonly since: PublishedSince;
}

/** The state with which these bytes came to stand on the path. */
export interface PublishedSince {
  readonly version: number;
  readonly manifest: string;
  /** Of the publish, which may be another than the one that asked the service. */
  readonly run: string;
  readonly asOf: string;
  /** False where no earlier state was looked at: it was removed by now, or it is too long ago. */
  readonly isKnown: boolean;
}

export interface ShownOn {
  readonly kind: "text" | "twelve" | "several" | "none";
  /** In words. */
  readonly words: string;
}

export interface SheetFacts {
  /** `daily/2026-11-21/hi/daily-horoscope` */
  readonly sheet: string;
  /** That the vault has of it. */
  readonly readings: number;
  readonly of: number;
  /** Why it could not be pressed from the vault now; absent where it could. */
  readonly hindrance?: string | undefined;
}

export interface TextFacts {
  readonly key: RequestKey;
  /** The reading as data; a person's has none. */
  readonly data?: string | undefined;
  /** The published text against the vault: the answer kept; one that stands in for it; another; or not to be told. */
  readonly isFrom: "capture" | "stand-in" | "another" | "unknown" | "nothing";
  /** When the published text was received. */
  readonly shownReceivedAt?: string | undefined;
  readonly capture?: CaptureFacts | undefined;
  readonly gates?: GateFacts | undefined;
  readonly run?: RunFacts | undefined;
  readonly quarantined?: Omit<Quarantined, "body"> | undefined;
  readonly withdrawn?: Withdrawal | undefined;
}

export interface CaptureFacts extends Omit<Capture, "body" | "format"> {
  readonly file: string;
}

export interface GateFacts {
  readonly passed: readonly RuleName[];
  /** Found and let through: odd, or a rule that the configuration only warns of. */
  readonly noted: readonly { readonly rule: RuleName; readonly note: string; readonly isWarning: boolean }[];
  /** Refused, and let through by a person. */
  readonly waived?: (NonNullable<Capture["accepted"]> & { readonly note: string }) | undefined;
}

export interface RunFacts {
  /** Also the workflow's id. */
  readonly id: string;
  readonly state?: Report["state"] | undefined;
  readonly endedAt?: string | undefined;
}

export interface NamedPath {
  readonly name: string;
  readonly path: string;
}

export type AbsenceKind =
  | "never due"
  | "not due yet"
  | "due"
  | "out of reach"
  | "not in the subscription"
  | "quarantined"
  | "damaged"
  | "withdrawn"
  | "rolled back"
  | "waiting for its sheet"
  | "waiting for its day"
  | "waiting for the next publish";

export interface Absence {
  readonly kind: AbsenceKind;
  readonly reason: string;
  /** What to do, or what happens by itself. */
  readonly next?: string | undefined;
  /** What its sheet waits for. */
  readonly missing?: readonly MissingReading[] | undefined;
}

export interface MissingReading {
  readonly key: RequestKey;
  readonly kind: AbsenceKind;
  readonly reason: string;
  readonly next?: string | undefined;
}
