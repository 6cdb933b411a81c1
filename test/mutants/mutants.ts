// Twenty mistakes that somebody could make in storing and publishing: what is right, and what it would become.
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Each right piece stands in the file exactly once. */
  readonly edits: readonly (readonly [right: string, wrong: string])[];
}

const publish = (file: string): string => `activities/publish/${file}.ts`;

export const mutants: readonly Mutant[] = [
  {
    name: "the pointer before the objects",
    file: publish("swap"),
    edits: [
      ["  await inParallel(objects, ([, put]) => put());\n", ""],
      [
        '  return written.kind === "written" ? pointer : undefined;',
        '  await inParallel(objects, ([, put]) => put());\n  return written.kind === "written" ? pointer : undefined;',
      ],
    ],
  },
  {
    name: "the pointer before the parts",
    file: publish("swap"),
    edits: [
      ["  await inParallel(manifests, ([, put]) => put());\n", ""],
      [
        '  return written.kind === "written" ? pointer : undefined;',
        '  await inParallel(manifests, ([, put]) => put());\n  return written.kind === "written" ? pointer : undefined;',
      ],
    ],
  },
  {
    name: "a swap without a condition",
    file: publish("swap"),
    edits: [
      [
        "await site.write(pointerPath, canonical(pointer), pointerHeaders, when);",
        "await site.write(pointerPath, canonical(pointer), pointerHeaders, always);",
      ],
    ],
  },
  {
    name: "a lost swap taken for a won one",
    file: publish("swap"),
    edits: [['return written.kind === "written" ? pointer : undefined;', "return pointer;"]],
  },
  {
    name: "asOf goes back with a late run",
    file: publish("swap"),
    edits: [["asOf: before > by.asOf ? before : by.asOf,", "asOf: by.asOf,"]],
  },
  {
    name: "an object put only where none is, so that its age stays old",
    file: publish("swap"),
    edits: [
      [
        "() => site.write(path, bytes, objectHeaders(type), always),",
        "() => site.write(path, bytes, objectHeaders(type), absent),",
      ],
    ],
  },
  {
    name: "a publisher that does not look at what a clean-up is about to remove",
    file: publish("swap"),
    edits: [["  await spareFromSweep(place, new Map([...objects, ...manifests]));\n", ""]],
  },
  {
    name: "the stable paths before the pointer",
    file: publish("advance"),
    edits: [
      [
        "    const pointer = await swapIn(place, base, next, by);\n",
        "    for (const { path, bytes } of next.pages ?? []) await place.site.write(path, bytes, { type: 'text/html' }, { kind: 'always' });\n    const pointer = await swapIn(place, base, next, by);\n",
      ],
    ],
  },
  {
    name: "nothing left by a dead publisher is finished when there is nothing new",
    file: publish("advance"),
    edits: [["      await project(place); // finishes what an earlier one left\n", ""]],
  },
  {
    name: "front pages before the pages that they link to",
    file: publish("project"),
    edits: [["for (const stage of stages) {", "for (const stage of stages.toReversed()) {"]],
  },
  {
    name: "paths that left the site stay",
    file: publish("project"),
    edits: [["  if (gone.length > 0) await site.remove(gone);\n", ""]],
  },
  {
    name: "the journal is written after the stable paths only",
    file: publish("project"),
    edits: [["if (!(await writeJournal(place, begun, version))) continue;", ""]],
  },
  {
    name: "a publisher that was overtaken takes its old pages for the new ones",
    file: publish("project"),
    edits: [["    if (journal.shown !== line.from) return false;\n", ""]],
  },
  {
    name: "a merge that forgets what was not pressed this time",
    file: publish("merge"),
    edits: [
      [
        "const after: Record<string, FileEntry> = { ...before };",
        "const after: Record<string, FileEntry> = {};",
      ],
    ],
  },
  {
    name: "a lost swap tried again with the parts of the old base",
    file: publish("advance"),
    edits: [
      [
        "    const base = await readState(place.site);\n    const next = await propose(base, reader);",
        "    const base = await readState(place.site);\n    const next = first ??= await propose(base, reader);",
      ],
      [
        "  const reader = createPartReader(place.site);\n",
        "  const reader = createPartReader(place.site);\n  let first;\n",
      ],
    ],
  },
];
