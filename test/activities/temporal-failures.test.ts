import { ApplicationFailure } from "@temporalio/common";
import { expect, test } from "vitest";
import { outcomeOf, toTemporal } from "../../activities/temporal-failures.ts";
import { Rejected, Unavailable, Unfit } from "../../readings/answer.ts";
import { requestKey } from "../../readings/request.ts";
import { requestFor } from "../support/requests.ts";

const facts = {
  key: requestKey(requestFor("daily-horoscope", "en")),
  address: "http://127.0.0.1:9/",
  seen: "nothing",
};

function named(name: string): Error {
  return Object.assign(new Error("a reason"), { name });
}

function failureFor(error: unknown): ApplicationFailure {
  const failure = toTemporal(error, 1);
  if (failure instanceof ApplicationFailure) return failure;
  throw new Error(`expected an ApplicationFailure, got ${String(failure)}`);
}

test.each([
  ["a fault of our own", new TypeError("a is not a function"), "TypeError"],
  ["a rejected request", new Rejected(facts), "Rejected"],
  ["an unfit response", new Unfit("length", facts), "Unfit"],
  ["a thrown text", "no error object", "Error"],
])("Temporal does not retry %s for ever", (_what, error, type) => {
  expect(failureFor(error)).toMatchObject({ type, nonRetryable: true });
});

test.each([
  ["a store that fails", named("StoreFailure"), undefined],
  ["a credentials file in the middle of a rotation", named("CredentialsUnreadable"), undefined],
  ["a batch that came to a standby", named("NotOwner"), 1_000],
  ["a batch whose calls were held up on their way out", named("HeldUp"), 1_000],
  ["a batch of another build's format", named("AnotherBuild"), 5_000],
])("Temporal retries %s", (_what, error, nextRetryDelay) => {
  const failure = failureFor(error);
  expect(failure).toMatchObject({ type: error.name, nextRetryDelay });
  expect(failure.nonRetryable).not.toBe(true);
});

test("Temporal retries a call without a response after the pause that the service names", () => {
  const failure = failureFor(new Unavailable(facts, { retryAfterMs: 30_000 }));
  expect(failure).toMatchObject({ type: "Unavailable" });
  expect(failure.nonRetryable).not.toBe(true);
  expect(Number(failure.nextRetryDelay)).toBeGreaterThanOrEqual(30_000);
  expect(Number(failure.nextRetryDelay)).toBeLessThan(31_000);
});

test("an internal error fails only its request, and names the reason", () => {
  expect(outcomeOf(new TypeError("a is not a function"), 2)).toEqual({
    kind: "failed",
    type: "Fault",
    reason: "a is not a function",
    tries: 2,
  });
});
