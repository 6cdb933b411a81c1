// Result of one check of `almanac check`: the finding and, if something is wrong, the remedy.

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly seen: string;
  readonly remedy?: string;
  /** Set if the setting itself is wrong, not the resource that it names. */
  readonly isSetting?: true;
}

export function right(name: string, seen: string): Check {
  return { name, ok: true, seen };
}

/** A result that is not an error, but needs a person's attention. */
export function warning(name: string, seen: string, remedy: string): Check {
  return { name, ok: true, seen: `warning: ${seen}`, remedy };
}

export function broken(name: string, seen: string, remedy: string): Check {
  return { name, ok: false, seen, remedy };
}

export function wrongSetting(name: string, seen: string, remedy: string): Check {
  return { name, ok: false, seen, remedy, isSetting: true };
}
