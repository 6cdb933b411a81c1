// An owner's pages: their conversion from Markdown, and error reports.
import { expect, test } from "vitest";
import { WrongTheme } from "../../worker/theme/theme-files.ts";
import { type FolderFiles, themeOf } from "../support/theme-folder.ts";

async function bodyOf(text: string, more: FolderFiles = {}): Promise<string> {
  const theme = await themeOf({}, { "pages/en/imprint.md": text, ...more });
  const pieces = theme?.pages.find(({ at }) => at.page === "imprint")?.body ?? [];
  const written = pieces.map((piece) => (typeof piece === "string" ? piece : `{${JSON.stringify(piece)}}`));
  return written.join("").replaceAll(/\n(?=<|$)/g, "");
}

async function problemsIn(text: string, more: FolderFiles = {}): Promise<string[]> {
  try {
    await bodyOf(text, more);
    return [];
  } catch (error) {
    if (!(error instanceof WrongTheme)) throw error;
    return error.problems.map((problem) => problem.replace(/^.*\/theme\//, ""));
  }
}

test("a page gets its title and description from the beginning of its text", async () => {
  const theme = await themeOf(
    {},
    { "pages/de/imprint.md": "# Impressum *hier*\n\nWir sind **wir**.\n\n## Mehr\n" },
  );
  expect(theme?.pages).toEqual([
    {
      at: { row: "ownPage", language: "de", page: "imprint" },
      title: "Impressum hier",
      description: "Wir sind wir.",
      body: ["<p>Wir sind <strong>wir</strong>.</p>\n<h2>Mehr</h2>"],
    },
  ]);
});

test.each([
  ['A & B < C &copy; "d"', "<p>A &amp; B &lt; C &copy; &quot;d&quot;</p>"],
  ["- one\n- two\n  1. x", "<ul><li>one</li><li>two<ol><li>x</li></ol></li></ul>"],
  ["3. three\n4. four", '<ol start="3"><li>three</li><li>four</li></ol>'],
  [
    "| a | b |\n|---|---|\n| 1 | *2* |",
    '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td>1</td><td><em>2</em></td></tr></tbody></table>',
  ],
  [
    "> said\n\n---\n\n```\n<b>\n```",
    "<blockquote><p>said</p></blockquote><hr><pre><code>&lt;b&gt;</code></pre>",
  ],
  [
    "[us](https://us.example/?a=1&b=2) [leo](/en/daily/leo/)",
    '<p><a href="https://us.example/?a=1&amp;b=2">us</a> <a href="{{"value":"root"}}en/daily/leo/">leo</a></p>',
  ],
  [
    "[privacy](privacy.md#why)",
    '<p><a href="{{"value":"root"}}{{"value":"language"}}/pages/privacy/#why">privacy</a></p>',
  ],
  ["{{name}} \u{0}0\u{0}", "<p>{{name}} \u{fffd}0\u{fffd}</p>"],
])("%s becomes markup", async (text, markup) => {
  expect(await bodyOf(`# Imprint\n\n${text}`, { "pages/en/privacy.md": "# Privacy" })).toBe(markup);
});

test.each([
  ["No title", "pages/en/imprint.md:1: a page must begin with its title"],
  ["# A\n\nfine\n\n<div>raw</div>", "pages/en/imprint.md:5: a page must not contain HTML"],
  ["# A\n\nan <b>inline</b>", "pages/en/imprint.md:3: a page must not contain HTML"],
  ["# A\n\n[x](missing.md)", "pages/en/imprint.md:3: missing.md is not a page of this language"],
  ["# A\n\n[x](javascript:alert(1))", "pages/en/imprint.md:3: javascript:alert(1) is not a valid link"],
  [
    "# A\n\n![x](https://i.example/a.png)",
    "pages/en/imprint.md:3: https://i.example/a.png is on another host",
  ],
  ["# A\n\n\n![x](a.png)", "pages/en/imprint.md:4: cannot read pages/en/a.png"],
])("%s is an error with its line", async (text, problem) => {
  expect((await problemsIn(text))[0]).toContain(problem);
});

test("unknown language folders, invalid file names, and menu entries without a page are reported", async () => {
  expect(await problemsIn("# A", { "pages/gr/imprint.md": "# A" })).toEqual([
    expect.stringContaining("pages/gr: gr is not a language of the service"),
  ]);
  expect(await problemsIn("# A", { "pages/en/Über uns.md": "# A" })).toEqual([
    expect.stringContaining("its name is part of a URL"),
  ]);
  await expect(themeOf({ pages: { menu: ["terms"] } }, { "pages/en/imprint.md": "# A" })).rejects.toThrow(
    /theme\.ts:3: pages\.menu names terms, but no pages\/\{language\}\/terms\.md exists\. Add one/,
  );
});
