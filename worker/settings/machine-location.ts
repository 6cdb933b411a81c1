// Store locations that do not depend on the working directory, as a system service needs them.
import { isBucketSetting, rootedFolder } from "../../store/kinds.ts";

/** The location of a bucket (no folder) or of an absolute folder; undefined for a path relative to the working directory. */
export function machineLocation(address: string): { readonly folder: string | undefined } | undefined {
  const folder = rootedFolder(address);
  return folder !== undefined || isBucketSetting(address) ? { folder } : undefined;
}
