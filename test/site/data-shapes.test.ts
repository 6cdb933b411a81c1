// The published shapes, held by a validator that is not ours, and held still: a changed one is a changed contract.
import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { languageNames } from "../../readings/tables.ts";
import contract from "../../site/contract.json" with { type: "json" };
import { schemaOf } from "../../site/data.ts";
import { shapeNames } from "../../site/data.schema.ts";
import { renderShared } from "../../site/render.ts";
import { deep } from "../support/deep.ts";
import { renderedIn, settings, summaryOf, textOf } from "./editions.ts";
import { languageOfEachScript } from "./kinds.ts";

const shared = renderShared(
  languageNames.map((language) => summaryOf(renderedIn(language), language)),
  settings,
);

/** In npm test one language of each script: shapes don't depend on the letters. */
const tried = deep ? languageNames : languageOfEachScript;

/** Strict mode: everything that JSON Schema would ignore is an error. */
function validatorOf(): Ajv2020 {
  const validator = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(validator);
  return validator;
}

const json = z.record(z.string(), z.unknown());
const named = z.object({ $schema: z.string() });
const jsonIn = (files: typeof shared, path: string) => json.parse(JSON.parse(textOf(files, path)));

describe("an independent validator", () => {
  const validator = validatorOf();
  for (const name of shapeNames) validator.addSchema(jsonIn(shared, `v1/schemas/${name}.json`));

  test.each(tried)("finds every JSON file in %s to be what its $schema says", (language) => {
    const files = renderedIn(language).filter(
      ({ path }) => path.endsWith(".json") && !path.endsWith("feed.json"),
    );
    expect(files.length).toBeGreaterThan(3);
    for (const { path } of files) {
      const document = jsonIn(files, path);
      const validate = validator.getSchema(named.parse(document).$schema);
      expect([path, validate?.(document), validate?.errors]).toEqual([path, true, null]);
    }
  });

  test("finds the same of what belongs to all languages", () => {
    for (const { path } of shared.filter((file) => /^v1\/[a-z]+\.json$/.test(file.path))) {
      if (path === "v1/openapi.json") continue; // that has no place for it
      const document = jsonIn(shared, path);
      const validate = validator.getSchema(named.parse(document).$schema);
      expect([path, validate?.(document), validate?.errors]).toEqual([path, true, null]);
    }
  });

  test("refuses a document with a field too many, one too few, or of another kind", () => {
    const path = "v1/en/daily/2026-11-21/leo.json";
    const document = jsonIn(renderedIn("en"), path);
    const validate = validator.getSchema("https://almanac.example/v1/schemas/sign.json");
    expect(validate?.(document)).toBe(true);
    expect(validate?.({ ...document, more: 1 })).toBe(false);
    expect(validate?.({ ...document, set: undefined })).toBe(false);
    expect(validate?.({ ...document, validFrom: "tomorrow" })).toBe(false);
    expect(validate?.(jsonIn(renderedIn("en"), "v1/en/daily-tarot/latest.json"))).toBe(false);
  });
});

describe("the OpenAPI document", () => {
  const document = jsonIn(shared, "v1/openapi.json");
  const { openapi, paths, components } = z
    .object({
      openapi: z.string(),
      paths: z.record(
        z.string(),
        z.object({
          get: z.object({
            operationId: z.string(),
            parameters: z.array(z.object({ $ref: z.string() })).optional(),
            responses: z.object({
              200: z.object({
                content: z.object({
                  "application/json": z.object({
                    schema: json,
                    examples: z.record(z.string(), z.object({ $ref: z.string() })),
                  }),
                }),
                links: z
                  .record(
                    z.string(),
                    z.object({ operationId: z.string(), parameters: z.record(z.string(), z.string()) }),
                  )
                  .optional(),
              }),
            }),
          }),
        }),
      ),
      components: z.object({
        parameters: z.record(
          z.string(),
          z.object({ name: z.string(), in: z.literal("path"), schema: json, example: z.string() }),
        ),
        examples: z.record(z.string(), z.object({ value: json })),
        schemas: z.record(z.string(), json),
      }),
    })
    .parse(document);
  const validator = validatorOf();
  for (const [name, schema] of Object.entries(components.schemas))
    validator.addSchema(schema, `shape:${name}`);

  /** A path of the document as a regular expression; a parameter accepts the values of its schema. */
  const routes = Object.entries(paths).map(([path, { get }]) => {
    const pattern = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[^/]+?)`);
    const checks = new Map<string, ValidateFunction>();
    for (const { $ref } of get.parameters ?? []) {
      const name = $ref.slice("#/components/parameters/".length);
      checks.set(name, validator.compile(components.parameters[name]?.schema ?? false));
    }
    const { schema, examples: references } = get.responses[200].content["application/json"];
    const examples = Object.values(references).map(({ $ref }) => {
      return components.examples[$ref.slice("#/components/examples/".length)]?.value;
    });
    const text = JSON.stringify(schema).replaceAll("#/components/schemas/", "shape:");
    const validate = validator.compile(json.parse(JSON.parse(text)));
    return { path, get, expression: new RegExp(`^${pattern}$`), checks, schema, examples, validate };
  });
  const routesTo = (path: string) =>
    routes.filter(({ expression, checks }) => {
      const { groups } = expression.exec(`/${path}`) ?? {};
      if (!expression.test(`/${path}`)) return false;
      return [...checks].every(([name, check]) => check(groups?.[name]));
    });

  test.each(tried)("has one path for each JSON file in %s, whose schema it fits", (language) => {
    const files = [...renderedIn(language), ...shared];
    for (const { path } of files) {
      if (!path.endsWith(".json") || /feed\.json$|schemas\/|openapi\.json$/.test(path)) continue;
      const found = routesTo(path);
      expect([path, found.map((route) => route.path)]).toEqual([path, [expect.anything()]]);
      const [route] = found;
      const fits = route?.validate(jsonIn(files, path));
      expect([path, fits, route?.validate.errors]).toEqual([path, true, null]);
    }
  });

  test("has for each path an example of what its parameters take, and of each shape that it answers with", () => {
    for (const { path, checks, schema, examples, validate } of routes) {
      for (const [name, check] of checks)
        expect([path, name, check(components.parameters[name]?.example)]).toEqual([path, name, true]);
      expect(examples).toHaveLength(Array.isArray(schema["anyOf"]) ? schema["anyOf"].length : 1);
      for (const example of examples)
        expect([path, validate(example), validate.errors]).toEqual([path, true, null]);
    }
  });

  test("leads with each link to one of its paths, and names there each of its parameters", () => {
    const links = routes.flatMap(({ get }) => Object.values(get.responses[200].links ?? {}));
    const byId = new Map(routes.map((route) => [route.get.operationId, route]));
    for (const { operationId, parameters } of links) {
      const { checks } = byId.get(operationId) ?? {};
      expect([operationId, Object.keys(parameters)]).toEqual([operationId, [...(checks?.keys() ?? [])]]);
    }
    const dated = routes.filter(({ path }) => /\{(?:date|week|month|year|hash)\}/.test(path));
    const led = new Set(links.map(({ operationId }) => operationId));
    expect(dated.filter(({ get }) => !led.has(get.operationId)).map(({ path }) => path)).toEqual([]);
  });

  test("stays the same from night to night", () => {
    const later = languageNames.map((language) => {
      const summary = summaryOf(renderedIn(language), language);
      return { ...summary, date: "2027-01-03", newest: {}, receivedAt: "2027-01-02T08:05:00.000Z" };
    });
    expect(textOf(renderShared(later, settings), "v1/openapi.json")).toBe(textOf(shared, "v1/openapi.json"));
  });

  test("is of version 3.1, names each operation once and no parameter that is not in its path", () => {
    expect(openapi).toMatch(/^3\.1\.\d$/);
    const ids = Object.values(paths).map(({ get }) => get.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index || !/^[a-z]\w+$/.test(id))).toEqual([]);
    for (const [path, { get }] of Object.entries(paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(get.parameters?.map(({ $ref }) => $ref.split("/").at(-1)) ?? []).toEqual(inPath);
    }
    const alike = Object.keys(paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}"));
    expect(new Set(alike).size).toBe(alike.length);
  });
});

describe("a published shape that changes", () => {
  test.each(shapeNames)("fails here until the change of %s is written down", (name) => {
    const recorded = readFileSync(new URL(`shapes/${name}.json`, import.meta.url), "utf8");
    expect(
      `${JSON.stringify(schemaOf(name), undefined, 2)}\n`,
      `the shape of v1/schemas/${name}.json has changed, which consumers rely on. Can an old reader still read it? If not, publish ` +
        "it under a new path, or raise the reading's `format`. Then run `npm run shapes`, which raises OpenAPI's version in " +
        "site/contract.json",
    ).toBe(recorded);
  });

  test("fails here until the changelog describes the contract's version", () => {
    const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
    expect(changelog, "what changes for consumers?").toContain(`contract ${contract.version}`);
  });
});
