// The plugin's own code by PHP itself, without a WordPress: whatever shape a document has, a page has no fault, and shows the last
// good text or nothing; and a foreign site's minute is over when it is over.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { atEachField, shapes } from "../client/support/shapes.ts";
import { hostilePaths } from "../client/support/hostile-paths.ts";
import { newWorld, type World } from "../client/support/world.ts";

const pluginFolder = fileURLToPath(new URL("../../packages/wordpress/almanac", import.meta.url));
const script = fileURLToPath(new URL("wordpress/shapes.php", import.meta.url));
const latest = "v1/en/daily/latest.json";
const words = "v1/en/words.json";

function shown(good: object, attributes: object, cases: readonly object[]): string[] {
  const printed = execFileSync("php", [script, pluginFolder], {
    input: JSON.stringify({ good, attributes, cases }),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  return z.array(z.string()).parse(JSON.parse(printed));
}

const until = "2099-01-01T00:00:00.000Z";
const textOf = (document: unknown) => JSON.stringify(document) ?? "null";

async function goodFiles(world: World, path: string) {
  const document = { ...Object(await world.json(path)), validUntil: until, nextAt: until };
  return { document, good: { [path]: textOf(document), [words]: textOf(await world.json(words)) } };
}

test("a field of another kind of reading gives no fault", async () => {
  const path = "v1/en/daily-tarot/latest.json";
  const { document, good } = await goodFiles(await newWorld(), path);
  const cases = ["sign", "sign1", "sign2"].map((name) => {
    const reading = { ...document.reading, [name]: {} };
    return { name, documents: { [path]: textOf({ ...document, reading }) } };
  });
  const pages = shown(good, { operation: "daily-tarot" }, cases);
  expect(pages.filter((page) => page.includes("FAULT") || page === "")).toEqual([]);
});

test.each([
  ["a horoscope", latest, { sign: "leo", period: "daily" }],
  ["cards", "v1/en/daily-tarot/latest.json", { operation: "daily-tarot" }],
  ["a pair", "v1/en/love-compatibility/aries-leo.json", { operation: "love-compatibility" }],
])("%s of any shape gives a page without a fault, with a text in it", async (_, path, attributes) => {
  const world = await newWorld();
  const { document, good } = await goodFiles(world, path);
  const { readings, ...rest } = document;
  const whole = readings === undefined ? document : { ...rest, readings: { leo: readings.leo } };
  const tried = [
    ...atEachField(whole, path).map(({ name, value }) => ({ name, documents: { [path]: textOf(value) } })),
    ...atEachField(await world.json(words), words)
      .filter(({ name }) => (name.match(/\./g) ?? []).length < 4)
      .map(({ name, value }) => ({ name, documents: { [words]: textOf(value) } })),
  ];
  const cases = [...tried, ...tried.map((one) => ({ ...one, before: false }))];
  const pages = shown(good, attributes, cases);
  expect(cases.length).toBeGreaterThan(shapes.length * 20);
  const faults = cases
    .map(({ name }, index) => `${name}: ${pages[index]}`)
    .filter((page) => page.includes("FAULT"));
  expect(faults).toEqual([]);
  // Such a document lacks the sign's text, as after a withdrawal; any other one keeps the last good text.
  const hasNone = /readings(?:\.leo missing| an? (?:empty (?:list|object)|list .*|object in objects))$/;
  const lost = tried.filter(({ name }, index) => pages[index] === "" && !hasNone.test(name));
  expect(lost.map(({ name }) => name)).toEqual([]);
});

test("a site without a key is read again after a foreign one of the highest version", async () => {
  const { document, good } = await goodFiles(await newWorld(), latest);
  const { leo } = document.readings;
  const reading = { ...leo, sections: { ...leo.sections, personal: ["Send money."] } };
  const foreign = { [latest]: textOf({ ...document, readings: { leo: reading } }) };
  const states = [
    { version: Number.MAX_SAFE_INTEGER, documents: foreign },
    { version: 2, documents: {} },
  ];
  const pages = shown(good, { sign: "leo", period: "daily" }, [
    { states },
    { states, before: false },
    { states: states.slice(0, 1) },
  ]);
  expect(pages.map((page) => page.includes("Send money."))).toEqual([false, false, true]);
});

test("the plugin takes the same paths for published ones as the client", () => {
  const code = `function __($t) { return $t; } define('ABSPATH', '.'); require $argv[1] . '/includes/class-published-site.php';
    foreach (json_decode(stream_get_contents(STDIN)) as $path) echo (int) Almanac\\Published_Site::is_path($path);`;
  const good = [latest, words, "v1/index.json", "v1/schemas/sign.json", "en/feed.json"];
  const told = execFileSync("php", ["-r", code, pluginFolder], {
    input: JSON.stringify([...good, ...hostilePaths]),
  });
  expect(String(told)).toBe("1".repeat(good.length) + "0".repeat(hostilePaths.length));
});
