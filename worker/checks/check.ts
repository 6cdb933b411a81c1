// The result of one check of `almanac check`: what was seen and, where that is not right, what to do.

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly seen: string;
  readonly remedy?: string;
  /** Whether a setting is wrong, and not the thing that it names. */
  readonly isSetting?: true;
}

export function right(name: string, seen: string): Check {
  return { name, ok: true, seen };
}

/** A result that is no fault, but that a person should look at. */
export function warning(name: string, seen: string, remedy: string): Check {
  return { name, ok: true, seen: `warning: ${seen}`, remedy };
}

export function broken(name: string, seen: string, remedy: string): Check {
  return { name, ok: false, seen, remedy };
}

export function wrongSetting(name: string, seen: string, remedy: string): Check {
  return { name, ok: false, seen, remedy, isSetting: true };
}
