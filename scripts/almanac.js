#!/usr/bin/env node
// Starts the command line. This file is plain JavaScript, so that a Node that is too old for the rest can still start the Node
// that was installed with Almanac. A checkout runs the TypeScript sources, a package the compiled files.
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { constants } from "node:os";
import module from "node:module";
import { fileURLToPath } from "node:url";

const isCheckout = existsSync(new URL("almanac.ts", import.meta.url));
const needed = isCheckout ? "24" : "22.19";
const remedy = isCheckout
  ? `In the checkout, \`npm ci\` brings the right one along, and \`npx almanac\` uses it; elsewhere, install Node ${needed}`
  : "Install a newer one";
const start = isCheckout ? "./almanac.ts" : "../dist/scripts/almanac.js";

if (isOlder(process.versions.node, needed)) {
  const running = process.versions.node;
  const installed = installedNode();
  if (installed !== undefined) runWith(installed);
  else
    refuse(
      "WrongNode",
      `almanac needs Node ${needed} or newer, and this is Node ${running}. ${remedy} from https://nodejs.org.`,
    );
} else if (readsSettings(".env")) {
  forgetEmpty();
  const command = process.argv.slice(2).find((word) => !word.startsWith("-"));
  if (command === "worker" || command === "local") holdLess();
  // Compiled code is kept from one start to the next: --help takes 60 ms in place of 130.
  module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/almanac", import.meta.url)));
  import(start).catch((error) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    const where = isCheckout ? "run `npm ci` in the checkout first" : "install the package again";
    refuse("NotInstalled", `${error.message.split(" imported")[0]}: ${where}.`);
  });
}

function isOlder(version, than) {
  const [major, minor] = version.split(".").map(Number);
  const [leastMajor, leastMinor = 0] = than.split(".").map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** The Node that was installed with Almanac. npm 10 doesn't link it as `node`, because packages of other platforms share that name. */
function installedNode() {
  const { resolve } = module.createRequire(import.meta.url);
  const platform = `${process.platform}-${process.arch}`;
  for (const name of [`node-${platform}`, `node-bin-${platform}`])
    try {
      return resolve(`${name}/bin/node`);
    } catch {
      // Not installed: the next one.
    }
  return undefined;
}

/** Ctrl-C reaches the child by itself, as it does every process of a terminal's group. */
function runWith(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** Variables of the environment take precedence. No service has a file of that name in its working directory. */
function readsSettings(file) {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return true;
  try {
    process.loadEnvFile(file);
    return true;
  } catch (error) {
    refuse("WrongEnvironment", `cannot read ${file}, the settings of this folder: ${error.message}`);
    return false;
  }
}

/** An empty variable counts as none, also for the libraries that read variables of their own. */
function forgetEmpty() {
  for (const [name, text] of Object.entries(process.env))
    if (text === "" && /^(?:AWS|OTEL|TEMPORAL)_/.test(name)) delete process.env[name];
}

/**
 * Goes on as the same process with bounds that a process can only be born with: room for young objects, which V8 takes
 * where a machine has much memory; how far V8 lets old ones grow before it collects, by little more than half and not to fourfold as on a
 * machine with much; and glibc's pools of freed memory, of which each thread would have its own, and which would keep the room of
 * each answer, 64 KB while it is read. Who sets MALLOC_ARENA_MAX has chosen otherwise. A parent that talks to this process would lose its channel.
 */
function holdLess() {
  if (process.platform === "win32" || process.connected || process.env.MALLOC_ARENA_MAX !== undefined) return;
  const words = [
    "--max-semi-space-size=16",
    "--heap-growing-percent=60",
    ...process.execArgv,
    ...process.argv.slice(1),
  ];
  const pools = {
    MALLOC_ARENA_MAX: "2",
    MALLOC_MMAP_THRESHOLD_: String(64 * 1024),
    MALLOC_TRIM_THRESHOLD_: String(8 * 1024 * 1024),
  };
  process.execve(process.execPath, [process.execPath, ...words], { ...pools, ...process.env });
}

function refuse(type, message) {
  if (process.argv.includes("--json")) console.log(JSON.stringify({ error: { type, message } }));
  else console.error(`error: ${message}`);
  process.exitCode = 2;
}
