// Helpers for pages that are generated from the code.

/** Replaces the part of a page between the markers of this name. */
export function withPart(page: string, text: string, name: string, part: string): string {
  const between = new RegExp(`(?<=<!-- ${name} -->\\n).*?(?=<!-- /${name} -->)`, "s");
  if (!between.test(text)) throw new Error(`${page} has no markers for "${name}"`);
  return text.replace(between, () => `\n${part}\n\n`);
}

/** A Markdown table with its columns aligned, as the formatter writes it. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", String.raw`\|`)));
  const widths = heads.map((_head, column) =>
    Math.max(3, ...[heads, ...cells].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(heads), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n");
}
