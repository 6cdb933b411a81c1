// `almanac preview` as an owner starts it, until the test ends.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { start } from "./cli.ts";

const firstLine = z.tuple([z.string()]).rest(z.unknown());

/** The address that it prints. */
export async function startPreview(
  env: Readonly<Record<string, string>>,
  cwd?: string,
  options: readonly string[] = [],
): Promise<string> {
  const command = start(["preview", "--port", "0", ...options], { env, cwd });
  onTestFinished(() => void command.kill("SIGINT"));
  const [url] = firstLine.parse(await once(createInterface(command.stdout), "line"));
  return url;
}
