// A publish or a clean-up that would take away an unusual share of the site stops until a person confirms it.
import type { Manifest } from "../../site/manifest.schema.ts";
import { countFiles } from "./merged-state.ts";
import type { PartReader } from "../state/parts.ts";

export class UnusualRemoval extends Error {
  override readonly name = "UnusualRemoval";
  readonly type = "UnusualRemoval";
  constructor(removed: number, all: number, share: number) {
    super(
      `this would remove ${removed} of ${all} files, more than ${percent(share)} (publishing.unusualShare). ` +
        "List them with --dry-run. If this is intended, add --yes",
    );
  }
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}

export function requireUsual(removed: number, all: number, share: number): void {
  if (removed > all * share) throw new UnusualRemoval(removed, all, share);
}

export async function isUsual(
  removed: number,
  manifest: Manifest,
  reader: PartReader,
  share: number,
): Promise<boolean> {
  return removed === 0 || removed <= (await countFiles(manifest, reader)) * share;
}
