// Ensures that scripts of the checkout run on its locked Node, not on the machine's. npm leaves out an optional package that it
// cannot fetch or whose hash differs from the lock file, and exits with 0. While it leaves out the packages of other platforms,
// npm 10 also removes the link to `node`, whose name they share.
import { existsSync, readFileSync, symlinkSync } from "node:fs";

const { optionalDependencies } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);
const platform = `${process.platform}-${process.arch}`;
const modules = new URL("../node_modules/", import.meta.url);
const [name, version] = Object.entries(optionalDependencies).find(([one]) => one.endsWith(platform)) ?? [];

if (name !== undefined && !existsSync(new URL(`${name}/bin/node`, modules))) {
  console.error(
    `error: npm left out ${name}@${version}: it could not be fetched, or its hash differs from package-lock.json. ` +
      "Check the registry (`npm config get registry`), then run `npm ci` again.",
  );
  process.exitCode = 1;
} else if (name !== undefined && !existsSync(new URL(".bin/node", modules))) {
  symlinkSync(`../${name}/bin/node`, new URL(".bin/node", modules));
}
