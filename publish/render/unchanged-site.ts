// An unchanged site: where all its languages stand (unchanged-languages.ts), what is made of several languages would come out as it
// is published, too, if it has done so before. The note of what stands has a hash of the state of which that is known, so that
// the next night with nothing new makes none of it.
import { sha256, canonical } from "../../vault/json.ts";
import type { Manifest } from "../../site/manifest.schema.ts";
import type { RenderSettings } from "../state/publish-context.ts";
import type { NextState } from "./merged-state.ts";
import type { MergedLanguage } from "./merged-language.ts";
import type { Standing } from "./unchanged-languages.ts";

type State = Pick<Manifest, "parts" | "alternates"> & { readonly fingerprint?: string };

/** A hash of a state and of all that its languages were rendered from; undefined where one of them does not stand. */
export function wholeWord(
  stand: readonly MergedLanguage[],
  { languages: words }: Standing,
  { configuration }: Pick<RenderSettings, "configuration">,
  state: State | undefined,
): string | undefined {
  const standing = new Set(stand.map(({ language }) => language));
  if (state === undefined || !configuration.languages.every((one) => standing.has(one))) return undefined;
  const { parts, alternates, fingerprint } = state;
  const known = configuration.languages.map((language) => words[language]);
  return sha256(canonical({ known, parts, alternates, fingerprint }));
}

/** The state as it is, as if it had been proposed. */
export function asItIs({ parts, alternates, fingerprint }: Manifest): NextState {
  return { parts, alternates, fingerprint, newParts: [], newObjects: [], changed: 0 };
}
