import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markup, wideMarkup, withoutMarkup } from "../../readings/clean-text.ts";

describe("a text is shown without its markup", () => {
  test.each([
    ["A calm day.<script>alert(1)</script> Rest.", "A calm day. Rest."],
    ["A <b>calm</b> day &amp; night.", "A calm day & night."],
    ["A calm day. &lt;script&gt;alert(1)&lt;/script&gt;", "A calm day."],
    ["**A calm day.** Rest.", "A calm day. Rest."],
    ['Read [the page](https://example.com/x "now") today.', "Read the page today."],
    ["[b]A calm day[/b].", "A calm day ."],
    ["## A calm day", "A calm day"],
    ["A day <!-- a note --> of rest.", "A day of rest."],
    ["A day ＜script＞ of rest.", "A day ＞ of rest."],
    ["A day <img src=x onerror=alert(1)", "A day src=x onerror=alert(1)"],
    ["f**k it: 2 < 3 & 4 > 1, [sic] #1", "f**k it: 2 < 3 & 4 > 1, [sic] #1"],
    ["&#8238;A calm day&#x26;amp;.", "A calm day&."],
  ])("%s", (text, shown) => {
    expect(withoutMarkup([text])).toEqual([shown]);
  });

  test("and a paragraph of only markup is removed", () => {
    expect(withoutMarkup(["<br/>", "A calm day.", "<script>alert(1)</script>"])).toEqual(["A calm day."]);
  });

  const pieces = [
    "<",
    ">",
    "/",
    "script",
    "b",
    " ",
    "&",
    "lt",
    "amp",
    ";",
    "#60",
    "[",
    "]",
    "(",
    ")",
    "x",
    "**",
    "```",
    "`",
    "＜",
    "＞",
    "javascript:",
    "data:text/h",
    "\n",
    "!",
    "--",
    "=",
    "## ",
  ];
  test("whatever its contents", () => {
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((all) => all.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        for (const paragraph of withoutMarkup([text])) {
          expect(markup.test(paragraph)).toBe(false);
          expect(wideMarkup.test(paragraph)).toBe(false);
        }
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });
});
