// The peers of `bench:render` make the very pages that we render: where ours change, their templates have to follow.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { hugo } from "./hugo.ts";

const run = promisify(execFile);
const cwd = fileURLToPath(new URL("../../", import.meta.url));

test("Eleventy and Hugo make each page with the same words as ours", async () => {
  if (!existsSync(`${cwd}bench/peers/node_modules/@11ty`))
    await run("npm", ["ci", "--prefix", "bench/peers", "--no-audit", "--no-fund"], { cwd });
  const words = ["bench/render.ts", "--pages", "120", "--rounds", "1"];
  const { stdout } = await run("node", words, { cwd, env: { ...process.env, HUGO_PATH: await hugo() } });
  for (const name of ["Almanac", "Eleventy", "Hugo"])
    expect(stdout.match(new RegExp(`^ *${name}, pages a second`, "gm"))).toHaveLength(2); // on disk and in memory
}, 600_000);
