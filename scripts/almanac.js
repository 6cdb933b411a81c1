#!/usr/bin/env node
// The door to the command line: plain JavaScript, so that a Node which cannot read TypeScript can still say so.
import module from "node:module";
import { fileURLToPath } from "node:url";

const needed = 24;
const running = process.versions.node;

if (Number(running.split(".")[0]) < needed) {
  refuse(
    "WrongNode",
    `almanac needs Node ${needed} or newer, and this is Node ${running}. In the checkout, \`npm ci\` brings the ` +
      `right one along, and \`npx almanac\` uses it; elsewhere, install Node ${needed} from https://nodejs.org.`,
  );
} else {
  // Compiled code is kept from one start to the next: --help takes 60 ms in place of 130.
  module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/almanac", import.meta.url)));
  import("./almanac.ts").catch((error) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    refuse("NotInstalled", `${error.message.split(" imported")[0]}: run \`npm ci\` in the checkout first.`);
  });
}

function refuse(type, message) {
  if (process.argv.includes("--json")) console.log(JSON.stringify({ error: { type, message } }));
  else console.error(message);
  process.exitCode = 2;
}
