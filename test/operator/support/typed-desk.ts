// A desk whose commands are typed at the command line, on folders and by the machine's clock, moved by days. Nights and publishes, which need a Temporal,
// are lived in this process on the same folders.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ConfigurationInput } from "../../../readings/configuration.schema.ts";
import { settings as siteSettings } from "../../site/editions.ts";
import { clockMovedBy, testNow } from "../../support/noon.ts";
import { almanac, nobodysService } from "../../support/cli.ts";
import { siteInFolder } from "../../scripts/site-in-folder.ts";
import { dayMs, Desk, type Hands, liveNights, type Printed, settings } from "./desk.ts";

/** After three nights, the last one of today. */
export async function openTypedDesk(): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-operator-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let configuration: ConfigurationInput = { ...settings, site: siteSettings, languages: ["en"] };
  const { site, env } = await siteInFolder(folder, configuration);
  let aheadMs = -2 * dayMs;
  const now = () => new Date(testNow().getTime() + aheadMs);
  const desk = new Desk({
    site,
    now,
    pass: (ms) => {
      if (ms >= dayMs) aheadMs += ms; // shorter waits pass in real time
    },
    hands: () =>
      typedHands((words) =>
        almanac(words, {
          env: { ...env, ...nobodysService, ...clockMovedBy(now().getTime() - Date.now()) },
          cwd: folder,
        }),
      ),
    configured: async (more) => {
      configuration = { ...configuration, ...more };
      await writeFile(
        join(folder, "almanac.config.ts"),
        `export default ${JSON.stringify(configuration)};\n`,
      );
    },
  });
  await liveNights(desk);
  return desk;
}

type Run = (words: readonly string[]) => Promise<{ code: number | null; stdout: string; stderr: string }>;

function typedHands(run: Run): Hands {
  const type = async (...words: readonly string[]): Promise<Printed> => {
    const { code, stdout, stderr } = await run(words);
    if (code === 0 || code === 3) return { kind: "printed", text: stdout.trim() };
    throw new Refused(stderr.trim());
  };
  return {
    withdraw: (path) => type("withdraw", path, "--reason", "a complaint", "--by", "editor"),
    undo: (name) => type("withdraw", "--undo", name, "--by", "chief"),
    rollback: (wanted, language) =>
      type(
        "rollback",
        ...(wanted === undefined ? [] : [wanted]),
        ...(language === undefined ? [] : ["--languages", language]),
        "--yes",
      ),
    render: (languages, from) =>
      type(
        "render",
        "--languages",
        languages.join(","),
        "--yes",
        ...(from === undefined ? [] : ["--from", from]),
      ),
    accept: (key) => type("quarantine", "accept", key, "--reason", "a whole reading", "--yes"),
    retry: (key) => type("quarantine", "retry", key),
    gc: () => type("gc", "--yes"),
    repair: () => type("repair", "--yes"),
  };
}

/** Thrown where a command ends with an error. */
class Refused extends Error {
  override readonly name = "WrongUsage";
}
