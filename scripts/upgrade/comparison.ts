// Two outlooks on one project side by side: what the other version would change there, beyond what this one would change by itself.
import type { Outlook } from "./outlook.schema.ts";

export interface ChangedKindOfFile {
  readonly kind: string;
  readonly new: number;
  readonly changed: number;
  readonly gone: number;
  readonly growsBytes: number;
}

export type Comparison = ReturnType<typeof compareOutlooks>;

export function compareOutlooks(own: Outlook, other: Outlook) {
  const known = new Set(own.problems.map(({ of, what }) => `${of}\0${what}`));
  return {
    from: own.version,
    to: other.version,
    names: Object.entries(other.names).map(([of, names]) =>
      differenceOfNames(of, own.names[of] ?? [], names),
    ),
    problems: other.problems.filter(({ of, what }) => !known.has(`${of}\0${what}`)),
    /** These are there without another version too. */
    problemsBefore: own.problems,
    read: other.read,
    pages: other.changes && changedKinds(own.changes ?? [], other.changes),
  };
}

function differenceOfNames(of: string, before: readonly string[], after: readonly string[]) {
  const [had, has] = [new Set(before), new Set(after)];
  return { of, new: [...has.difference(had)], gone: [...had.difference(has)] };
}

function changedKinds(
  own: NonNullable<Outlook["changes"]>,
  other: NonNullable<Outlook["changes"]>,
): ChangedKindOfFile[] {
  const objects = new Map(own.map(({ path, object }) => [path, object]));
  const due = other.filter(({ path, object }) => !objects.has(path) || objects.get(path) !== object);
  const kinds = [...Map.groupBy(due, ({ kind }) => kind)].map(([kind, files]) => {
    const count = (reason: string) => files.filter((one) => one.reason === reason).length;
    const growsBytes = files.reduce((sum, one) => sum + one.growsBytes, 0);
    return { kind, new: count("new"), changed: count("changed"), gone: count("gone"), growsBytes };
  });
  const filesOf = (one: ChangedKindOfFile) => one.new + one.changed + one.gone;
  return kinds.toSorted((one, two) => filesOf(two) - filesOf(one));
}
