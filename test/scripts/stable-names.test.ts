// Names that docs/versions.md promises to keep, compared with the last release: the changelog lists each removed name.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { commands } from "../../scripts/commands.ts";
import { stableNames } from "../../scripts/upgrade.ts";

const recordShape = z.object({ version: z.string(), names: z.record(z.string(), z.array(z.string())) });
const record = recordShape.parse(
  JSON.parse(readFileSync(new URL("stable-names.json", import.meta.url), "utf8")),
);
const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
const now: Record<string, readonly string[]> = {
  ...(await stableNames(commands)),
  imports: Object.keys(packageJson.exports),
};

/** Entries of Unreleased under `### Breaking`. */
function breaking(text: string): string {
  const [, unreleased = ""] = /^## Unreleased\n(.*?)(?=^## )/ms.exec(text) ?? [];
  return /^### Breaking\n(.*?)(?=^### |(?![^]))/ms.exec(unreleased)?.[1] ?? "";
}

/** Removed names that the changelog does not list. */
function unlisted(before: typeof record.names, after: typeof now, text: string): string[] {
  return Object.entries(before)
    .flatMap(([of, names]) => names.filter((name) => after[of]?.includes(name) !== true))
    .filter((name) => !breaking(text).includes(`\`${name}\``));
}

test("no name has gone since the last release, unless CHANGELOG.md tells it under Unreleased, Breaking", () => {
  expect(unlisted(record.names, now, changelog)).toEqual([]);
});

test("the names are those that people type and programs read", () => {
  expect(now["commands"]).toEqual(
    expect.arrayContaining([
      "plan",
      "plan --all",
      "schedule pause",
      "schedule pause <schedule>",
      "why <path>",
    ]),
  );
  expect(now["commands"]).not.toContain("upgrade --outlook");
  expect(now["settings"]).toEqual(
    expect.arrayContaining(["site.name", "people.*.fullName", "service.ratePerSecond.english", "decks"]),
  );
  expect(now["variables"]).toContain("ALMANAC_VAULT");
  expect(now["paths"]).toEqual(expect.arrayContaining(["/v1/pointer.json", "/{language}/index.html"]));
  expect(now["imports"]).toContain("./theme");
});

test("a name that goes is missed until it is told", () => {
  const gone = { commands: ["plan", "plan --all"] };
  const text = (told: string) =>
    `## Unreleased\n\n- More.\n${told}\n## 0.2.0\n\n### Breaking\n\n- \`plan --all\`\n`;
  expect(unlisted(gone, { commands: ["plan"] }, text(""))).toEqual(["plan --all"]);
  expect(
    unlisted(gone, { commands: ["plan"] }, text("\n### Breaking\n\n- `plan --all` has gone.\n")),
  ).toEqual([]);
});

test("the record is of the version that was released last, which the changelog names first", () => {
  const [, released] = /^## (\d+\.\d+\.\d+)$/m.exec(changelog) ?? [];
  expect(record.version).toBe(released);
});
