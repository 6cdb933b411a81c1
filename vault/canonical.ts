// JSON of which equal content has equal bytes. In a file of its own: the settings need it for a key, and none of the site.

/** The bytes of a canonical JSON file: keys in order, so that equal content has an equal hash. */
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
