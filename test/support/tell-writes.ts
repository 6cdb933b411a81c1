// Preloaded into a process that is to be killed: reports each write of a folder store, once it is in place, by a byte on its fourth
// stream. After the write that the environment names, it pauses for a moment, so that it can be killed right there, even while it
// holds the folder's lock.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const told = 3;
const standAfter = Number(process.env["ALMANAC_TEST_STAND_AFTER"] ?? 0);
const standMs = Number(process.env["ALMANAC_TEST_STAND_MS"] ?? 0);
const aside = "/.writing/";
let writes = 0;

function tell(): void {
  writes += 1;
  try {
    fs.writeSync(told, ".");
  } catch {
    return; // nobody listens any more
  }
  if (writes === standAfter && standMs > 0) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, standMs);
  }
}

const { renameSync, unlinkSync } = fs;
fs.renameSync = (from, to) => {
  renameSync(from, to);
  if (String(from).includes(aside)) tell();
};
fs.unlinkSync = (path) => {
  unlinkSync(path);
  if (!String(path).includes(aside)) tell();
};
syncBuiltinESMExports();
