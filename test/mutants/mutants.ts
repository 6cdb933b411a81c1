// Twenty mistakes that somebody could make in storing and publishing: what is right, and what it would become.
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Each right piece stands in the file exactly once. */
  readonly edits: readonly (readonly [right: string, wrong: string])[];
}

const publish = (file: string): string => `publish/${file}.ts`;

const won = "return isWritten ? pointer : undefined;";
const putObjects = "await putMissing(site, next.newObjects, puts);";
const putAll = `${putObjects}
  await putMissing(site, manifests, puts);`;

export const mutants: readonly Mutant[] = [
  {
    name: "the pointer before the objects and parts",
    file: publish("step/pointer-swap"),
    edits: [
      [putAll, ""],
      [won, `${putAll}\n  ${won}`],
    ],
  },
  {
    name: "the parts put, the objects forgotten",
    file: publish("step/pointer-swap"),
    edits: [[putObjects, ""]],
  },
  {
    name: "a swap without a condition",
    file: publish("step/pointer-swap"),
    edits: [["pointerHeaders, unlessChanged(version));", 'pointerHeaders, { kind: "always" });']],
  },
  {
    name: "a lost swap taken for a won one",
    file: publish("step/pointer-swap"),
    edits: [[won, "return pointer;"]],
  },
  {
    name: "asOf goes back with a late run",
    file: publish("step/pointer-swap"),
    edits: [["asOf: before > by.asOf ? before : by.asOf,", "asOf: by.asOf,"]],
  },
  {
    name: "an object put only where none is, so that its age stays old",
    file: publish("state/puts"),
    edits: [
      ["site.write(key, bytes, headers, always)", 'site.write(key, bytes, headers, { kind: "absent" })'],
    ],
  },
  {
    name: "a publisher that does not look at what a clean-up is about to remove",
    file: publish("step/pointer-swap"),
    edits: [["  if (await forgetSwept(place, puts)) return undefined;\n", ""]],
  },
  {
    name: "the stable paths before the pointer",
    file: publish("step/advance"),
    edits: [
      [
        "    const pointer = await swapIn(place, base, next, by, puts);\n",
        `    for (const { path } of next.changes.filter(({ reason }) => reason === "changed")) {
      const [bytes] = next.newObjects;
      if (bytes !== undefined) await place.site.write(path, bytes.bytes, bytes.headers, { kind: "always" });
    }
    const pointer = await swapIn(place, base, next, by, puts);\n`,
      ],
    ],
  },
  {
    name: "what a dead publisher left stays when there is nothing new",
    file: publish("step/advance"),
    edits: [
      ["      await project(place, { reader, manifests }); // finishes what an earlier one left\n", ""],
    ],
  },
  {
    name: "front pages before the pages that they link to",
    file: publish("step/stable-paths"),
    edits: [
      [
        "return [...steps].sort(([one], [other]) => one - other)",
        "return [...steps].sort(([one], [other]) => other - one)",
      ],
    ],
  },
  {
    name: "paths that left the site stay",
    file: publish("step/stable-paths"),
    edits: [["  if (gone.length > 0) await site.remove(gone.flat().map(({ path }) => path));\n", ""]],
  },
  {
    name: "a publisher that does not say what it is about to rewrite",
    file: publish("step/projection"),
    edits: [["if (!(await writeJournal(place, begun, version))) continue;", "if (version === '') continue;"]],
  },
  {
    name: "a publisher that was overtaken takes its old pages for the new ones",
    file: publish("step/projection"),
    edits: [["if (journal.ends !== begun.ends && journal.shown !== us.to) return undefined;", ""]],
  },
  {
    name: "a merge that forgets what was not pressed this time",
    file: publish("press/merged-state"),
    edits: [
      [
        "const after: Record<string, FileEntry> = { ...before };",
        "const after: Record<string, FileEntry> = {};",
      ],
    ],
  },
  {
    name: "a lost swap tried again with the parts of the old base",
    file: publish("step/advance"),
    edits: [
      [
        "const next = await propose(base, reader, puts, proposed);",
        "const next = proposed ?? (await propose(base, reader, puts, proposed));",
      ],
    ],
  },
  {
    name: "a clean-up without grace",
    file: publish("history/clean-up"),
    edits: [
      [
        "return now().getTime() - modifiedAt.getTime() > graceMs;",
        "return now().getTime() - modifiedAt.getTime() > graceMs - graceMs;",
      ],
    ],
  },
  {
    name: "a clean-up that does not look at the pointer again",
    file: publish("history/clean-up"),
    edits: [["  await reached.renew();\n", ""]],
  },
  {
    name: "a list of a clean-up that goes as soon as it is over",
    file: publish("state/sweeping"),
    edits: [["  await write(place, sweep, true);\n", "  await place.vault.store.remove([sweep.note]);\n"]],
  },
  {
    name: "a condition that a folder does not look at again under its lock",
    file: "store/folder-write.ts",
    edits: [["  if (isLost(root, key, when)) return undefined;\n", ""]],
  },
  {
    name: "a refusal after a lost answer taken for a lost race, on S3",
    file: "store/s3.ts",
    edits: [["inDoubt ? await readOnce(s3, bucket, key, signal) : undefined;", "undefined;"]],
  },
];

/** The source of its file with the mistake in it. */
export function withMistake({ name, file, edits }: Mutant, source: string): string {
  return edits.reduce((text, [right, wrong]) => {
    if (text.split(right).length !== 2)
      throw new Error(`"${name}" can't be planted: ${file} has not exactly one «${right}»`);
    return text.replace(right, () => wrong);
  }, source);
}
