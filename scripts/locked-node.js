// Fails an installation of the checkout without its locked Node. npm leaves out an optional package that it cannot fetch or
// whose hash differs from the lock file, and exits with 0; scripts would then run on the Node of the machine.
import { existsSync, readFileSync } from "node:fs";

const { optionalDependencies } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);
const platform = `${process.platform}-${process.arch}`;
const [name, version] = Object.entries(optionalDependencies).find(([one]) => one.endsWith(platform)) ?? [];

if (name !== undefined && !existsSync(new URL(`../node_modules/${name}/bin/node`, import.meta.url))) {
  console.error(
    `error: npm left out ${name}@${version}: it could not be fetched, or its hash differs from package-lock.json. ` +
      "Check the registry (`npm config get registry`), then run `npm ci` again.",
  );
  process.exitCode = 1;
}
