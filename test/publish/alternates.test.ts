import { describe, expect, test } from "vitest";
import { renderArchive } from "../../publish/archive.ts";
import { publish } from "../../publish/publish.ts";
import { objectPath } from "../../publish/state/state.ts";
import { withdraw } from "../../publish/withdraw.ts";
import { always } from "../../store/store.ts";
import { layout } from "../../vault/files.ts";
import { createVault } from "../../vault/vault.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/tables.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "./support/published-site.ts";
import { contentOf, watched } from "../support/stores.ts";

const three: ConfigurationInput = {
  languages: ["en", "hi", "gu"],
  operations: ["daily-tarot", "ex-flame-reading"],
};
const today = "2026-11-21";

/** Translations that a page names. */
function namedOn(page: string): Map<string, string> {
  const links = page.matchAll(
    /<link rel="alternate" hreflang="([^"]+)" href="https:\/\/almanac\.example\/([^"]*)"/g,
  );
  return new Map([...links].map(([, language = "", path = ""]) => [language, `${path}index.html`]));
}

/** Current pages that link to a missing page or to one without a link back, and the number of pages with links. */
async function wrongIn(site: PublishedSite): Promise<{ wrong: string[]; naming: number }> {
  // Embedded cards and the status page have no translations.
  const paths = [...(await site.paths()).keys()].filter(
    (path) => path.endsWith("index.html") && !/^status\/|^[a-z]+\/embed\//.test(path),
  );
  const named = new Map<string, Map<string, string>>();
  for (const path of paths) named.set(path, namedOn(await site.text(path)));
  const wrong: string[] = [];
  for (const [path, others] of named) {
    if (others.size > 0 && others.size < 3) wrong.push(`${path} names ${others.size}`);
    for (const [language, other] of others) {
      const back = [...(named.get(other)?.values() ?? [])];
      if (language !== "x-default" && !back.includes(path) && path !== "index.html")
        wrong.push(`${path} names ${other}, which does not name it`);
      if (!named.has(other)) wrong.push(`${path} names ${other}, which is not there`);
      if (language !== "x-default" && !other.startsWith(`${language}/`))
        wrong.push(`${path} names ${other} as ${language}`);
    }
  }
  // Every page in two or more languages does link to the others.
  for (const path of paths.filter((one) => !/\/\d{4}|^index/.test(one))) {
    const rest = path.slice(path.indexOf("/"));
    const having = paths.filter((one) => one.slice(one.indexOf("/")) === rest && one !== path);
    const names = [...(named.get(path) ?? [])].filter(([language]) => language !== "x-default");
    if (names.length !== (having.length === 0 ? 0 : having.length + 1))
      wrong.push(`${path} names ${names.length} and there are ${having.length} others`);
  }
  return { wrong, naming: [...named.values()].filter(({ size }) => size > 0).length };
}

function publishGroup(site: PublishedSite, languages: readonly Language[], last: boolean): Promise<unknown> {
  const asOf = site.publishing.now().toISOString();
  return publish({ run: "almanac-nightly", asOf, languages, last }, site.publishing);
}

async function gathered(more: ConfigurationInput = three): Promise<PublishedSite> {
  const site = newSite(more);
  await site.gather("2026-11-20", today);
  return site;
}

describe("current pages", () => {
  test("name their translations in both directions once a run has ended, whatever came first", async () => {
    const site = await gathered();
    await publishGroup(site, ["en"], false);
    expect((await wrongIn(site)).naming).toBe(0);
    await publishGroup(site, ["hi"], false);
    expect(namedOn(await site.text("en/index.html")).size).toBe(0); // until the run's last group
    expect([...namedOn(await site.text("hi/index.html")).keys()]).toEqual(["en", "hi", "x-default"]);
    await publishGroup(site, ["gu"], true);
    expect(await wrongIn(site)).toMatchObject({ wrong: [] });
    expect([...namedOn(await site.text("en/index.html"))]).toEqual([
      ["en", "en/index.html"],
      ["hi", "hi/index.html"],
      ["gu", "gu/index.html"],
      ["x-default", "index.html"],
    ]);
    // Gujarati has no tarot.
    expect([...namedOn(await site.text("en/daily-tarot/index.html"))]).toEqual([
      ["en", "en/daily-tarot/index.html"],
      ["hi", "hi/daily-tarot/index.html"],
      ["x-default", "en/daily-tarot/index.html"],
    ]);
    expect([...namedOn(await site.text("index.html")).keys()]).toEqual(["en", "hi", "gu", "x-default"]);
  });

  test("of several languages in one group name each other at once, and a second such night writes nothing", async () => {
    const site = await gathered();
    await publishGroup(site, ["en", "hi", "gu"], false);
    expect(await wrongIn(site)).toMatchObject({ wrong: [] });
    const before = await contentOf(site.site);
    await publishGroup(site, ["en", "hi", "gu"], true);
    expect(await contentOf(site.site)).toEqual(before);
  });

  const ofAllKinds: ConfigurationInput = {
    languages: ["en", "hi", "gu"],
    pairs: [["aries", "leo"]],
    people: [{ id: "ada", fullName: "Ada Example", birthDate: "1970-01-01" }],
  };
  test.each([
    ["of two operations", three],
    ["of all operations", ofAllKinds],
  ])("of a new site's languages name each other, and each is rendered once: %s", async (_, configuration) => {
    const site = await gathered(configuration);
    const rendered: string[] = [];
    const note = (call: string, key: string) =>
      call === "write" && /^v1\/objects\/.*html$/.test(key) && rendered.push(key);
    const asOf = site.publishing.now().toISOString();
    await publish(
      { run: "almanac-nightly", asOf, languages: configuration.languages ?? [], last: true },
      { ...site.publishing, site: watched(site.site, note) },
    );
    expect(await wrongIn(site)).toMatchObject({ wrong: [] });
    const pages = [...(await site.paths()).keys()].filter((path) => path.endsWith(".html"));
    expect(rendered).toHaveLength(pages.length);
  });

  test("of a new site name no page that its damaged stored response does not become", async () => {
    const site = await gathered();
    const { store } = site.publishing.vault;
    const json = { type: "application/json" };
    for (const date of ["2026-11-20", today]) {
      const key = layout.response(`daily/${date}/hi/daily-tarot/reading`);
      expect(await store.read(key)).toBeDefined();
      await store.write(key, new TextEncoder().encode("damaged"), json, always);
    }
    await publishGroup(site, ["en", "hi", "gu"], true);
    expect([...(await site.paths()).keys()]).not.toContain("hi/daily-tarot/index.html");
    expect(await wrongIn(site)).toMatchObject({ wrong: [] });
  });

  test("of one language are rendered before the stored responses of the next are read", async () => {
    const site = await gathered();
    const order: string[] = [];
    const note = (call: string, key: string) => {
      const [, language] = /^responses\/\w+\/[^/]+\/(\w+)\//.exec(key) ?? [];
      if (call === "read" && language !== undefined) order.push(`${language} read`);
      if (call === "write" && key.startsWith("v1/objects/")) order.push("printed");
    };
    const languages: Language[] = ["en", "hi", "gu"];
    await publishGroup(site, languages, true);
    await site.gather("2026-11-22");
    site.setClock("2026-11-22T12:00:00Z");
    await publish(
      { run: "almanac-nightly", asOf: "2026-11-22T12:00:00.000Z", languages, last: true },
      {
        ...site.publishing,
        site: watched(site.site, note),
        vault: createVault(watched(site.publishing.vault.store, note), "almanac"),
      },
    );
    expect(order.filter((one, at) => one !== order[at - 1])).toEqual(
      languages.flatMap((language) => [`${language} read`, "printed"]),
    );
  });

  test("of a person are found by any name, that of a folder of ours too", async () => {
    const site = newSite({
      languages: ["en", "hi"],
      operations: ["which-animal-are-you-reading"],
      people: [{ id: "embed", fullName: "Jane Example", birthDate: "1990-01-01" }],
    });
    await site.gather(today);
    await publishGroup(site, ["en", "hi"], true);
    expect([...namedOn(await site.text("en/people/embed/index.html")).keys()]).toEqual([
      "en",
      "hi",
      "x-default",
    ]);
    expect(await wrongIn(site)).toMatchObject({ wrong: [] });
  });

  test("of the others are rendered again only when pages come or go", async () => {
    const site = await gathered({ ...three, languages: ["en", "hi"] });
    await publishGroup(site, ["en", "hi"], true);
    await site.gather("2026-11-22");
    site.setClock("2026-11-22T12:00:00Z");
    const written: string[] = [];
    const publishing = {
      ...site.publishing,
      site: watched(site.site, (call, key) => call === "write" && written.push(key)),
    };
    await publish(
      { run: "almanac-nightly", asOf: "2026-11-22T12:00:00.000Z", languages: ["en"], last: true },
      publishing,
    );
    expect(written).toContain("en/daily-tarot/index.html");
    expect(written.filter((path) => path.startsWith("hi/"))).toEqual([]);
  });

  test("name no page any more with the very state in which it goes", async () => {
    const pairs: ConfigurationInput = {
      ...three,
      languages: ["en", "hi"],
      operations: ["love-compatibility"],
    };
    const site = await gathered(pairs);
    await publishGroup(site, ["en", "hi"], true);
    const page = "hi/love-compatibility/aries-leo/index.html";
    expect(namedOn(await site.text(page)).size).toBe(3);
    const key =
      [...(await vaultKeys(site))].find((one) => one.includes("/en/") && one.endsWith("/aries-leo")) ?? "";
    await withdraw(recordOf(key), requestAt(key), site.publishing);
    expect((await site.paths()).has("en/love-compatibility/aries-leo/index.html")).toBe(false);
    expect(namedOn(await site.text(page)).size).toBe(0);
    expect(await wrongIn(site)).toMatchObject({ wrong: [] });
    // A language that is dropped, in a group that is not the last.
    const without = site.with({ ...pairs, languages: ["hi"] });
    await publishGroup(without, ["hi"], false);
    expect((await wrongIn(without)).naming).toBe(0);
  });

  test("name them still after a render of the archive, and dated ones never do", async () => {
    const site = await gathered({ ...three, operations: ["daily-horoscope"] });
    await publishGroup(site, ["en", "hi"], true);
    await renderArchive(
      { languages: ["en"], evenMany: false, dates: { from: "2026-11-20" } },
      site.publishing,
    );
    expect(await wrongIn(site)).toMatchObject({ wrong: [] });
    expect(namedOn(await site.text("en/daily/leo/index.html")).size).toBe(3);
    for (const date of ["2026-11-20", today])
      expect(namedOn(await site.text(`en/daily/leo/${date}/index.html`)).size).toBe(0);
  });

  test("that can't be rendered, in a damaged vault and site, hold up no other language", async () => {
    const site = await gathered();
    await publishGroup(site, ["en"], false);
    const shown = "v1/en/daily-tarot/2026-11-21.json";
    await site.site.remove([objectPath((await site.paths()).get(shown) ?? "", shown)]);
    const { store } = site.publishing.vault;
    const vault = createVault(
      {
        ...store,
        read: (key) =>
          /^responses\/.*\/en\//.test(key) ? Promise.reject(new Error("damaged")) : store.read(key),
      },
      "almanac",
    );
    await publish(
      { run: "almanac-nightly", asOf: "2026-11-21T12:00:00.000Z", languages: ["hi"], last: true },
      { ...site.publishing, vault },
    );
    expect((await site.paths()).has("hi/daily-tarot/index.html")).toBe(true);
    expect(site.said).toContain("cannot render its pages with links to new translations");
    await publishGroup(site, ["hi"], true);
    expect(await wrongIn(site)).toMatchObject({ wrong: [] });
  });
});

async function vaultKeys(site: PublishedSite): Promise<string[]> {
  return site.publishing.vault.held("seasonal/");
}
