// The owner's words in place of ours, for each language: the site's name, its subtitle, what stands under About, any label.
import type { Labels } from "../labels.ts";

type Some<Value> = Value extends string | readonly string[]
  ? Value
  : { readonly [Name in keyof Value]?: Some<Value[Name]> };

/** Words that are left out stay ours. */
export type OwnWords = Some<Labels> & { readonly name?: string };

export function labelsWith(ours: Labels, own: OwnWords | undefined): Labels {
  if (own === undefined) return ours;
  const labels = structuredClone(ours);
  put(labels, own);
  return labels;
}

/** Their names and kinds were checked when the theme was read. */
function put(target: object, own: object): void {
  for (const [name, word] of Object.entries(own)) {
    const there: unknown = Reflect.get(target, name);
    if (isGroup(there) && isGroup(word)) put(there, word);
    else if (there !== undefined) Reflect.set(target, name, word);
  }
}

export function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
