// Where the vault of a site in a bucket lies, unless somebody says otherwise.
import { bucketAt } from "../../store/kinds.ts";

export { isBucketSetting } from "../../store/kinds.ts";

/** A bucket of its own, because a policy that shows the site's would show all that lies in it. Throws for what is no bucket. */
export function vaultBeside(site: string): string {
  const { bucket, prefix } = bucketAt(site);
  const vault = `s3://${[`${bucket}-vault`, ...(prefix === "" ? [] : [prefix])].join("/")}`;
  bucketAt(vault);
  return vault;
}
