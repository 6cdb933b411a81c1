// A candidate: an answer's data read into the canonical form, with what it echoed, before the rules have judged it.
import type { Reading } from "./reading.schema.ts";
import type { ReadingRequest } from "./request.ts";

/** Text that a reader will see. The rules for length and language judge `prose`; a `brief` text may be one word long;
 * a `line`, such as a card's name, is always short. */
export interface SeenText {
  readonly field: string;
  readonly kind: "prose" | "brief" | "line";
  readonly paragraphs: readonly string[];
  /** The text has no character that markup or placeholders are made of, so most of text-rules.ts need not look. */
  readonly plain: boolean;
  /** Nor has it one that stands for another or can't be seen, so that advertising.ts need not look for these. */
  readonly undisguised: boolean;
}

export interface Candidate {
  readonly request: ReadingRequest;
  readonly reading: Reading;
  readonly texts: readonly SeenText[];
  /** Signs that the service says the answer is for, if the operation echoes them, each with the requested sign. */
  readonly signEchoes: readonly {
    readonly field: string;
    readonly said: string;
    readonly requested: string;
  }[];
  readonly periodEcho: { readonly field: string; readonly said: string } | undefined;
  /** Harmless oddities of the answer: a field that was dropped, is unknown or could not be read. */
  readonly notes: readonly string[];
}
