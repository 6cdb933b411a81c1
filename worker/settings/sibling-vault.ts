// Default vault location for a site in a bucket.
import { bucketAt, isBucketSetting } from "../../store/kinds.ts";

/**
 * Names a separate bucket, because a policy that makes the site's bucket public applies to everything in it. Undefined if the site is
 * not in a bucket; throws if its address is invalid.
 */
export function siblingVault(site: string): string | undefined {
  if (!isBucketSetting(site)) return undefined;
  const { bucket, prefix } = bucketAt(site);
  const vault = `s3://${[`${bucket}-vault`, ...(prefix === "" ? [] : [prefix])].join("/")}`;
  bucketAt(vault);
  return vault;
}
