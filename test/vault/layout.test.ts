// Paths of the vault's files: defined in one file of the code, and listed in one table of the documentation.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { layout, siteFolder, siteFolders, siteLayout } from "../../vault/files.ts";

const project = new URL("../../", import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, project), "utf8");

const keys = {
  ...layout,
  response: layout.response("{request}"),
  superseded: layout.superseded("{request}"),
  quarantined: layout.quarantined("{request}"),
  damaged: layout.damaged("{request}", "{hash}"),
  dayCalls: layout.dayCalls("{day}"),
  lease: layout.lease("{endpoint}"),
  endpoint: layout.endpoint("{endpoint}"),
  refusal: layout.refusal("{operation}"),
  picture: layout.picture("{hash}", "{ending}"),
  pictureNote: layout.pictureNote("{hash}"),
} satisfies Record<keyof typeof layout, string>;
const siteKeys = {
  ...siteLayout,
  decision: siteLayout.decision("{period}/{lang}", "{time}~{random}", "{copy}"),
  planPage: `${siteFolders.plans}{run}/{start}/{lang}/{page}.json`,
  report: siteLayout.report("{day}", "{run}", "{start}"),
  shownTexts: siteLayout.shownTexts("{period}/{lang}"),
  alert: siteLayout.alert("{kind}"),
  manifestCopy: siteLayout.manifestCopy("{n}", "{hash}"),
  record: siteLayout.record("{copy}"),
  decisions: siteLayout.decisions("{copy}"),
} satisfies Record<keyof typeof siteLayout, string>;
const all = [...Object.values(keys), ...Object.values(siteKeys).map((key) => siteFolder("{site}") + key)];

test("the vault has at most 26 kinds of files", () => {
  expect(all.length).toBeLessThanOrEqual(26);
});

test("docs/storage-setup.md lists every file of the vault, and no others", () => {
  const [, table = ""] =
    /\n## Files in the vault\n\n(.*?)\n(?:\n|$)/s.exec(textOf("docs/storage-setup.md")) ?? [];
  const rows = table.split("\n").slice(2);
  const named = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)]);
  const found = named.map(([, key = ""]) => key);
  expect(found.sort()).toEqual(all.sort());
});

test("no other source file builds a key of the vault", () => {
  const beginnings = [...Object.values(keys), ...Object.values(siteKeys)].map((key) =>
    key.replace(/\{.*/, ""),
  );
  const quoted = beginnings.flatMap((beginning) => [`"${beginning}`, `\`${beginning}`]);
  const rooms = ["vault", "service", "publish", "insight", "activities", "worker", "scripts"];
  const files = rooms.flatMap((room) =>
    readdirSync(new URL(room, project), { recursive: true, encoding: "utf8" }).map(
      (name) => `${room}/${name}`,
    ),
  );
  const making = files.filter(
    (file) => file.endsWith(".ts") && quoted.some((beginning) => textOf(file).includes(beginning)),
  );
  expect(making).toEqual(["vault/files.ts"]);
});
