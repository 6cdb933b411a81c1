// Wrong shapes of a document's field.
export const shapes: readonly (readonly [name: string, value: unknown])[] = [
  ["missing", undefined],
  ["null", null],
  ["true", true],
  ["zero", 0],
  ["a number", 1e21],
  ["an empty text", ""],
  ["a text", "text"],
  ["an empty list", []],
  ["a list of texts", ["one", "two"]],
  ["a list of numbers and nulls", [1, null]],
  ["a list of lists and objects", [["one"], { name: ["two"] }]],
  ["an empty object", {}],
  ["an object in objects", { name: { text: { deep: ["three"] } } }],
];

/** Copies of the document, each with one field, at any depth, replaced by one of the shapes. */
export function atEachField(document: unknown, name: string): { name: string; value: unknown }[] {
  const own = shapes.map(([shape, value]) => ({ name: `${name} ${shape}`, value }));
  if (typeof document !== "object" || document === null) return own;
  const inner = Object.entries(document).flatMap(([field, value]) =>
    atEachField(value, `${name}.${field}`).map((changed) => ({
      name: changed.name,
      value: Array.isArray(document)
        ? document.map((one: unknown, index) => (String(index) === field ? changed.value : one))
        : { ...document, [field]: changed.value },
    })),
  );
  return [...own, ...inner];
}
