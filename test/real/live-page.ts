// Follows a page of docs/ that leads to a live site as a person types it: its marked shell blocks, in order, each with the
// variables that earlier ones have set. The test replaces programs that would change the machine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { entry } from "../support/cli.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Way {
  /** The heading of the page's part to follow; without it, the whole page. */
  readonly section?: string;
  /** Working directory of the commands. */
  readonly folder: string;
  /** Placeholders on the page, and their values in a test. */
  readonly ours: () => readonly (readonly [string, string])[];
  /** Replacements for programs, as shell scripts. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Followed {
  readonly stdout: string;
  readonly stderr: string;
}

export interface LivePage {
  /** Runs the next marked text, of which this is a part; throws where it fails. */
  readonly follow: (part: string) => Promise<Followed>;
  /** The marked texts that were not followed. */
  readonly left: () => string[];
}

/** The page's part under this heading, or the whole page. */
function partOf(page: string, whole: string, section: string | undefined): string {
  if (section === undefined) return whole;
  const part = whole.split(/^(?=## )/m).find((one) => one.startsWith(`## ${section}\n`));
  if (part === undefined) throw new Error(`docs/${page} has no heading "${section}"`);
  return part;
}

export async function openLivePage(
  page: string,
  { section, folder, ours, programs, env }: Way,
): Promise<LivePage> {
  const whole = partOf(page, await readFile(join(root, "docs", page), "utf8"), section);
  const texts = [...whole.matchAll(/^<!-- follow -->\n\n```sh\n(.*?)^```$/gms)].map(([, one = ""]) => one);
  const bin = join(folder, "bin");
  const exported = join(folder, "variables");
  await mkdir(bin, { recursive: true });
  await writeFile(exported, "");
  const all = {
    sudo: 'exec "$@"',
    npx: `[ "$1" = almanac ] || exit 127\nshift\nexec "${process.execPath}" "${entry}" "$@"`,
    ...programs,
  };
  for (const [name, script] of Object.entries(all)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return {
    async follow(part) {
      const next = texts.shift() ?? "";
      if (!next.includes(part)) throw new Error(`${part} is not in the next text of ${page}: ${next}`);
      let own = next;
      for (const [theirs, there] of ours()) own = own.replaceAll(theirs, there);
      const script = `. "${exported}"\nset -a\n${own}\nexport -p > "${exported}"`;
      const PATH = `${bin}:${process.env["PATH"]}`;
      const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
        cwd: folder,
        env: { PATH, HOME: folder, NO_PROXY: "127.0.0.1", ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const ended = once(child, "close");
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      await ended;
      if (child.exitCode !== 0) throw new Error(`docs/${page} fails at\n${own}\n${stdout}${stderr}`);
      return { stdout, stderr };
    },
    left: () => texts,
  };
}
