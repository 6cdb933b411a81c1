import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formOf } from "../../service/service.ts";

const value = fc.string({ unit: fc.constantFrom("a", "é", "हि", "𓂀", "\r", "\n", '"', "-", "=", " ") });

test("a form equals the platform's own encoding byte for byte, except for its boundary", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom("api_key", "sign", "full_name"), value)),
      async (fields) => {
        const { type, body } = formOf(fields);
        const given = new FormData();
        for (const [name, text] of fields) given.append(name, text);
        const platform = new Response(given);
        const boundaryOf = (header: string | null) => header?.split("boundary=")[1] ?? "none";
        const expected = (await platform.text()).replaceAll(
          boundaryOf(platform.headers.get("content-type")),
          boundaryOf(type),
        );
        expect(body).toBe(expected);
      },
    ),
  );
});

test("each form has an unpredictable boundary, which no text can contain", () => {
  expect(formOf([]).type).not.toBe(formOf([]).type);
});
