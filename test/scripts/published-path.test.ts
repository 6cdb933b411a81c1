import { expect, test } from "vitest";
import { WrongUsage } from "../../scripts/terminal/errors.ts";
import { pathIn } from "../../scripts/terminal/published-path.ts";

const plain = "https://almanac.example";
const deep = "https://almanac.example/stars";

test.each([
  ["/en/daily/leo/", plain, "en/daily/leo/index.html"],
  ["en/daily/leo", plain, "en/daily/leo/index.html"],
  ["en/daily/leo/index.html", plain, "en/daily/leo/index.html"],
  ["/v1/en/daily/latest.json", plain, "v1/en/daily/latest.json"],
  ["https://almanac.example/en/daily/leo/?from=mail#text", plain, "en/daily/leo/index.html"],
  ["HTTPS://ALMANAC.example/en/", plain, "en/index.html"],
  ["https://almanac.example/stars/en/daily/leo/", deep, "en/daily/leo/index.html"],
  ["http://127.0.0.1:8420/en/daily/leo/", deep, "en/daily/leo/index.html"],
  ["/en/../hi/daily/leo/", plain, "hi/daily/leo/index.html"],
  ["/", plain, "index.html"],
])("%s on %s is %s", (text, site, path) => {
  expect(pathIn(text, site)).toBe(path);
});

test.each([
  ["https://elsewhere.example/en/", plain],
  ["http://almanac.example/en/", plain],
  ["https://almanac.example/en/", deep],
  ["/en/%ff/", plain],
])("%s is no path of %s", (text, site) => {
  expect(() => pathIn(text, site)).toThrow(WrongUsage);
});
