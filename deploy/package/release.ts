// Checks that a release can be published, and extracts its release notes. .github/workflows/release.yml runs both.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const root = fileURLToPath(new URL("../../", import.meta.url));

const manifestShape = z.object({
  name: z.string(),
  version: z.string(),
  private: z.boolean().default(false),
  repository: z.object({ url: z.string() }).optional(),
});
export type PackageManifest = z.infer<typeof manifestShape>;

export interface Release {
  readonly tag: string;
  /** Repository name, such as `owner/almanac`. */
  readonly repository: string;
  readonly manifests: readonly PackageManifest[];
  readonly changelog: string;
}

/** Reasons not to publish the release, one sentence each. */
export function refusalsOf({ tag, repository, manifests, changelog }: Release): string[] {
  return [
    ...manifests.flatMap((manifest) => refusalsFor(manifest, tag, repository)),
    ...(notesIn(changelog, tag) === undefined ? [`CHANGELOG.md has no heading "## ${tag.slice(1)}".`] : []),
    ...(sectionIn(changelog, "Unreleased") === ""
      ? []
      : [
          "CHANGELOG.md has something under Unreleased: it belongs to this release, or the tag to an earlier commit.",
        ]),
  ];
}

function refusalsFor(
  { name, version, private: isPrivate, repository: own }: PackageManifest,
  tag: string,
  repository: string,
) {
  return [
    isPrivate &&
      `${name} is private: nobody publishes it until its owners own that name in npm's registry, have it trust this workflow, and take "private" out of its package.json.`,
    `v${version}` !== tag && `${name} has version ${version}, and the tag is ${tag}.`,
    own?.url.toLowerCase().includes(`/${repository}`.toLowerCase()) !== true &&
      `${name} does not name https://github.com/${repository} under "repository" in its package.json, and npm takes no provenance without.`,
  ].filter((one) => one !== false);
}

/** Release notes: the changelog's section for the tag's version; undefined if missing or empty. */
export function notesIn(changelog: string, tag: string): string | undefined {
  const notes = sectionIn(changelog, tag.replace(/^v/, ""));
  return notes === "" ? undefined : notes;
}

function sectionIn(changelog: string, title: string): string {
  const begin = changelog.indexOf(`\n## ${title}\n`);
  if (begin < 0) return "";
  const text = changelog.slice(begin + `\n## ${title}\n`.length);
  const end = text.search(/^## /m);
  return (end < 0 ? text : text.slice(0, end)).trim();
}

const textOf = (path: string) => readFileSync(`${root}${path}`, "utf8");
const manifestAt = (path: string) => manifestShape.parse(JSON.parse(textOf(path)));

function act([verb, tag = "", repository = ""]: readonly string[]) {
  const changelog = textOf("CHANGELOG.md");
  if (verb === "notes") {
    process.stdout.write(`${notesIn(changelog, tag) ?? ""}\n`);
    return;
  }
  const manifests = ["package.json", "packages/create-almanac/package.json"].map(manifestAt);
  const refusals = refusalsOf({ tag, repository, manifests, changelog });
  for (const refusal of refusals) process.stderr.write(`${refusal}\n`);
  if (refusals.length > 0) process.exitCode = 1;
}

if (import.meta.main) act(process.argv.slice(2));
