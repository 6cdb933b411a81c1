// The element as it is published: one file with the client inside, made small by Vite.
import { fileURLToPath } from "node:url";
import { build } from "vite";

export const builtElementPath = fileURLToPath(
  new URL("../../packages/client/almanac-reading.min.js", import.meta.url),
);

export async function builtElement(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL("../../packages/client/almanac-reading.js", import.meta.url)),
        preserveEntrySignatures: "strict",
      },
    },
  });
  const [only] = "output" in built ? built.output : [];
  if (only?.type !== "chunk") throw new Error("Vite made no script of almanac-reading.js");
  return `// @ts-self-types="./almanac-reading.d.ts"\n// Made of almanac-reading.js and almanac.js by npm run element.\n${only.code}`;
}
