// Report on the difference between two versions of a published file.
import { expect, test } from "vitest";
import { differenceOf } from "../../insight/file-difference.ts";

test("shows removed and added lines side by side, without unchanged ones", () => {
  const lines = (before: string, after: string) => differenceOf(before, after, "a.txt").lines;
  expect(lines("a\nb\nc\nd", "a\nx\nc\ne\nd")).toEqual(["- b", "+ x", "+ e"]);
  expect(lines("a\nb", "a")).toEqual(["- b"]);
  expect(lines("", "")).toEqual([]);
});

test("reports no lines if only blanks differ", () => {
  expect(differenceOf("<p>a</p>  ", "<p>a</p>", "a.html")).toEqual({ lines: [], more: 0 });
  expect(differenceOf('{"a": 1}', '{"a":1}', "a.json")).toEqual({ lines: [], more: 0 });
});
