import { expect, test } from "vitest";
import { absent, always, storeWithin } from "../../store/store.ts";
import { openMemory } from "../support/memory.ts";
import { keysOf, textAt } from "../support/stores.ts";

test("a part of a store shows and changes only its own keys", async () => {
  const whole = openMemory();
  const part = storeWithin(storeWithin(whole, "sites/"), "one/");
  const body = Buffer.from("one");
  await whole.write("sites/one.json", body, { type: "" }, always);
  await whole.write("sites/other/a.json", body, { type: "" }, always);
  expect((await part.write("b/a.json", body, { type: "" }, absent)).kind).toBe("written");
  expect((await part.write("b/a.json", body, { type: "" }, absent)).kind).toBe("refused");
  expect(await textAt(whole, "sites/one/b/a.json")).toBe("one");
  expect(await textAt(part, "b/a.json")).toBe("one");
  expect(await keysOf(part)).toEqual(["b/a.json"]);
  expect(await Array.fromAsync(part.keys("b/"))).toEqual(["b/a.json"]);
  expect(part.prefix).toBe("sites/one/");
  await part.remove(["b/a.json"]);
  expect(await keysOf(whole)).toEqual(["sites/one.json", "sites/other/a.json"]);
});
