// Types of the element in a page's own TypeScript. test/browser/reading-element.test.ts tests its behavior.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = new URL("../../", import.meta.url);

const page = `import type { AlmanacReading } from "./almanac-reading.js";
const element: AlmanacReading | null = document.querySelector("almanac-reading");
element?.setAttribute("sign", "leo");
element?.addEventListener("click", (event) => event.clientX);
element?.addEventListener("reading", ({ detail }) => {
  if (detail.data === undefined) return detail.reason?.name;
  if (detail.stale) return detail.reason.message;
  const { reading } = detail.data;
  return reading.family === "horoscope" ? reading.sections.personal.join() : reading.operation;
}, { once: true });
// @ts-expect-error a reading that may not be there
element?.addEventListener("reading", ({ detail }) => detail.data.reading);
`;

test("the published types tell a page what the element is and what its event brings", () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-types-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["almanac.d.ts", "almanac-reading.d.ts"])
    copyFileSync(new URL(`packages/client/${name}`, root), join(folder, name));
  writeFileSync(join(folder, "page.ts"), page);
  const options = ["--strict", "--noEmit", "--module", "esnext", "--moduleResolution", "bundler"];
  const tsc = fileURLToPath(new URL("node_modules/.bin/tsc", root));
  const { status, stdout } = spawnSync(
    tsc,
    [...options, "--target", "es2024", "--lib", "es2024,dom", "--types", "", join(folder, "page.ts")],
    { encoding: "utf8", cwd: folder },
  );
  expect([status, stdout]).toEqual([0, ""]);
});
