// The command for corrections: which text it takes, what it shows, asks and refuses, and the person's own editor.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { correctText, edited } from "../../scripts/correct.ts";
import { WrongUsage } from "../../scripts/terminal/errors.ts";
import { inOrder } from "../../scripts/terminal/output.ts";
import { withdrawText } from "../../scripts/withdraw.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { onTrial } from "../../worker/publisher.ts";
import { newSite, type PublishedSite } from "../publish/support/published-site.ts";
import { almanac, nobodysService } from "../support/cli.ts";
import { testDate } from "../support/noon.ts";
import { sandboxProse } from "../support/prose.ts";
import { through } from "../support/stores.ts";
import { siteInFolder } from "./site-in-folder.ts";

const today = "2026-11-21";
const key = `daily/${today}/en/daily-horoscope/leo`;
const said = { by: "Ada", reason: "wrong gender" };
const good = sandboxProse("en")[3] ?? "";
const configuration = { languages: ["en"], operations: ["daily-horoscope"] } as const;

beforeEach(() => void vi.spyOn(process.stderr, "write").mockReturnValue(true));
afterEach(() => void vi.restoreAllMocks());

async function published(): Promise<PublishedSite> {
  const site = newSite({ ...configuration, languages: ["en"], operations: ["daily-horoscope"] });
  await site.gather("2026-11-20", today);
  await site.night();
  return site;
}

interface Wish {
  readonly field?: string;
  readonly paragraph?: number;
  readonly undo?: boolean;
  readonly override?: boolean;
}

/** Corrects the text to these words; `answer` to the question, or undefined without a terminal. */
async function type(
  { publishing }: Pick<PublishedSite, "publishing">,
  named: string,
  words: string,
  { answer = true, ...wish }: Wish & { readonly answer?: boolean | undefined } = {},
) {
  const asked: string[] = [];
  const shown = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  shown.mockClear();
  const ask = async (question: string) => {
    asked.push(question);
    return answer;
  };
  const write = async () => words;
  const result = await correctText(named, { field: "personal", write, ...wish }, said, ask, { publishing });
  const text = inOrder(result.lines).join("\n");
  return { ...result, text, asked, said: shown.mock.calls.flat().join("") };
}

const decisionsOf = async ({ publishing }: Pick<PublishedSite, "publishing">) =>
  (await readWithheld(publishing.vault.own)).entries();

test("the difference is shown, and nothing changes unless the person says yes", async () => {
  const site = await published();
  const refused = await type(site, key, good, { answer: false });
  expect(refused).toMatchObject({
    code: 1,
    asked: ["Publish this text?"],
    text: `sections.personal of ${key} stays as it is`,
  });
  expect(refused.said).toMatch(/^sections\.personal\n- .*\n\+ /);
  expect(await decisionsOf(site)).toEqual([]);
  const done = await type(site, key, good);
  expect(done.text).toContain(`sections.personal of ${key} corrected: published version 2`);
  expect(done.text).toContain(`almanac correct --undo ${key} --field sections.personal --reason ...`);
  expect(done.text).not.toContain("approve");
  expect(done.document).toMatchObject({
    key,
    field: "sections.personal",
    kind: "correct",
    text: [good],
    by: "Ada",
    version: 2,
  });
  const again = await type(site, key, good);
  expect(again).toMatchObject({
    asked: [],
    text: `sections.personal of ${key} stays as it is`,
  });
  const undone = await type(site, key, "", { undo: true });
  expect(undone.text).toContain("has its original text again: published version 3");
  await expect(type(site, key, "", { undo: true })).rejects.toThrow(
    "has no correction. `almanac journal` lists",
  );
});

test("a text is named by its request key, or the path or URL of a page or file that shows it", async () => {
  const site = await published();
  const { url } = site.publishing.configuration.site;
  for (const named of [`/en/daily/leo/${today}/`, "en/daily/leo", `${url}/v1/en/daily/${today}/leo.json`])
    expect((await type(site, named, good, { answer: false })).document).toMatchObject({ key });
  const tomorrow = type(site, "/en/daily/leo/2026-11-22/", good);
  await expect(tomorrow).rejects.toThrow(
    "neither the vault nor the site has the text. `almanac why daily/2026-11-22/en/",
  );
  await expect(type(site, "/en/", good)).rejects.toThrow("shows no text, or more than one");
  await expect(type(site, key, good, { field: "mood" })).rejects.toThrow('"mood" is not a text of');
  await expect(type(site, key, good, { paragraph: 9 })).rejects.toThrow("has no paragraph 9");
});

test("a text against a rule needs --override; one that another person changed meanwhile is not replaced", async () => {
  const site = await published();
  await expect(type(site, key, "Short.")).rejects.toThrow(
    "breaks a validation rule: sections.personal has 5 letters",
  );
  await expect(type(site, key, "  ")).rejects.toThrow("To remove the text, run `almanac withdraw`");
  await expect(
    correctText(key, { field: "personal", write: async () => good }, said, undefined, site),
  ).rejects.toThrow("cannot ask for confirmation without a terminal");
  await type(site, key, "Short.", { override: true });
  const [entry] = await decisionsOf(site);
  expect(entry?.decision).toMatchObject({ kind: "correct", overrides: ["short"], reason: "wrong gender" });
  const meanwhile = async () => {
    await type(site, key, sandboxProse("en")[5] ?? "");
    return true;
  };
  const late = correctText(key, { field: "personal", write: async () => good }, said, meanwhile, site);
  await expect(late).rejects.toThrow("was changed while you edited it");
  expect(await site.filesWith(good.slice(0, 60))).not.toContain("en/daily/leo/index.html");
});

test("a correction of a text that people review names the command that approves its set again", async () => {
  const site = (await published()).with({ review: { en: { mode: "before" } } });
  const { text } = await type(site, key, good);
  expect(text).toContain("The site does not show it yet");
  expect(text).toContain(`approval again: \`almanac review approve daily/${today}/en/daily-horoscope\``);
});

test("a dry run on a text that is not published yet says that no path would change", async () => {
  const site = await published();
  await site.gather("2026-11-22");
  const own = key.replace(today, "2026-11-22");
  const correction = { field: "personal", write: async () => good };
  const unseen = ["no path would change: the site does not show the text"];
  const corrected = await correctText(
    own,
    correction,
    said,
    async () => true,
    onTrial(site.publishing, false),
  );
  const withdrawn = await withdrawText(own, said, onTrial(site.publishing, false));
  expect([inOrder(corrected.lines), inOrder(withdrawn.lines)]).toEqual([unseen, unseen]);
});

test("a dry run lists the paths, and changes nothing", async () => {
  const site = await published();
  const { publishing, written } = onTrial(site.publishing, false);
  const write = async () => good;
  const result = await correctText(key, { field: "personal", write }, said, async () => true, {
    publishing,
    written,
  });
  expect(inOrder(result.lines).join()).not.toContain("published");
  expect(result.document).toMatchObject({
    dryRun: true,
    plan: expect.arrayContaining([{ path: "en/feed.xml", reason: "changed" }]),
  });
  expect(await decisionsOf(site)).toEqual([]);
});

test("a correction that can't be published says that it is recorded, and which command publishes it: it does", async () => {
  const site = await published();
  const broken = through(site.site, ({ doing, keys: [path] }, make) =>
    doing === "write" && path === "v1/pointer.json" ? Promise.reject(new Error("no space")) : make(),
  );
  const publishing: Publishing = { ...site.publishing, site: broken };
  const shown = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const write = async () => good;
  const failed = correctText(key, { field: "personal", write }, said, async () => true, { publishing });
  await expect(failed).rejects.toThrow("no space");
  expect(shown.mock.calls.join("")).toContain("is recorded. Fix the error, then run `almanac publish`");
  await site.publishDue();
  expect(await site.filesWith(good.slice(0, 60))).toContain("en/daily/leo/index.html");
});

test("the editor of the person gets the text, and its failure changes nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-editor-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const editor = join(folder, "editor.sh");
  await writeFile(editor, '#!/bin/sh\ntest "$1" = --wait && sed -i.bak "s/one/two/" "$2"\n', { mode: 0o700 });
  vi.stubEnv("VISUAL", "");
  vi.stubEnv("EDITOR", `${editor} --wait`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await edited("part one")).toBe("part two\n");
  vi.stubEnv("EDITOR", editor);
  await expect(edited("part one")).rejects.toThrow(WrongUsage);
});

test("the command reads a file, and asks only if there is a terminal; status and journal list a correction that no longer applies", async () => {
  const folder = await mkdtemp(join(tmpdir(), "almanac-correct-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { site, env } = await siteInFolder(folder, {
    languages: ["en"],
    operations: ["daily-horoscope"],
    zones: { en: "UTC" },
  });
  // The date of the command's clock.
  site.setClock(`${testDate}T00:00:10Z`);
  await site.gather(testDate);
  await site.night();
  const own = key.replace(today, testDate);
  await writeFile(join(folder, "text.txt"), `${good}\n`);
  const run = (...typed: string[]) =>
    almanac(["correct", own, "--field", "personal", "--reason", "grammar", ...typed], {
      env: { ...env, ...nobodysService },
      cwd: folder,
    });
  const asked = await run("--from", "text.txt");
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("without a terminal") });
  const done = await run("--from", "text.txt", "--yes", "--json");
  expect(JSON.parse(done.stdout)).toMatchObject({ key: own, reason: "grammar", dryRun: false });
  expect(await site.filesWith(good.slice(0, 60))).toContain("en/daily/leo/index.html");
  await site.keep(own, "Sent again:");
  const [status, journal] = await Promise.all(
    [["status", "--json"], ["journal"]].map((typed) =>
      almanac(typed, { env: { ...env, ...nobodysService }, cwd: folder }),
    ),
  );
  expect(JSON.parse(status?.stdout ?? "")).toMatchObject({
    staleCorrections: [{ key: own, field: "sections.personal" }],
  });
  expect(journal?.stdout).toContain(`correct (stale)  ${own} sections.personal  grammar`);
});
