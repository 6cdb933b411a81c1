// Counts of the files in a vault and a site.
import type { Store } from "../../store/store.ts";

export type Sizes = Awaited<ReturnType<typeof sizesOf>>;

export async function sizesOf(vault: Store, site: Store) {
  const none = { count: 0, bytes: 0 };
  const sizes = { responses: { ...none }, paths: { ...none }, objects: { ...none }, manifests: { ...none } };
  const add = (name: keyof typeof sizes, bytes: number): void => {
    sizes[name].count += 1;
    sizes[name].bytes += bytes;
  };
  for await (const { sizeBytes } of vault.list("responses/")) add("responses", sizeBytes);
  for await (const { key, sizeBytes } of site.list("")) {
    if (key.startsWith("v1/objects/")) add("objects", sizeBytes);
    else add(key.startsWith("v1/manifests/") ? "manifests" : "paths", sizeBytes);
  }
  return sizes;
}
