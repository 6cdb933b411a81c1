// Saves that an editor makes in several steps: a file that was read half-way is read again when it is complete.
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished, test } from "vitest";
import { watchSaved } from "../../worker/live/saved-files.ts";
import { folderWithFiles } from "../support/theme-folder.ts";
import { until } from "../support/until.ts";

const whole = "a { color: red }";

type Save = (file: string, seen: readonly string[]) => Promise<void> | void;

/** Saves, and waits until the last read returned the complete file. */
async function readWhole(name: string, save: Save): Promise<void> {
  const folder = folderWithFiles({ "almanac.config.ts": "", "theme/a.css": "a { color: tan }" });
  const themeFolder = join(folder, "theme");
  const file = join(themeFolder, name);
  const seen: string[] = [];
  const watch = watchSaved({ configFile: join(folder, "almanac.config.ts"), themeFolder }, () =>
    seen.push(readFileSync(file, "utf8")),
  );
  onTestFinished(() => watch.close());
  await save(file, seen);
  await until("the whole file to be read last", () => seen.at(-1) === whole);
}

/** Empties the file, and writes it in two parts. */
function slowly(pauseMs: number): Save {
  return async (file) => {
    const opened = openSync(file, "w");
    await sleep(pauseMs);
    writeSync(opened, whole.slice(0, 5));
    await sleep(pauseMs);
    writeSync(opened, whole.slice(5));
    closeSync(opened);
  };
}

test.each(["a.css", "new.css"])("%s is read whole in the end, however slowly it is written", async (name) => {
  for (const pauseMs of [0, 5, 19, 20, 21]) await readWhole(name, slowly(pauseMs));
  await readWhole(name, async (file, seen) => {
    writeFileSync(file, "");
    await until("the empty file to be read", () => seen.at(-1) === "");
    writeFileSync(file, whole);
  });
});

test("a file in a new folder, and one that replaces another, are read completely too", async () => {
  await readWhole("new/a.css", async (file, seen) => {
    mkdirSync(join(file, ".."));
    await slowly(50)(file, seen);
  });
  await readWhole("a.css", (file) => {
    writeFileSync(`${file}~`, whole);
    renameSync(`${file}~`, file);
  });
});
