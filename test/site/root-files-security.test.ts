import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePath } from "../../site/paths.ts";
import { renderShared } from "../../site/render.ts";
import { renderedIn, settings, summaryOf } from "./editions.ts";

const summary = summaryOf(renderedIn("en"), "en");
const path = ".well-known/security.txt";

function textWith(contact: string, ...dates: readonly string[]): string | undefined {
  const summaries = dates.map((date) => ({ ...summary, date }));
  const shared = renderShared(summaries.slice(0, 1), { ...settings, security: { contact } });
  const file = shared.find((one) => one.path === path);
  expect(file?.type).toBe("text/plain; charset=utf-8");
  return file && new TextDecoder().decode(file.bytes);
}

test("names the contact, and expires about half a year after the newest published day", () => {
  expect(textWith("security@almanac.example", "2026-11-22")).toBe(
    "Contact: mailto:security@almanac.example\n" +
      "Expires: 2027-05-01T00:00:00.000Z\n" +
      "Canonical: https://almanac.example/.well-known/security.txt\n",
  );
  expect(textWith("https://almanac.example/report", "2026-11-22")).toContain(
    "Contact: https://almanac.example/report\n",
  );
});

test("changes once a month, and always expires in less than the year that the standard allows", () => {
  expect(textWith("a@b.example", "2026-11-01")).toBe(textWith("a@b.example", "2026-11-30"));
  const day = fc.date({ min: new Date("2026-01-01"), max: new Date("2040-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(day, (published) => {
      const text = textWith("a@b.example", published.toISOString().slice(0, 10)) ?? "";
      const expires = Date.parse(/Expires: (\S+)/.exec(text)?.[1] ?? "");
      const days = (expires - published.getTime()) / 86_400_000;
      expect(days).toBeGreaterThan(149);
      expect(days).toBeLessThan(185);
    }),
    { numRuns: 20 },
  );
});

test("exists only if a contact is configured, on a path of the tree", () => {
  expect(renderShared([summary], settings).filter((one) => one.path === path)).toEqual([]);
  expect(parsePath(path)).toEqual({ row: "securityText" });
});
