// Detection of the unavailable part of an endpoint, by one worker's unanswered calls.
import { expect, test } from "vitest";
import { type AwayScope, CallsInVain } from "../../service/calls-in-vain.ts";
import type { Language } from "../../readings/tables.ts";

type Operation = "wisdom-reading" | "daily-tarot";

function asked(operation: Operation, language: Language) {
  return { operation, language, period: "2026-11-21" } as const;
}

/** Every scope that closed, in its order, where each call of the list fails. */
function closedBy(failing: readonly (readonly [Operation, Language])[]): AwayScope[] {
  const inVain = new CallsInVain();
  const closed: AwayScope[] = [];
  for (const [operation, language] of failing) {
    const request = asked(operation, language);
    const scope = inVain.failed(request);
    if (scope === undefined) continue;
    inVain.forget(request, scope);
    closed.push(scope);
  }
  return closed;
}

function calls(count: number, operation: Operation, ...languages: Language[]) {
  return Array.from({ length: count }, () =>
    languages.map((language) => [operation, language] as const),
  ).flat();
}

test("two failing languages close themselves, and no third", () => {
  expect(closedBy(calls(9, "wisdom-reading", "ru", "pt"))).toEqual([
    { operation: "wisdom-reading", language: "ru" },
    { operation: "wisdom-reading", language: "pt" },
  ]);
});

test("one operation that fails in three languages closes in all, and no other operation", () => {
  expect(closedBy(calls(2, "wisdom-reading", "ru", "pt", "es"))).toEqual([{ operation: "wisdom-reading" }]);
});

test("two failing operations of a language close the language", () => {
  expect(closedBy([...calls(3, "wisdom-reading", "ru"), ...calls(3, "daily-tarot", "ru")])).toEqual([
    { language: "ru" },
  ]);
});

test("two operations that fail in three languages close the endpoint", () => {
  const mixed = [...calls(2, "wisdom-reading", "ru", "pt"), ...calls(2, "daily-tarot", "es")];
  expect(closedBy(mixed)).toEqual([{}]);
});

test("a response resets its own counts and no others", () => {
  const inVain = new CallsInVain();
  for (let count = 0; count < 5; count += 1) inVain.failed(asked("wisdom-reading", "ru"));
  inVain.answered(asked("wisdom-reading", "es"));
  expect(inVain.failed(asked("wisdom-reading", "ru"))).toEqual({
    operation: "wisdom-reading",
    language: "ru",
  });
});

test("another owner's findings count for the whole endpoint, but other workers' calls do not", () => {
  const inVain = new CallsInVain();
  const known = [
    { operation: "daily-tarot", language: "pt" },
    { operation: "daily-tarot", language: "es" },
  ] as const;
  const failed = () => inVain.failed(asked("wisdom-reading", "ru"), { known });
  const scopes = Array.from({ length: 6 }, failed);
  expect(scopes.slice(0, 5)).toEqual(Array(5).fill(undefined));
  expect(scopes.at(-1)).toEqual({ operation: "wisdom-reading", language: "ru" });
  inVain.forget(asked("wisdom-reading", "ru"), { operation: "wisdom-reading", language: "ru" });
  expect(failed()).toEqual({});
});

test("rate limits of a third language next to two unavailable ones don't close the endpoint, but limits everywhere do", () => {
  const inVain = new CallsInVain();
  const failed = (operation: Operation, language: Language, isLimit: boolean) =>
    inVain.failed(asked(operation, language), { isLimit });
  for (const operation of ["wisdom-reading", "daily-tarot"] as const)
    for (const language of ["ru", "pt"] as const) expect(failed(operation, language, false)).toBeUndefined();
  for (let count = 0; count < 3; count += 1) expect(failed("wisdom-reading", "es", true)).toBeUndefined();
  for (const language of ["ru", "pt"] as const) expect(failed("daily-tarot", language, true)).toBeUndefined();
  expect(failed("daily-tarot", "es", true)).toEqual({});
});
