#!/usr/bin/env node
// `npm create @almanac/almanac` runs this: `almanac init` of the version that it came with, which the new project gets too.
// Written for old versions of Node as well, since it is Almanac that says which one it needs.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const manifest = require.resolve("@almanac/almanac/package.json");
const { version } = require(manifest);

process.argv.splice(2, 0, "init", "--package", version);
await import(pathToFileURL(join(dirname(manifest), "scripts/almanac.js")).href);
