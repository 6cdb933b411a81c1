import fc from "fast-check";
import { expect, it } from "vitest";
import { retryAfterMs } from "../../readings/answer.ts";

const receivedAt = new Date("2026-11-21T12:00:00Z");
const dayMs = 24 * 60 * 60 * 1000;

it.each([
  ["0", 0],
  ["120", 120_000],
  [" 5 ", 5000],
  ["86400", dayMs],
])("reads %j as seconds", (header, waitMs) => {
  expect(retryAfterMs(header, receivedAt)).toBe(waitMs);
});

it("reads a date as the time from the answer until then", () => {
  expect(retryAfterMs("Sat, 21 Nov 2026 12:00:30 GMT", receivedAt)).toBe(30_000);
  expect(retryAfterMs("Sun, 22 Nov 2026 00:00:00 GMT", receivedAt)).toBe(dayMs / 2);
});

it("treats a past date as no wait, and a distant date as a day at most", () => {
  expect(retryAfterMs("Sat, 21 Nov 2026 11:59:59 GMT", receivedAt)).toBe(0);
  expect(retryAfterMs("Thu, 01 Jan 1970 00:00:00 GMT", receivedAt)).toBe(0);
  expect(retryAfterMs("999999999", receivedAt)).toBe(dayMs);
  expect(retryAfterMs("Fri, 31 Dec 9999 23:59:59 GMT", receivedAt)).toBe(dayMs);
});

it.each([
  undefined,
  "",
  "soon",
  "-1",
  "1.5",
  "1e3",
  "0x10",
  "5 seconds",
  "9999999999",
  "2026-11-21T12:00:30Z",
  "Sat, 21 Nov 2026 12:00:30",
  "Sat, 21 Nov 2026 12:00:30 +0100",
  "Sat, 99 Nov 2026 12:00:30 GMT",
  "Sat, 21 Nov 2026 99:00:30 GMT",
])("says that it does not know rather than guess at %j", (header) => {
  expect(retryAfterMs(header, receivedAt)).toBeUndefined();
});

it("reads every HTTP date, and always returns between zero and a day", () => {
  const noInvalidDate = { min: new Date("1970-01-01"), max: new Date("9999-12-31"), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(noInvalidDate), (date) => {
      const whole = new Date(Math.floor(date.getTime() / 1000) * 1000);
      const expected = Math.min(Math.max(whole.getTime() - receivedAt.getTime(), 0), dayMs);
      expect(retryAfterMs(whole.toUTCString(), receivedAt)).toBe(expected);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const waitMs = retryAfterMs(text, receivedAt);
      expect(waitMs === undefined || (waitMs >= 0 && waitMs <= dayMs)).toBe(true);
    }),
  );
});
