// When other templates press the site, and when a pointer that is gone is no new site.
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { fingerprintOf, workingsOf } from "../../publish/press/fingerprint.ts";
import { publish, turn } from "../../publish/publish.ts";
import { pointerPath, readState } from "../../publish/state/state.ts";
import { settings } from "../site/editions.ts";
import { newSite } from "./support/published-site.ts";

const fingerprint = "sha256-of-other-templates";

test("every file that press reads is in the fingerprint, the client that it publishes too", () => {
  const project = fileURLToPath(new URL("../../", import.meta.url));
  const copy = mkdtempSync(join(tmpdir(), "almanac-fingerprint-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  const files = ["site", "client"].flatMap((folder) => {
    cpSync(join(project, folder), join(copy, folder), { recursive: true });
    const found = readdirSync(join(copy, folder), { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  });
  const seen = new Set([fingerprintOf(settings, copy)]);
  expect(seen).toEqual(new Set([fingerprintOf(settings)]));
  for (const file of files) {
    appendFileSync(file, "\n");
    seen.add(fingerprintOf(settings, copy));
  }
  expect(files).toContain(join(copy, "client/almanac.js"));
  expect(seen.size).toBe(files.length + 1);
});

test("every file that reads captures is in the workings, each package's version, and all that Node brings along", () => {
  const project = fileURLToPath(new URL("../../", import.meta.url));
  const copy = mkdtempSync(join(tmpdir(), "almanac-workings-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const part of ["readings", "vault", "service", "publish", "package.json"])
    cpSync(join(project, part), join(copy, part), { recursive: true });
  const { versions } = process;
  const seen = new Set([workingsOf(versions, copy)]);
  expect(seen).toEqual(new Set([workingsOf()]));
  const files = ["readings/reading.ts", "readings/quality.ts", "publish/press/pressing.ts", "package.json"];
  for (const file of files) {
    appendFileSync(join(copy, file), "\n");
    seen.add(workingsOf(versions, copy));
  }
  const others = ["node", "icu", "tz", "cldr", "unicode"].map((part) => ({ ...versions, [part]: "another" }));
  for (const other of others) seen.add(workingsOf(other, copy));
  expect(seen.size).toBe(1 + files.length + others.length);
});

test("other templates press all languages with the next turn, and then no more", async () => {
  const site = newSite();
  await site.gather("2026-11-20", "2026-11-22");
  await site.night();
  const newer = { ...site.publishing, fingerprint };

  const first = await turn(newer);
  expect(first.languages).toEqual(["en", "hi"]);
  expect((await readState(site.site))?.manifest).toMatchObject({ version: 2, fingerprint });
  expect(await turn(newer)).toEqual({ version: 2, changed: 0, languages: [] });
});

test("a publish of some languages leaves the others to be pressed by the turn", async () => {
  const site = newSite();
  await site.gather("2026-11-20", "2026-11-22");
  await site.night();
  const newer = { ...site.publishing, fingerprint };

  await publish({ run: "backfill", asOf: "2026-11-21T12:00:00Z", languages: ["hi"] }, newer);
  expect((await turn(newer)).languages).toEqual(["en", "hi"]);
});

test("a pointer that is gone is not taken for a new site, an emptied site is", async () => {
  const site = newSite();
  await site.gather("2026-11-20", "2026-11-22");
  await site.night();
  const before = await site.paths();

  await site.site.remove([pointerPath]);
  await expect(site.night(["hi"])).rejects.toThrow(/almanac repair/);

  const keys: string[] = [];
  for await (const { key } of site.site.list("")) keys.push(key);
  await site.site.remove(keys);
  await site.night();
  expect(await site.paths()).toEqual(before);
});
