// Canonical JSON: equal content has equal bytes. In a separate file, so that settings can use it without loading the site.

/** The bytes of a canonical JSON file, with sorted keys. */
export function canonical(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(sorted(value)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
