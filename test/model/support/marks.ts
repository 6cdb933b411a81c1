// The rare branches of the protocols. A simulation that misses one of them proves less than it claims, so it fails.

interface RareBranch {
  /** Evidence that the branch was reached. */
  readonly seen: string;
  /** Whether any few dozen seeds reach it. */
  readonly isOften?: boolean;
}

/** Branches with the external evidence for each. */
export const branches = {
  "a pointer that had moved": { seen: "a write of the pointer was refused" },
  "a conditional write whose response was lost": {
    seen: "the pointer moved, and its publisher was told that it failed or died",
  },
  "a pending state without a pointer": { seen: "a publisher died or failed before its pointer was noted" },
  "a pending state that was finished": { seen: "another one noted it as current" },
  "a pending state that was dropped": { seen: "the record names it so" },
  "a number passed over": { seen: "the next version is not the one before plus one" },
  "a renewal of the pointer": { seen: "the same state was pointed to again" },
  "a takeover of the site": { seen: "the record says what the owner before may still write" },
  "a batch that a clean-up swept": { seen: "a clean-up removed objects", isOften: true },
  "a batch that a standby refused": { seen: "it came to a process that was not the owner", isOften: true },
  "an endpoint taken over": { seen: "the owner before had not released it", isOften: true },
  "a call that two runs shared": {
    seen: "a batch was given the response to a call of another run, which began later than the batch",
  },
  "an answer that was held already": {
    seen: "a batch found in the vault what its plan did not",
  },
  "an answer that could not be stored": { seen: "a stored response's write failed" },
  "an answer that was lost": { seen: "a machine died between the answer and the vault" },
  "an attempt given up that went on": { seen: "two attempts at one publish were at work at once" },
  "an activity that Temporal forgot": { seen: "it ended, and began again", isOften: true },
  "a stored response that lost its place": { seen: "a set rule removed it" },
  "a superseded response": { seen: "a text that lost its place is shown until another one has it" },
  "a ceiling that was reached": { seen: "a request was left out or not asked for it", isOften: true },
  "a call of another day than its plan": { seen: "a run called on a day on which it planned nothing" },
  "a clock that jumped": { seen: "a machine's clock was set while it was at work", isOften: true },
  "a forged part": { seen: "an intruder added his page to a part" },
  "a forged state with our signature left": { seen: "an intruder's manifest under our pointer" },
  "a forged state without a signature": { seen: "the same without a signature" },
  "an older state put back": { seen: "an intruder put an old pointer back" },
  "a pointer that went away": { seen: "an intruder, or a disk" },
  "a damaged manifest": { seen: "of the current state" },
  "a refused state": { seen: "a publisher stopped at it" },
  "a repair that went on above all versions": { seen: "a repair published a state of its own" },
  "a manifest put back from its copy": { seen: "a lost manifest was there again" },
  "a withdrawal beside a publish": { seen: "both were at work at once" },
  "a rollback": { seen: "a rollback published" },
  "a correction": { seen: "a state shows it", isOften: true },
  "a correction that waits for review": { seen: "a state shows the text before it" },
  "a stale correction": { seen: "another text came for a corrected one, and is shown" },
  "a text that waits for review": { seen: "it is due, and no state shows it" },
  "a late text": { seen: "it is shown at its midnight, and nobody has approved it" },
  "a text stopped before it was published": { seen: "it was withdrawn, and no state showed it" },
  "a decision cut off": { seen: "its command died before the record" },
  "a recorded decision cut off": { seen: "its command died after the record" },
  "a restored vault": { seen: "its files were lost, and came from a backup" },
  "a lost copy of a decision": { seen: "the vault's disk lost it" },
  "a review setting that changed": { seen: "others worked meanwhile, or earlier texts were not reviewed" },
  "a client that was told of a lie": {
    seen: "it refused what it found, or showed the last good one as stale",
  },
} as const satisfies Record<string, RareBranch>;

export type Branch = keyof typeof branches;

export class Marks {
  readonly #counts = new Map<Branch, number>();

  reach(branch: Branch): void {
    this.#counts.set(branch, this.of(branch) + 1);
  }

  of(branch: Branch): number {
    return this.#counts.get(branch) ?? 0;
  }

  add(others: Marks): void {
    for (const [branch, count] of others.#counts) this.#counts.set(branch, this.of(branch) + count);
  }
}

export function isBranch(name: string): name is Branch {
  return name in branches;
}
