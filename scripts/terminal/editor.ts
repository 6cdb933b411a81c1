// A text in the person's own editor.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WrongUsage } from "./errors.ts";

/** The text as the person saves it. The shell finds the editor, which may be a command with arguments. */
export async function edited(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-"));
  try {
    const file = join(folder, "text.txt");
    await writeFile(file, `${text}\n`, { mode: 0o600 });
    // stdout is for the result of the command.
    const stdio = ["inherit", process.stderr, "inherit"] as const;
    const editor = spawn("sh", ["-c", '${VISUAL:-${EDITOR:-vi}} "$1"', "sh", file], { stdio: [...stdio] });
    const [code] = await once(editor, "exit");
    if (code !== 0)
      throw new WrongUsage(
        "the editor failed. Nothing was changed. Set EDITOR, or pass the text with --from",
      );
    return await readFile(file, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
