// Another version of all running code, for tests of a deploy.
import { cp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Its workflows differ in their bytes. */
export async function checkoutWithChange(root: string): Promise<string> {
  const from = fileURLToPath(new URL("../../", import.meta.url));
  const copy = join(root, "opt/next");
  const left = /^(?:\.git|node_modules|test|bench|docs|dist|coverage|screens)$/;
  for (const name of await readdir(from))
    if (!left.test(name)) await cp(join(from, name), join(copy, name), { recursive: true });
  await symlink(join(from, "node_modules"), join(copy, "node_modules"));
  const change = async (path: string, how: (text: string) => string) =>
    writeFile(join(copy, path), how(await readFile(join(copy, path), "utf8")));
  await change("package.json", (text) => text.replace(/"version": "[^"]+"/, '"version": "99.0.0"'));
  await change("workflows/index.ts", (text) => `${text}// of the next version\n`);
  return copy;
}
