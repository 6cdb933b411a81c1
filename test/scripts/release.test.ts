// Requirements for a release, and its workflow: test/real/release.test.ts runs the parts that can run locally.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { type PackageManifest, notesIn, refusalsOf } from "../../deploy/package/release.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const text = readFileSync(`${root}.github/workflows/release.yml`, "utf8");

const step = z.object({
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const job = z.object({
  needs: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(step),
});
const workflow = z.object({
  on: z.unknown(),
  permissions: z.unknown(),
  jobs: z.object({ may: job, check: job, build: job.optional(), publish: job }),
});
const { on, permissions, jobs } = workflow.parse(parse(text));

const repository = "owner/almanac";
const manifest: PackageManifest = {
  name: "@almanac/almanac",
  version: "0.3.0",
  private: false,
  repository: { url: "git+https://github.com/owner/almanac.git" },
};
const changelog = "# Changelog\n\n## Unreleased\n\n## 0.3.0\n\n- All is new.\n\n## 0.2.0\n\n- The first.\n";
const release = { tag: "v0.3.0", repository, manifests: [manifest], changelog };

describe("a release", () => {
  test("goes out where all is as it should be", () => {
    expect(refusalsOf(release)).toEqual([]);
    expect(notesIn(changelog, "v0.3.0")).toBe("- All is new.");
    expect(notesIn(changelog, "v0.2.0")).toBe("- The first.");
  });

  test.each<[string, Partial<PackageManifest>]>([
    ["@almanac/almanac is private: nobody publishes it until its owners own that name", { private: true }],
    ["@almanac/almanac has version 0.2.9, and the tag is v0.3.0.", { version: "0.2.9" }],
    ["does not name https://github.com/owner/almanac under", { repository: undefined }],
    [
      "does not name https://github.com/owner/almanac under",
      { repository: { url: "https://example.org/a" } },
    ],
  ])("is refused: %s", (words, other) => {
    const refusals = refusalsOf({ ...release, manifests: [{ ...manifest, ...other }] });
    expect(refusals).toEqual([expect.stringContaining(words)]);
  });

  test("is refused while the changelog does not tell of it, or has more to tell", () => {
    expect(refusalsOf({ ...release, changelog: changelog.replace("## 0.3.0", "## 0.2.9") })).toEqual([
      'CHANGELOG.md has no heading "## 0.3.0".',
    ]);
    const more = changelog.replace("## Unreleased\n", "## Unreleased\n\n- And more.\n");
    expect(refusalsOf({ ...release, changelog: more })).toEqual([
      expect.stringContaining("under Unreleased"),
    ]);
  });

  test("of today is refused as long as nobody owns the name, and told by the changelog", async () => {
    const act = (...words: string[]) =>
      promisify(execFile)(process.execPath, ["deploy/package/release.ts", ...words], { cwd: root });
    const told = await act("notes", `v${packageJson.version}`);
    expect(told.stdout).toContain("Versions 0.1.0 and 0.2.0 were commits");
    expect(packageJson.private).toBe(true);
    await expect(act("check", `v${packageJson.version}`, repository)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^@almanac\/almanac is private: .*\n(?:.*\n)*@almanac\/create-almanac is private: /m,
      ),
    });
  });
});

describe("the release workflow", () => {
  test("begins with a tag and nothing else, and asks whether it may before all else", () => {
    expect(on).toEqual({ push: { tags: ["v*"] } });
    expect(jobs.may.steps.at(-1)?.run).toContain("deploy/package/release.ts check");
    expect([jobs.check.needs, jobs.build?.needs, jobs.publish.needs]).toEqual(["may", "check", "build"]);
    expect(jobs.check.steps.at(-1)?.run).toContain(".ci/run");
  });

  test("may write nothing but where it publishes", () => {
    expect(permissions).toEqual({ contents: "read" });
    for (const one of [jobs.may, jobs.check, jobs.build]) expect(one?.permissions).toBeUndefined();
    expect(jobs.publish.permissions).toEqual({
      contents: "write",
      "id-token": "write",
      attestations: "write",
      packages: "write",
    });
  });

  test("runs no code of the repository or of a package where it may publish", () => {
    const { steps } = jobs.publish;
    const lines = steps.flatMap(({ run = "" }) => run.split("\n"));
    const installing =
      /\bnpm (?!publish "\$file" --ignore-scripts )|\bnpx\b|\bnode \S*\.(?:ts|js)|\bdocker build|\.ci\/|\bpip\b|\bapt/;
    expect(lines.filter((line) => installing.test(line))).toEqual([]);
    const used = steps.flatMap(({ uses }) => uses?.split("@")[0] ?? []);
    expect(new Set(used)).toEqual(
      new Set([
        "actions/download-artifact",
        "actions/setup-node",
        "actions/attest-build-provenance",
        "docker/login-action",
      ]),
    );
    const built = jobs.build?.steps ?? [];
    expect(built.find(({ uses }) => uses?.startsWith("actions/checkout@"))?.with).toMatchObject({
      "persist-credentials": false,
    });
    expect(built.map(({ run = "" }) => run).join("\n")).toContain("npm ci");
    expect(built.at(-1)?.uses).toMatch(/^actions\/upload-artifact@/);
  });

  test("names each action by a commit, with the version that it is", () => {
    const used = Array.from(text.matchAll(/^ +(?:- )?uses: (.+)$/gm), ([, name]) => name);
    expect(used.length).toBeGreaterThan(8);
    expect(used.filter((name) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(name ?? ""))).toEqual(
      [],
    );
    const versions = new Map(used.map((name) => [name?.split("@")[0], name]));
    expect(new Set(used)).toEqual(new Set(versions.values())); // one version of each
  });

  test("publishes with provenance, the image by digest with an attestation, and keeps the list of what is in it", () => {
    const steps = [...(jobs.build?.steps ?? []), ...jobs.publish.steps];
    const named = (name: string) => steps.find((one) => one.name === name) ?? {};
    expect(named("Publish the packages").run).toContain(
      'npm publish "$file" --ignore-scripts --provenance --access public',
    );
    expect(named("List what is in it").run).toContain("npm sbom --package-lock-only --sbom-format cyclonedx");
    expect(named("Build the image").with).toMatchObject({
      file: "deploy/Dockerfile",
      outputs: "type=oci,dest=image/almanac.tar",
      provenance: "mode=max",
      sbom: true,
    });
    expect(named("Attest the image").with).toMatchObject({
      "subject-digest": "${{ steps.image.outputs.digest }}",
      "push-to-registry": true,
    });
    expect(named("Tell it").run).toContain('gh release create "$GITHUB_REF_NAME" "$OUT"/*');
    // Values from a tag or a name never get into a command's text.
    expect(steps.flatMap(({ run = "" }) => run.match(/\$\{\{/g) ?? [])).toEqual([]);
    expect(text).not.toMatch(/secrets\./);
  });
});
