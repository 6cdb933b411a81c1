// The WordPress plugin has a separate table of operations, because PHP can't read ours.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { operationNames } from "../../readings/tables.ts";

const source = new URL("../../packages/wordpress/almanac/includes/class-ask.php", import.meta.url);

test("the WordPress plugin offers every operation except the personal one", () => {
  const [, list = ""] =
    /function operations\(.*?return array\((.*?)\n\t\t\);/s.exec(readFileSync(source, "utf8")) ?? [];
  const offered = [...list.matchAll(/(?:'([^']+)'|self::PAIR) +=>/g)].map(
    ([, name]) => name ?? "love-compatibility",
  );
  const wanted = operationNames.filter((name) => name !== "which-animal-are-you-reading");
  expect(offered.toSorted()).toEqual(wanted.toSorted());
});
