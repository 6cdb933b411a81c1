// Temporal's server and its tool for SQL schemas, of the version that the Compose file names.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { goBuilt } from "./go-built.ts";

const compose = fileURLToPath(new URL("../../deploy/compose/compose.yaml", import.meta.url));
const module = "go.temporal.io/server";

export async function builtTemporal() {
  const [, version] = /temporalio\/auto-setup:([\d.]+)@/.exec(await readFile(compose, "utf8")) ?? [];
  if (version === undefined) throw new Error(`${compose} names no version of Temporal`);
  const folder = await goBuilt({
    what: `Temporal's server ${version}`,
    name: `temporal-server-${version}`,
    build: (_, go) =>
      go("install", `${module}/cmd/server@v${version}`, `${module}/cmd/tools/sql@v${version}`),
  });
  return { version, server: join(folder, "server"), sqlTool: join(folder, "sql") };
}
