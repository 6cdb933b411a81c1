// Twenty-seven mistakes that somebody could make in storing and publishing: what is right, and what it would become.
/** Each right piece stands in the file exactly once. */
type Edits = readonly (readonly [right: string, wrong: string])[];

const won = "return isWritten ? pointer : undefined;";
const putObjects = "await putMissing(site, next.newObjects, puts);";
const putAll = `${putObjects}
  await putMissing(site, manifests, puts);`;

/** By the file in which each is made. */
const mistakes: Readonly<Record<string, Readonly<Record<string, Edits>>>> = {
  "publish/step/pointer-swap.ts": {
    "the pointer before the objects and parts": [
      [putAll, ""],
      [won, `${putAll}\n  ${won}`],
    ],
    "the parts put, the objects forgotten": [[putObjects, ""]],
    "a swap without a condition": [
      ["pointerHeaders, unlessChanged(version));", 'pointerHeaders, { kind: "always" });'],
    ],
    "a lost swap taken for a won one": [[won, "return pointer;"]],
    "asOf goes back with a late run": [["asOf: before > by.asOf ? before : by.asOf,", "asOf: by.asOf,"]],
    "a publisher that does not look at what a clean-up is about to remove": [
      ["  if (await forgetSwept(place, puts)) return undefined;\n", ""],
    ],
  },
  "publish/state/puts.ts": {
    "an object put only where none is, so that its age stays old": [
      ["site.write(key, bytes, headers, always)", 'site.write(key, bytes, headers, { kind: "absent" })'],
    ],
  },
  "publish/step/advance.ts": {
    "the stable paths before the pointer": [
      [
        "    const pointer = await swapIn(place, base, next, by, puts);\n",
        `    for (const { path } of next.changes.filter(({ reason }) => reason === "changed")) {
      const [bytes] = next.newObjects;
      if (bytes !== undefined) await place.site.write(path, bytes.bytes, bytes.headers, { kind: "always" });
    }
    const pointer = await swapIn(place, base, next, by, puts);\n`,
      ],
    ],
    "what a dead publisher left stays when there is nothing new": [
      ["      await project(place, { reader, manifests }); // finishes what an earlier one left\n", ""],
    ],
    "a lost swap tried again with the parts of the old base": [
      [
        "const next = await propose(base, reader, puts, proposed);",
        "const next = proposed ?? (await propose(base, reader, puts, proposed));",
      ],
    ],
  },
  "publish/step/judgement.ts": {
    "a state of somebody else's taken for ours": [['? "older" : "not ours";', '? "older" : "ours";']],
    "a state of ours that was put back taken for the last one": [
      ["after === (last?.manifest ?? null)", "after !== undefined"],
    ],
    "a state of before the intents taken over unsigned, where there are keys": [
      ['isSigned === false ? "unsigned" : "taken over"', '"taken over"'],
    ],
  },
  "publish/step/intents.ts": {
    "a version used again": [
      ["Math.max(above, ...intents.map((one) => one.version)) + 1 + rank", "above + 1 + rank"],
      ["    if (isAlone(intent)) return {", "    if (rank === 0) return {"],
    ],
    "a state that nobody noted before the swap": [
      ["    await writeIntent(place, intent, root.bytes);\n    intents", "    intents"],
    ],
  },
  "publish/state/state.ts": {
    "a manifest or part taken without a look at its hash": [
      ["if (stored === undefined || sha256(stored.body) === hash) return", "if (hash !== path) return"],
    ],
  },
  "publish/mend/accepted-state.ts": {
    "a person's word that lets in what nobody of ours has signed": [
      ["if (signedByUs(place, pointer) === false) {", "if (pointer.version < 0) {"],
    ],
  },
  "publish/step/stable-paths.ts": {
    "front pages before the pages that they link to": [
      [
        "return [...steps].sort(([one], [other]) => one - other)",
        "return [...steps].sort(([one], [other]) => other - one)",
      ],
    ],
    "paths that left the site stay": [
      ["  if (gone.length > 0) await site.remove(gone.flat().map(({ path }) => path));\n", ""],
    ],
  },
  "publish/step/projection.ts": {
    "a publisher that does not say what it is about to rewrite": [
      ["if (!(await writeJournal(place, begun, version))) continue;", "if (version === '') continue;"],
    ],
    "a publisher that was overtaken takes its old pages for the new ones": [
      ["if (journal.ends !== begun.ends && journal.shown !== us.to) return undefined;", ""],
    ],
  },
  "publish/press/merged-state.ts": {
    "a merge that forgets what was not pressed this time": [
      [
        "const after: Record<string, FileEntry> = { ...before };",
        "const after: Record<string, FileEntry> = {};",
      ],
    ],
  },
  "publish/history/clean-up.ts": {
    "a clean-up without grace": [
      [
        "return now().getTime() - modifiedAt.getTime() > graceMs;",
        "return now().getTime() - modifiedAt.getTime() > graceMs - graceMs;",
      ],
    ],
    "a clean-up that does not look at the pointer again": [["  await reached.renew();\n", ""]],
  },
  "publish/state/sweeping.ts": {
    "a list of a clean-up that goes as soon as it is over": [
      ["  await write(place, sweep, true);\n", "  await place.vault.store.remove([sweep.note]);\n"],
    ],
  },
  "store/folder-write.ts": {
    "a condition that a folder does not look at again under its lock": [
      ["  if (isLost(root, key, when)) return undefined;\n", ""],
    ],
  },
  "store/s3.ts": {
    "a refusal after a lost answer taken for a lost race, on S3": [
      ["inDoubt ? await readOnce(s3, bucket, key) : undefined;", "undefined;"],
    ],
  },
};

export const mutants = Object.entries(mistakes).flatMap(([file, named]) =>
  Object.entries(named).map(([name, edits]) => ({ name, file, edits })),
);

/** The source of its file with the mistake in it. */
export function withMistake({ name, file, edits }: (typeof mutants)[number], source: string): string {
  return edits.reduce((text, [right, wrong]) => {
    if (text.split(right).length !== 2)
      throw new Error(`"${name}" can't be planted: ${file} has not exactly one «${right}»`);
    return text.replace(right, () => wrong);
  }, source);
}
