import { expect, test } from "vitest";
import { createTurns } from "../../activities/turns.ts";

test("the second with a key waits for the first, whichever way that ends; another key does not", async () => {
  const inTurn = createTurns();
  const { signal } = new AbortController();
  const begun: string[] = [];
  const first = Promise.withResolvers<string>();
  const turn = (key: string, name: string, work: Promise<string>) =>
    inTurn(key, signal, () => {
      begun.push(name);
      return work;
    });
  const failing = turn("leo", "first", first.promise);
  const second = turn("leo", "second", Promise.resolve("kept"));
  const third = turn("leo", "third", Promise.resolve("held"));
  expect(await turn("virgo", "other", Promise.resolve("kept"))).toBe("kept");
  expect(begun).toEqual(["first", "other"]);
  first.reject(new Error("no answer"));
  await expect(failing).rejects.toThrow("no answer");
  expect(await Promise.all([second, third])).toEqual(["kept", "held"]);
  expect(begun).toEqual(["first", "other", "second", "third"]);
});

test("whoever is cancelled while waiting leaves at once, and nobody goes before the first has ended", async () => {
  const inTurn = createTurns();
  const cancelled = new AbortController();
  const { signal } = new AbortController();
  const first = Promise.withResolvers<string>();
  const begun: string[] = [];
  const one = inTurn("leo", signal, () => first.promise);
  const two = inTurn("leo", cancelled.signal, async () => begun.push("two"));
  const three = inTurn("leo", signal, async () => begun.push("three"));
  cancelled.abort(new Error("cancelled"));
  await expect(two).rejects.toThrow("cancelled");
  expect(begun).toEqual([]);
  first.resolve("kept");
  await Promise.all([one, three]);
  expect(begun).toEqual(["three"]);
});
