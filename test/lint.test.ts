// The lint rules hold: each forbidden construct is written once, in a temporary folder, and refused.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const project = fileURLToPath(new URL("../", import.meta.url));

const downTo = ["readings", "site", "store", "vault", "service", "publish", "insight", "activities"];
/** Folders that each folder may import from, in addition to itself. */
const open: Record<string, readonly string[]> = {
  ...Object.fromEntries(downTo.map((room, index) => [room, downTo.slice(0, index)])),
  store: ["readings"],
  workflows: ["readings"],
  worker: [...downTo, "workflows"],
  scripts: [...downTo.filter((room) => room !== "store"), "workflows", "worker", "sandbox"],
  sandbox: ["readings"],
};
const steps = ["state", "render", "step", "history", "repair", "backup"];

/** One file for each folder from which a folder could import. */
function planted(from: string, up: string, rooms: readonly string[], lower: readonly string[] = []) {
  const others = rooms.filter((to) => folderOf(to) !== from);
  return others.map((to) => ({
    path: `${from}/to-${to}.ts`,
    to: `${up}${folderOf(to)}/a.ts`,
    isOpen: lower.includes(to),
  }));
}

const folderOf = (room: string): string => (room === "sandbox" ? "packages/sandbox" : room);

test("lint refuses every import that does not point down, and no other", () => {
  const rooms = Object.keys(open);
  const all = [
    ...rooms.flatMap((room) => {
      const folder = folderOf(room);
      return planted(folder, "../".repeat(folder.split("/").length), rooms, open[room]);
    }),
    ...planted("packages/client", "../../", rooms),
    ...steps.flatMap((step, index) => [
      ...planted(
        `publish/${step}`,
        "../../",
        rooms.filter((room) => room !== "publish"),
        open["publish"],
      ),
      ...planted(
        `publish/${step}`,
        "../",
        steps.filter((one) => one !== step),
        steps.slice(0, index),
      ),
    ]),
    ...["publish", "archive", "withdraw"].flatMap((to) =>
      steps.map((step) => ({ path: `publish/${step}/to-${to}.ts`, to: `../${to}.ts`, isOpen: false })),
    ),
  ];
  const found = lint(all.map(({ path, to }) => [path, `import { a } from "${to}";\nexport const b = a;\n`]));
  const refused = found.filter(({ code }) => code === "eslint(no-restricted-imports)");
  const closed = all.filter(({ isOpen }) => !isOpen).map(({ path }) => path);
  expect(refused.map(({ filename }) => filename).sort()).toEqual(closed.sort());
});

test("lint lets workflows have the types of activities", () => {
  const code = `import type { a } from "../activities/index.ts";\nexport const b = (one: a): a => one;\n`;
  expect(lint([["workflows/types.ts", code]])).toEqual([]);
});

const refused: readonly (readonly [string, string, string])[] = [
  ["import { a } from 'node:fs';\nexport const b = a;", "readings/node.ts", "eslint(no-restricted-imports)"],
  ["import { a } from 'zod';\nexport const b = a;", "workflows/zod.ts", "eslint(no-restricted-imports)"],
  ["import { a } from 'node:fs';\nexport const b = a;", "workflows/node.ts", "eslint(no-restricted-imports)"],
  [
    "import { a } from '../readings/a.schema.ts';\nexport const b = a;",
    "workflows/schema.ts",
    "eslint(no-restricted-imports)",
  ],
  ...[
    "import { compose } from '../worker/compose.ts';\nexport const b = compose;",
    "import { createAlerts } from '../worker/alerts.ts';\nexport const b = createAlerts;",
    "import { createVault } from '../vault/vault.ts';\nexport const b = createVault;",
    "import { signerFor } from '../worker/settings/credentials.ts';\nexport const b = signerFor;",
  ].map((code, index) => [code, `scripts/composing-${index}.ts`, "eslint(no-restricted-imports)"] as const),
  ["export const a = process.env['A'];", "worker/elsewhere.ts", "node(no-process-env)"],
  ...["What", "Who", "Whose", "Whom", "Which", "Of", "Where", "So", "As"].map(
    (word) =>
      [
        `/** ${word} a page. */\nexport const a = 1;`,
        `test/doc-${word}.ts`,
        "eslint(no-warning-comments)",
      ] as const,
  ),
  ["export const a = 1; // as a page", "packages/line.ts", "eslint(no-warning-comments)"],
  ["export const a = (b: any): string => String(b);", "site/any.ts", "typescript(no-explicit-any)"],
  ["export const a = (b: unknown) => b as string;", "site/as.ts", "typescript(consistent-type-assertions)"],
  ["export const a = (b?: string): string => b!;", "site/sure.ts", "typescript(no-non-null-assertion)"],
  [
    "import { type B } from './b.ts';\nexport const a = (b: B): B => b;",
    "site/side.ts",
    "typescript(no-import-type-side-effects)",
  ],
];

test("lint refuses what a folder's rules forbid, each by its rule", () => {
  const found = lint(refused.map(([code, file]) => [file, `${code}\n`]));
  const rules = found.map(({ filename, code }) => `${filename} ${code}`);
  expect(rules.sort()).toEqual(refused.map(([, file, rule]) => `${file} ${rule}`).sort());
});

test("lint refuses two files that know each other, even by their types alone", () => {
  const code = (name: string, other: string) =>
    `import type { ${other} } from "./${other}.ts";\nexport interface ${name} { readonly it: ${other} }\n`;
  const found = lint([
    ["site/A.ts", code("A", "B")],
    ["site/B.ts", code("B", "A")],
  ]);
  expect(found.map((one) => one.code)).toEqual(["import(no-cycle)", "import(no-cycle)"]);
});

const report = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });

function lint(files: readonly (readonly [path: string, code: string])[]) {
  const folder = mkdtempSync(join(tmpdir(), "almanac-lint-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(project, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  for (const [path, code] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
  const oxlint = join(project, "node_modules/.bin/oxlint");
  const { stdout } = spawnSync(oxlint, ["--format", "json"], { cwd: folder, encoding: "utf8" });
  return report.parse(JSON.parse(stdout)).diagnostics;
}
