// Where a store lies that a service of this machine uses, whatever folder it is started in.
import { isBucketSetting, rootedFolder } from "../../store/kinds.ts";

/** A bucket, or a folder that is named from the root on; undefined for what would be another folder elsewhere. */
export function placeOnMachine(address: string): { readonly folder: string | undefined } | undefined {
  const folder = rootedFolder(address);
  return folder !== undefined || isBucketSetting(address) ? { folder } : undefined;
}
