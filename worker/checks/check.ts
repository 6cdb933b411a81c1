// One thing that `almanac check` asked: what was seen, and where that is not right, what to do.

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly seen: string;
  readonly remedy?: string;
  /** Wrong in the settings, and not in what they name. */
  readonly isSetting?: true;
}

export function right(name: string, seen: string): Check {
  return { name, ok: true, seen };
}

/** No fault, and yet something to look at. */
export function warning(name: string, seen: string, remedy: string): Check {
  return { name, ok: true, seen: `warning: ${seen}`, remedy };
}

export function broken(name: string, seen: string, remedy: string): Check {
  return { name, ok: false, seen, remedy };
}

export function wrongSetting(name: string, seen: string, remedy: string): Check {
  return { name, ok: false, seen, remedy, isSetting: true };
}

/** What happened, in one line: where the network failed, its own reason says more than "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
