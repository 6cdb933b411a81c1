// The site in the configuration: its defaults, and the errors for settings that the theme has.
import { expect, test } from "vitest";
import { parseConfiguration } from "../../worker/settings/configuration.ts";

test("a site has defaults for everything", () => {
  expect(parseConfiguration({}, "x").site).toEqual({
    id: "almanac",
    name: "Almanac",
    url: "http://127.0.0.1:8420",
    tomorrow: false,
  });
});

test.each([
  ["colors", "`colors`"],
  ["stylesheet", "`stylesheets`"],
  ["footer", "`slots.footer` for pages and `newsletter.footer` for newsletters"],
])("the error for site.%s names the theme's field", (name, field) => {
  const config = { site: { [name]: {} } };
  expect(() => parseConfiguration(config, "almanac.config.ts")).toThrow(
    `site: "${name}" is not a setting. Set ${field} in the theme's theme.ts`,
  );
});

test("a misspelled setting of the site gets a suggestion", () => {
  expect(() => parseConfiguration({ site: { nmae: "Stars" } }, "x")).toThrow(
    'site: "nmae" is not a setting. Did you mean "name"?',
  );
});

test("a URL without its scheme is refused with the expected form", () => {
  expect(() => parseConfiguration({ site: { url: "stars.example" } }, "x")).toThrow(
    'site.url: must be a URL such as https://stars.example, not "stars.example". Did you mean "https://stars.example"?',
  );
});
