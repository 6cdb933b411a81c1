// Pictures from unlisted hosts, as an operator sees them: no file of the site contains one, and a message says what to add if the
// host does belong to the service.
import { readdir, readFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foreignPictures } from "../../packages/sandbox/foreign-pictures.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { catalogue } from "../../readings/catalogue.ts";
import { requestKey } from "../../readings/request.ts";
import { almanac, environmentFor } from "../support/cli.ts";
import { storedResponseOf, storedResponseWith } from "../support/stored-responses.ts";
import { spawnSandbox, type SpawnedSandbox } from "../support/sandbox.ts";
import { siteInFolder } from "./site-in-folder.ts";
import { testDate, testNow } from "../support/noon.ts";

const configuration: ConfigurationInput = {
  site: { id: "almanac", name: "Almanac", url: "https://almanac.example" },
  languages: ["en"],
  operations: [
    "daily-tarot",
    "wisdom-reading",
    "past-present-future-reading",
    "ex-flame-reading",
    "in-depth-love-reading",
    "love-triangle-reading", // on some dates the others have fewer pictures than there are hosts
  ],
  zones: { en: "UTC" },
};
const beginnings = foreignPictures.map((address) => new URL(address).origin);

let sandbox: SpawnedSandbox;
beforeAll(async () => {
  sandbox = await spawnSandbox({ seed: 5 });
  await sandbox.clock({ at: testNow().toISOString() });
});
afterAll(() => sandbox.close());

/** A published site of which one picture is on the host that is known and all others are on these. */
async function hostileSite(more: ConfigurationInput, hosts: readonly string[] = foreignPictures) {
  const folder = await mkdtemp(join(tmpdir(), "almanac-foreign-pictures-"));
  const { site, env } = await siteInFolder(folder, { ...configuration, ...more });
  const now = testNow();
  site.setClock(now.toISOString());
  let next = 0;
  for (const { requests } of catalogue(
    site.publishing.configuration,
    now,
    {},
    { from: testDate, to: testDate },
  )) {
    for (const request of requests) {
      const body = storedResponseOf(request).body.replaceAll(/"https:\/\/cards\.example[^"]*"/g, (own) => {
        next += 1;
        return next === 1 ? own : JSON.stringify(hosts[(next - 2) % hosts.length]);
      });
      await site.publishing.vault.storeResponse(storedResponseWith(requestKey(request), body));
    }
  }
  await site.night();
  const at = (...words: string[]) =>
    almanac(words, { env: { ...environmentFor(sandbox), ...env }, cwd: folder });
  return { site, folder, at };
}

type Hostile = Awaited<ReturnType<typeof hostileSite>>;

/** The files of the site's folder that hold one of these, the objects among them. */
async function filesWith({ folder }: Hostile, texts: readonly string[]) {
  const names = await readdir(join(folder, "site"), { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of names.filter((one) => one.isFile())) {
    const text = await readFile(join(entry.parentPath, entry.name), "utf8");
    if (texts.some((one) => text.includes(one))) found.push(entry.name);
  }
  return found;
}

describe("a site whose service names pictures of all kinds of hosts", () => {
  let hostile: Hostile;
  beforeAll(async () => {
    hostile = await hostileSite({});
  });
  afterAll(() => rm(hostile.folder, { recursive: true, force: true }));

  test("publishes those of the listed hosts, and no file contains any other", async () => {
    expect(await filesWith(hostile, ["https://cards.example/"])).not.toEqual([]);
    expect(await filesWith(hostile, beginnings)).toEqual([]);
    const page = await hostile.site.text("en/daily-tarot/index.html");
    expect(page).toContain("img-src 'self' https://cards.example;");
  });

  test("shows the line to add in check and status", async () => {
    const line =
      'pictures: { hosts: ["cards.example.elsewhere.example", "cards.example:8443", "elsewhere.example"] }';
    const check = JSON.parse((await hostile.at("check", "--json")).stdout);
    expect(JSON.stringify(check)).toContain(JSON.stringify(line).slice(1, -1));
    expect(JSON.stringify(check)).toContain(
      "http://127.0.0.1:8233, http://cards.example, https://10.0.0.1, https://169.254.169.254",
    );
    expect((await hostile.at("status")).stdout.replaceAll(/\s+/g, " ")).toContain(line);
    const status = JSON.parse((await hostile.at("status", "--json")).stdout);
    expect(status).toMatchObject({ leftOutPictures: expect.arrayContaining(["https://elsewhere.example"]) });
  });

  test("leaves them out of a render of all stored readings too", async () => {
    const rendered = await hostile.at("render", "--from", testDate, "--to", testDate);
    expect(rendered).toMatchObject({ code: 0 });
    expect(await filesWith(hostile, beginnings)).toEqual([]);
  });
});

test("a newly listed host's pictures appear in pages, data and policy, and nothing is reported", async () => {
  const hostile = await hostileSite({ pictures: { hosts: ["elsewhere.example"] } }, [
    "https://elsewhere.example/x.png",
  ]);
  const { site, at, folder } = hostile;
  expect(await site.text("en/wisdom-reading/index.html")).toContain(
    '<img src="https://elsewhere.example/x.png"',
  );
  expect(await site.text("v1/en/wisdom-reading/latest.json")).toContain('"https://elsewhere.example/x.png"');
  expect(await site.text("en/wisdom-reading/index.html")).toContain(
    "img-src 'self' https://cards.example https://elsewhere.example;",
  );
  expect((await at("check")).stdout).not.toContain("left out");
  await rm(folder, { recursive: true, force: true });
});

test("a single call shows none of them either", async () => {
  await sandbox.faults([{ fault: "foreignPictures" }]);
  const words = ["reading", "past-present-future-reading", "--json"];
  const ran = await almanac(words, { env: environmentFor(sandbox) });
  expect(ran).toMatchObject({ code: 0 });
  for (const address of foreignPictures) expect(ran.stdout).not.toContain(address);
  expect(ran.stdout).toContain('"images"');
});
