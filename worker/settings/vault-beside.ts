// Where the vault of a site in a bucket lies, unless somebody says otherwise.
import { bucketAt, isBucketSetting } from "../../store/kinds.ts";

/**
 * A bucket of its own, because a policy that shows the site's would show all that lies in it. Undefined for what is no bucket's
 * address; throws for a wrong one.
 */
export function vaultBeside(site: string): string | undefined {
  if (!isBucketSetting(site)) return undefined;
  const { bucket, prefix } = bucketAt(site);
  const vault = `s3://${[`${bucket}-vault`, ...(prefix === "" ? [] : [prefix])].join("/")}`;
  bucketAt(vault);
  return vault;
}
