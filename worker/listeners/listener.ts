// The port to whoever is told after a publish what shows something else now: the caches before the site, the hub of its feeds,
// and the webhook that rebuilds other sites. What is not told yet waits in the vault (untold-note.ts).
import type { ShownChange } from "../../publish/state/publishing-place.ts";

export interface News {
  readonly items: readonly string[];
  /** The same for the same news however often it is told, and for no other. */
  readonly reference: string;
  /** The newest state that the items are of. */
  readonly shown: Pick<ShownChange, "manifest" | "version">;
  readonly signal: AbortSignal;
}

export interface Listener {
  /** How settings and messages name it. */
  readonly name: "cloudfront" | "cloudflare" | "webhook" | "hub" | "published";
  /** What it is told of paths that changed, in as few items as may be. */
  readonly itemsOf: (paths: readonly string[]) => string[];
  /** The same of items that waited and new ones together. */
  readonly folded: (items: readonly string[]) => string[];
  /** Throws NotTold. The same may be told again. */
  readonly tell: (news: News) => Promise<void>;
}

interface NotToldFacts {
  readonly seen: string;
  /** What a person does about it. */
  readonly remedy: string;
  /** Whether the same may go well a little later. */
  readonly again: boolean;
  /** For how long it asks to be left alone. */
  readonly afterMs?: number;
}

/** It did not take what it was told. No secret is in it. */
export class NotTold extends Error {
  override readonly name = "NotTold";
  readonly facts: NotToldFacts;
  constructor(facts: NotToldFacts) {
    super(`${facts.seen}; ${facts.remedy}`);
    this.facts = facts;
  }
}
