// One file for each version of each stored shape in the vault, all read by today's code. A changed shape gets the next number and a
// new file here: see CONTRIBUTING.md.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { z } from "zod";
import { standingNote } from "../../publish/render/unchanged-languages.ts";
import { manifestSchema } from "../../site/manifest.schema.ts";
import { siteRecord } from "../../publish/step/record.ts";
import { pictureNote } from "../../service/pictures/kept-pictures.ts";
import { openMemory } from "../support/memory.ts";
import { leaseEntrySchema } from "../../store/held-lease.ts";
import { always } from "../../store/store.ts";
import { storedResponseSchema, quarantinedSchema } from "../../vault/vault.ts";
import { dayCallsNote, refusalNote, endpointNote } from "../../vault/call-notes.ts";
import { keptRecord } from "../../vault/journal.ts";
import { decisions } from "../../vault/withheld.ts";
import { parseJson, layout, siteLayout } from "../../vault/files.ts";
import { type Kept, readKept, lookAt, type Note } from "../../vault/note.ts";
import { scrubNote } from "../../vault/scrub-note.ts";
import { vaultNote } from "../../vault/installation.ts";
import { planPageSchema, reportSchema } from "../../vault/runs.ts";
import { shownNote, siteNotes, upkeepNote } from "../../vault/site-notes.ts";
import { timeNote } from "../../vault/time-source.ts";
import { alertNote } from "../../worker/alerts.ts";
import { backlogNote } from "../../worker/notifiers/notifying.ts";

const folder = new URL("shapes/", import.meta.url);
const files = readdirSync(folder);
const contentOf = (file: string) => readFileSync(new URL(file, folder));

/** The kinds of files of the account, and those of a site. */
const kinds = { ...layout, ...siteLayout };
type KindName = keyof typeof kinds;

const notes: Partial<Record<KindName, Note<object, unknown>>> = {
  alert: alertNote("credentials-refused"),
  dayCalls: dayCallsNote("2026-11-20"),
  endpoint: endpointNote("translator"),
  notes: siteNotes,
  scrub: scrubNote,
  pictureNote: pictureNote("https://cards.example/the-sun.jpg"),
  refusal: refusalNote(layout.refusal("ex-flame-reading")),
  shownTexts: shownNote("daily/2026-11-22/hi"),
  standing: standingNote,
  backlog: backlogNote,
  time: timeNote,
  upkeep: upkeepNote,
  vault: vaultNote,
};
/** Kept in several copies. */
const kept: Partial<Record<KindName, Kept<object, unknown>>> = {
  decision: keptRecord("daily/2026-11-19/hi", "2026-11-20T08-00-00.000Z~0123456789abcdef"),
  decisions,
  record: siteRecord,
};
/** Written whole, once or by one writer. */
const documents: Partial<Record<KindName, z.ZodType>> = {
  lease: leaseEntrySchema,
  manifestCopy: manifestSchema,
  planPage: planPageSchema,
  quarantined: quarantinedSchema,
  report: reportSchema,
  response: storedResponseSchema,
};

test("each shape has a file of its first number, but for bytes, keys alone, what is a stored response too, and what nobody parses", () => {
  const others = new Set(["damaged", "picture", "superseded"]);
  expect(files.filter((file) => file.endsWith(".1.json")).map((file) => file.split(".")[0])).toEqual(
    Object.keys(kinds)
      .filter((name) => !others.has(name))
      .sort(),
  );
});

for (const [name, note] of Object.entries(notes)) {
  test.for(files.filter((file) => file.startsWith(`${name}.`)))("%s is read", async (file) => {
    const store = openMemory();
    const body = contentOf(file);
    await store.write(note.key, body, { type: "application/json" }, always);
    const { format: _, check: __, ...value } = JSON.parse(body.toString());
    expect(await lookAt(store, note)).toEqual({ value, version: expect.any(String) });
  });
}

for (const [name, one] of Object.entries(kept)) {
  test.for(files.filter((file) => file.startsWith(`${name}.`)))("%s is read", async (file) => {
    const store = openMemory();
    const body = contentOf(file);
    for (const key of one.keys) await store.write(key, body, { type: "application/json" }, always);
    const { format: _, check: __, change, ...value } = JSON.parse(body.toString());
    expect(await readKept(store, one)).toMatchObject({ value, change, isWhole: true });
  });
}

for (const [name, schema] of Object.entries(documents)) {
  test.for(files.filter((file) => file.startsWith(`${name}.`)))("%s is read", (file) => {
    const body = contentOf(file);
    expect(parseJson(file, body, schema)).toEqual(JSON.parse(body.toString()));
  });
}
