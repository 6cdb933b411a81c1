// History of a run: the reads of each client and their times, as counts of steps. It is checked against the order in which states
// were published: no client sees versions decrease, no read shows an older state than one published or read before it began, and
// the content is that of the reported state or the reader gets an error.
export interface Read {
  readonly client: string;
  readonly path: string;
  /** Counts of all calls of the run, which show whether one ended before another began. */
  readonly begun: number;
  readonly ended: number;
  readonly version: number;
  /** Whether the client reported an older reading. */
  readonly isStale: boolean;
  /** The content shown, as one line. */
  readonly shown: string;
}

export interface PublishedVersion {
  readonly version: number;
  readonly at: number;
}

/** Content of a public path for a browser, which follows no pointer. */
export interface Seen {
  readonly path: string;
  readonly set: string;
  readonly shown: string;
}

/** `ofVersion` returns the content of a path in a state. */
export function wrongOrder(
  reads: readonly Read[],
  published: readonly PublishedVersion[],
  ofVersion: (version: number, path: string) => string | undefined,
): string[] {
  const wrong: string[] = [];
  const fresh = reads.filter(({ isStale }) => !isStale).toSorted((one, other) => one.begun - other.begun);
  for (const read of fresh) {
    const told = `${read.client} was shown version ${read.version} of ${read.path} from ${read.begun} to ${read.ended}`;
    const before = published.findLast(({ at }) => at < read.begun);
    if (before !== undefined && read.version < before.version)
      wrong.push(`${told}, after version ${before.version} was published`);
    const later = fresh.find(({ ended, version }) => ended < read.begun && version > read.version);
    if (later !== undefined) wrong.push(`${told}, after ${later.client} was shown version ${later.version}`);
    if (ofVersion(read.version, read.path) !== read.shown)
      wrong.push(`${told}, and that state has another text`);
  }
  return wrong;
}

/** Two files of one set, by its name, show the same readings: a mix of two nights has two names. */
export function untoldMixes(
  seen: readonly Seen[],
  readingsOf: (set: string) => ReadonlySet<string>,
): string[] {
  return seen
    .filter(({ set, shown }) => !readingsOf(set).has(shown))
    .map(({ path, set }) => `${path} says that it is of set ${set}, and shows another text`);
}
