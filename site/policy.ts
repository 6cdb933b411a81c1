// A page's content security policy, as a value until it is written: what a page may load is the sum of what its parts need.

/** The directives in the order in which a policy has them. */
const directives = [
  "default-src",
  "style-src",
  "img-src",
  "connect-src",
  "base-uri",
  "form-action",
  "script-src",
  "font-src",
  "frame-src",
  "media-src",
  "manifest-src",
] as const;
type Directive = (typeof directives)[number];

export type PolicySources = Readonly<Partial<Record<Directive, readonly string[]>>>;

/** The policy that allows what each of these does, and nothing else. */
export function policyOf(...allowed: readonly PolicySources[]): string {
  return directives
    .flatMap((directive) => {
      const all = new Set(allowed.flatMap((sources) => sources[directive] ?? []));
      if (all.size > 1) all.delete("'none'");
      return all.size === 0 ? [] : `${directive} ${[...all].join(" ")}`;
    })
    .join(";");
}
