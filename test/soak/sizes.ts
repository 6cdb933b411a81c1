// What lies in a vault and a site, counted.
import type { Store } from "../../store/store.ts";

export interface Size {
  count: number;
  bytes: number;
}
export interface Sizes {
  readonly captures: Size;
  readonly paths: Size;
  readonly objects: Size;
  readonly manifests: Size;
}

export async function sizesOf(vault: Store, site: Store): Promise<Sizes> {
  const none = (): Size => ({ count: 0, bytes: 0 });
  const sizes = { captures: none(), paths: none(), objects: none(), manifests: none() };
  const add = (size: Size, bytes: number): void => {
    size.count += 1;
    size.bytes += bytes;
  };
  for await (const { sizeBytes } of vault.list("captures/")) add(sizes.captures, sizeBytes);
  for await (const { key, sizeBytes } of site.list("")) {
    if (key.startsWith("v1/objects/")) add(sizes.objects, sizeBytes);
    else if (key.startsWith("v1/manifests/")) add(sizes.manifests, sizeBytes);
    else add(sizes.paths, sizeBytes);
  }
  return sizes;
}
