// A candidate: an answer's data read into the canonical form, with what it echoed, before the gates have judged it.
import type { Reading } from "./reading.schema.ts";
import type { ReadingRequest } from "./request.ts";

/** Text that a reader will see. `prose` is held to length and language; what is `brief` may be one word long;
 * a `line`, such as a card's name, is short besides. */
export interface SeenText {
  readonly field: string;
  readonly kind: "prose" | "brief" | "line";
  readonly paragraphs: readonly string[];
  /** No sign in it that residue is made of, so that most rules about residue need not look. */
  readonly plain: boolean;
}

export interface Candidate {
  readonly request: ReadingRequest;
  readonly reading: Reading;
  readonly texts: readonly SeenText[];
  /** What the service says the answer is for, where the operation echoes it. */
  readonly signEchoes: readonly { readonly field: string; readonly said: string; readonly asked: string }[];
  readonly periodEcho: { readonly field: string; readonly said: string } | undefined;
  /** What was odd but harmless: dropped, unknown, unread. */
  readonly notes: readonly string[];
}
