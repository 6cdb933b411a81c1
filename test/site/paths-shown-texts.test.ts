import { expect, test } from "vitest";
import { requestKey } from "../../readings/request.ts";
import { signs } from "../../readings/tables.ts";
import { ownPaths, parsePath, passingPaths, textOnPath } from "../../site/paths.ts";
import { tree } from "../../site/tree.ts";
import { allRequests } from "../support/requests.ts";
import { renderedIn } from "./editions.ts";

test("every request is found from each of its own paths", () => {
  for (const request of allRequests) {
    const key = requestKey(request);
    const paths = ownPaths(request);
    expect([key, paths.length > 0]).toEqual([key, true]);
    for (const path of paths) {
      const shown = textOnPath(path);
      const found =
        shown?.kind === "pair" ? shown.at(request.period) : shown?.kind === "text" && shown.request;
      expect([path, found && requestKey(found), shown?.isAll]).toEqual([path, key, false]);
    }
  }
});

test("paths that show a text temporarily show the current one of their kind, or many", () => {
  for (const request of allRequests) {
    for (const path of passingPaths(request, true)) {
      const shown = textOnPath(path);
      if (shown?.isAll || shown?.kind !== "current") expect([undefined, true]).toContain(shown?.isAll);
      else expect(requestKey(shown.at(request.period) ?? request)).toBe(requestKey(request));
    }
  }
});

test("in a whole edition, every path of a single text is known, and no other path is mistaken for one", () => {
  const kindOn = (path: string) => {
    const shown = textOnPath(path);
    return shown?.isAll ? "twelve" : shown?.kind;
  };
  const kinds = new Map(renderedIn("en").map(({ path }) => [path, kindOn(path)]));
  // Almanac's own words are no text of the service, and a deck and an archive are of many.
  const others = new Set(["own", "deck", "month"]);
  const rowOn = (path: string) => tree[parsePath(path)?.row ?? "frontPage"];
  const unknown = [...kinds]
    .filter(([path, kind]) => kind === undefined && !others.has(rowOn(path).shows))
    .map(([path]) => path);
  expect(unknown).toEqual(
    [
      "en/archive/index.html",
      "en/cards/index.html",
      "en/follow/index.html",
      "en/index.html",
      ...signs.map((sign) => `en/love-compatibility/${sign}/index.html`),
      "en/love-compatibility/index.html",
      "v1/en/index.json",
    ].sort(),
  );
  expect(kinds.get("v1/en/weekly/2026-11-15.json")).toBe("twelve");
  expect(kinds.get("en/daily/leo/index.html")).toBe("current");
  expect(kinds.get("en/daily/leo/feed.xml")).toBe("current");
  expect(kinds.get("en/feed.json")).toBe("twelve");
  expect(kinds.get("en/feed.xml")).toBe("twelve");
  expect(kinds.get("en/newsletter/2026-11-20/leo.txt")).toBe("text");
  expect(kinds.get("en/newsletter/2026-11-20.json")).toBe("twelve");
});

test.each([
  "",
  "index.html",
  "v1/index.json",
  "v1/pointer.json",
  "v1/en/daily/2026-11-31/leo.json",
  "v1/en/weekly/2026-11-16/leo.json",
  "en/daily/serpent/index.html",
  "en/daily/leo/2026-11-21/more/index.html",
  "en/daily-tarot/2026-11-21/index.html",
  "en/daily/feed.json",
  "en/newsletter/2026-11-31.html",
  "en/newsletter/2026-11-21/leo.json",
  "en/newsletter/2026-11-21/serpent.txt",
  "gu/newsletter/2026-11-21.html",
  "en/weekly/leo/feed.json",
  "en/daily/leo/2026-11-21/feed.json",
  "gu/daily/leo/2026-11-21/index.html",
  "gu/daily-tarot/index.html",
  "xx/daily/leo/index.html",
  "en/people/../index.html",
  "v1/en/people/example.json",
  "en/love-compatibility/leo/index.html",
])("nothing stands on %j", (path) => {
  expect(textOnPath(path)).toBeUndefined();
});
