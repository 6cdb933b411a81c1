// The hashes of a sheet and of a text: the same whenever the readings say the same, whatever order they and their fields come in.
import { createHash } from "node:crypto";
import type { Reading } from "../readings/reading.schema.ts";
import type { Sheet } from "./edition.ts";

export function sheetHash({ readings }: Pick<Sheet, "readings">): string {
  const hashes = readings.map(({ reading }) => sha256(JSON.stringify(reading, inOrder)));
  return sha256(hashes.sort().join("\n"));
}

/** The hash of what a reading says, without its pictures: where these come later, readers have read the text already. */
export function textHash(reading: Reading): string {
  return sha256(
    JSON.stringify(reading, (key, value: unknown) => (key === "images" ? undefined : inOrder(key, value))),
  );
}

function sha256(text: string) {
  return createHash("sha256").update(text).digest("hex");
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
