// The sandbox's cards have faces: one each, all different, served by the sandbox and copied into the site of `almanac local`.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPartReader } from "../../publish/state/parts.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { deckNames, decks, faceName } from "../../packages/sandbox/decks.ts";
import { faceAt } from "../../packages/sandbox/faces.ts";
import { type Sandbox, startSandbox } from "../../packages/sandbox/server.ts";
import { inventedLanguage } from "../../scripts/preview/invented-language.ts";
import { pictureType } from "../../service/pictures/download.ts";
import { sha256 } from "../../vault/files.ts";
import { LiveSite } from "../../worker/live/live-site.ts";
import { openIn } from "../../worker/opened-site.ts";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { openMemory } from "../support/memory.ts";
import { answerOf } from "./calling.ts";

const configuration = configurationSchema.parse({
  site: { id: "almanac", name: "Almanac", url: "https://almanac.example" },
  languages: ["en"],
});
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ faces: true });
});
afterAll(() => sandbox.close());

test("every card of every deck has a face of its own, small and of a type that is copied", () => {
  const hashes = new Set<string>();
  let count = 0;
  for (const deck of deckNames) {
    for (const card of decks[deck]) {
      const face = faceAt(`${deck}/style-1/${faceName(card)}.png`) ?? new Uint8Array();
      expect(pictureType(face), card).toBe("png");
      expect(face.length, card).toBeLessThan(10_000);
      hashes.add(sha256(face));
      count += 1;
    }
  }
  expect(decks.tarot).toHaveLength(78);
  expect(hashes.size).toBe(count);
});

test("answers name faces that are there, when the sandbox was started so", async () => {
  const answer = JSON.stringify(await answerOf(sandbox, "daily-tarot", "en"));
  const [named = ""] = /http[^"]+/.exec(answer) ?? [];
  expect(named).toContain(`${sandbox.origin}/pictures/tarot/style-1/`);
  const picture = await fetch(named);
  expect(picture.headers.get("content-type")).toBe("image/png");
  expect(pictureType(new Uint8Array(await picture.arrayBuffer()))).toBe("png");
  for (const path of [
    "tarot/style-1/the-joker.png",
    "x/style-1/the-fool.png",
    "tarot/style-1/..%2fthe-fool.png",
  ])
    expect((await fetch(`${sandbox.origin}/pictures/${path}`)).status).toBe(404);
});

test("a site of the sandbox has copies of the faces, and one of a real service as it is configured", () => {
  const mirrorWith = (env: NodeJS.ProcessEnv) => {
    const environment = readEnvironment(env);
    return openIn("/tmp/none", { environment, configuration }).configuration.pictures.mirror;
  };
  expect(mirrorWith({})).toEqual({ mostBytes: 1_000_000 });
  expect(mirrorWith({ READING_SERVICE_TOKEN: "token", READING_SERVICE_API_KEY: "key" })).toBeUndefined();
});

test("an invented page names copies of faces that its preview has", async () => {
  const languages = [inventedLanguage("en", configuration, new Date("2026-11-21T12:00:00Z"))];
  const site = openMemory();
  const nothing = { site, manifest: undefined, reader: createPartReader(site) };
  const live = await LiveSite.of(languages, configuration, undefined, nothing);
  for (const path of ["en/daily-tarot/index.html", "en/decks/wisdom-reading/index.html"]) {
    const page = Buffer.from((await live.file(path))?.bytes ?? []).toString();
    const [, named = ""] = /<img src="\/(assets\/pictures\/[^"]+)"/.exec(page) ?? [];
    expect(await live.file(named), path).toMatchObject({ type: "image/png" });
  }
});
