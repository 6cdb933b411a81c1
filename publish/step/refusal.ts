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
    super(`${seen}. Next: ${remedy}`, options);
    this.seen = seen;
    this.remedy = remedy;
  }
}

/** Of a pointer that is gone or can't be read. */
export function refusalOfLost(stored: Stored | undefined, last: NamedState | undefined): StateRefused {
  if (last === undefined) {
    return new StateRefused(
      `${pointerPath} is damaged, and this vault has never published here`,
      "remove that file, or set ALMANAC_VAULT to the vault that published this site",
    );
  }
  const what = stored === undefined ? "missing although the site was published before" : "damaged";
  return new StateRefused(`${pointerPath} is ${what}`, "`almanac repair` restores it");
}

/** Of a pointer in a form that this version does not know. */
export function refusalOfNewer(last: NamedState | undefined): StateRefused {
  const seen = `${pointerPath} has the format of a newer Almanac`;
  const used = "if a newer Almanac published this site, use that version";
  return last === undefined
    ? new StateRefused(seen, `${used}; if not, remove that file`)
    : new StateRefused(seen, `${used}; if not, \`almanac repair\` continues from version ${last.version}`);
}

/** `isSigned`: whether a key of ours signed the pointer; `last` is the last state that is ours. */
export function refusalOf(
  { version, manifest }: Pointer,
  whose: "older" | "not ours",
  isSigned: boolean | undefined,
  last: NamedState | undefined,
): StateRefused {
  const named = `${pointerPath} names version ${version} (manifest ${manifest})`;
  const ours = last === undefined ? "" : `. Its last version is ${last.version} (${last.manifest})`;
  const goesOn = last === undefined ? [] : [`\`almanac repair\` continues from version ${last.version}`];
  if (whose === "older") {
    return new StateRefused(
      `${named}, an older version of this vault that something restored${ours}`,
      goesOn.join(),
    );
  }
  const signed = isSigned === true ? ", which is signed by this site's key, but" : ", but";
  const isPlausible = isSigned === true || last === undefined;
  const accept = `if the vault was restored from a copy older than the site, \`almanac repair --accept ${manifest}\` accepts that version`;
  return new StateRefused(
    `${named}${signed} this vault did not publish it, so nothing is published on top of it${ours}`,
    [...goesOn, ...(isPlausible ? [accept] : [])].join("; "),
  );
}
