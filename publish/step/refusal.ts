// Why nothing is built on the state that the pointer names, in words, with what to do next.
import type { Stored } from "../../store/store.ts";
import type { Pointer } from "../state/manifest.schema.ts";
import { pointerPath } from "../state/state.ts";
import type { NamedState } from "./record.ts";

/** Thrown where the pointer does not name a state of ours, so that nothing is built on it. */
export class StateRefused extends Error {
  override readonly name = "StateRefused";
  readonly seen: string;
  readonly remedy: string;
  constructor(seen: string, remedy: string, options?: ErrorOptions) {
    super(`${seen}: ${remedy}`, options);
    this.seen = seen;
    this.remedy = remedy;
  }
}

/** Of a pointer that is gone or can't be read. */
export function refusalOfLost(stored: Stored | undefined, last: NamedState | undefined): StateRefused {
  if (last === undefined) {
    return new StateRefused(
      `${pointerPath} is damaged, and this vault has published nothing here`,
      "take that file away, or give the vault that has published this site",
    );
  }
  const what = stored === undefined ? "gone although the site was published before" : "damaged";
  return new StateRefused(`${pointerPath} is ${what}`, "`almanac repair` puts it back");
}

/** Of a pointer in a form that this version does not know. */
export function refusalOfNewer(last: NamedState | undefined): StateRefused {
  const seen = `${pointerPath} has a format that only a newer Almanac would write`;
  const used = "where one has published this site, use that one";
  return last === undefined
    ? new StateRefused(seen, `${used}; where none has, take that file away`)
    : new StateRefused(
        seen,
        `${used}; where none has, \`almanac repair\` goes on from version ${last.version}`,
      );
}

/** `isSigned`: whether a key of ours signed the pointer; `last` is the last state that is ours. */
export function refusalOf(
  { version, manifest }: Pointer,
  whose: "older" | "not ours",
  isSigned: boolean | undefined,
  last: NamedState | undefined,
): StateRefused {
  const named = `${pointerPath} names version ${version} (manifest ${manifest})`;
  const ours =
    last === undefined ? "" : `; the last one of ours is version ${last.version} (${last.manifest})`;
  const goesOn = last === undefined ? [] : [`\`almanac repair\` goes on from version ${last.version}`];
  if (whose === "older") {
    return new StateRefused(
      `${named}, an older state of ours, which somebody has put back${ours}`,
      goesOn.join(),
    );
  }
  const signed = isSigned === true ? ", which a key of ours has signed but" : ", which";
  const isPlausible = isSigned === true || last === undefined;
  const accept = `where the vault came back from a copy older than the site, \`almanac repair --accept ${manifest}\` takes it as it is`;
  return new StateRefused(
    `${named}${signed} this vault has not published, and nothing is built on it${ours}`,
    [...goesOn, ...(isPlausible ? [accept] : [])].join("; "),
  );
}
