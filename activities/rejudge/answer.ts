// What `almanac rejudge` answers of the vault: which answers that are kept would be refused today, which of those set aside
// would be kept, and what can't be read.
import type { RequestKey } from "../../readings/request.ts";
import type { Capture } from "../capture.schema.ts";
import type { Damaged } from "../vault.ts";

export interface Rejudged {
  readonly captures: number;
  readonly standIns: number;
  readonly setAside: number;
  /** The earliest date on which a period of these begins. */
  readonly first?: string | undefined;
  /** Kept, and refused by today's rules. */
  readonly refused: readonly Refused[];
  /** Set aside, and good by today's readers and rules. */
  readonly readable: readonly Readable[];
  /** Files that can't be read: the others are judged without them. */
  readonly damaged: readonly Damaged[];
}

export interface Refused {
  readonly key: RequestKey;
  readonly file: string;
  readonly receivedAt: string;
  /** The gate, or how the service refused. */
  readonly rule: string;
  readonly reason: string;
  /** By a person, whose word stands. */
  readonly accepted?: Capture["accepted"];
  /** Where the site shows this text; absent where it does not. */
  readonly path?: string | undefined;
}

export interface Readable {
  readonly key: RequestKey;
  readonly file: string;
  readonly receivedAt: string;
  /** Why it was set aside. */
  readonly reason: string;
}

/** How far it is. */
export interface Progress {
  readonly judged: number;
  /** The sheet that was judged last. */
  readonly sheet: string;
}
