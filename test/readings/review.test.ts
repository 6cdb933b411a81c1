// The clearance of review, as a function of the settings, the decisions on a set's texts, and the date.
import fc from "fast-check";
import { expect, test } from "vitest";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { decidedOn, clearanceOf, reviewOf } from "../../readings/review.ts";

const rule = fc.record({
  mode: fc.constantFrom("none", "before", "after"),
  late: fc.constantFrom("hold", "publish"),
} as const);
const decision = fc.constantFrom("approve", "reject", undefined);
const decisions = fc.array(decision, { minLength: 1, maxLength: 12 });

test("a rejected text keeps its set from being published, whatever the settings are", () => {
  fc.assert(
    fc.property(rule, decisions, fc.boolean(), (settings, all, isDue) => {
      expect(clearanceOf(settings, [...all, "reject"], isDue)).toBe("rejected");
    }),
  );
});

test("a set whose texts are all approved may be published, whatever the settings are", () => {
  const approved = fc.array(fc.constant("approve" as const), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(rule, approved, fc.boolean(), (settings, all, isDue) => {
      expect(clearanceOf(settings, all, isDue)).toBe("open");
    }),
  );
});

test("a set with a text that nobody has seen waits only under `before`, and with `publish` only until its midnight", () => {
  const unseen = fc.array(fc.constantFrom("approve" as const, undefined), { maxLength: 11 });
  fc.assert(
    fc.property(rule, unseen, fc.boolean(), (settings, others, isDue) => {
      const { mode, late } = settings;
      const waits = mode === "before" && !(late === "publish" && isDue);
      expect(clearanceOf(settings, [...others, undefined], isDue)).toBe(waits ? "waiting" : "open");
    }),
  );
});

test("a decision on one text more never changes a set from waiting to open, except an approval of its last text", () => {
  fc.assert(
    fc.property(rule, decisions, decision, fc.nat(11), (settings, all, next, at) => {
      const after = all.map((one, index) => (index === at % all.length ? next : one));
      const isOpened =
        clearanceOf(settings, all, false) === "waiting" && clearanceOf(settings, after, false) === "open";
      if (isOpened) expect(after.every((one) => one === "approve")).toBe(true);
    }),
  );
});

test("an operation's mode comes before its language's, and `late` holds unless the configuration says otherwise", () => {
  const { review } = configurationSchema.parse({
    review: { hi: { mode: "before", operations: { "daily-tarot": "none" } }, ar: { late: "publish" } },
  });
  const of = (language: "hi" | "ar" | "en", operation: "daily-tarot" | "daily-horoscope") =>
    reviewOf({ language, operation }, { review });
  expect(of("hi", "daily-horoscope")).toEqual({ mode: "before", late: "hold" });
  expect(of("hi", "daily-tarot")).toEqual({ mode: "none", late: "hold" });
  expect(of("ar", "daily-tarot")).toEqual({ mode: "none", late: "publish" });
  expect(of("en", "daily-tarot")).toEqual({ mode: "none", late: "hold" });
});

test("review ends on the first day of a period; a text without dates gets until the midnight after it was received", () => {
  const received = "2026-11-21T20:00:00.000Z";
  const on = (operation: Parameters<typeof decidedOn>[0]["operation"], period: string) =>
    decidedOn({ operation, period }, received, "Asia/Kolkata");
  expect(on("daily-horoscope", "2026-11-22")).toBe("2026-11-22");
  expect(on("weekly-horoscope", "2026-11-29")).toBe("2026-11-29");
  expect(on("monthly-horoscope", "2026-12")).toBe("2026-12-01");
  expect(on("yearly-horoscope", "2027")).toBe("2027-01-01");
  expect(on("daily-tarot", "2026-11-22")).toBe("2026-11-22");
  // It is already the 22nd there.
  expect(on("love-compatibility", "2026-Q4")).toBe("2026-11-23");
  expect(on("which-animal-are-you-reading", "always")).toBe("2026-11-23");
});
