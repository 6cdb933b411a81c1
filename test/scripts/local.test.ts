// `almanac local` for a newcomer: the site's address, the first pages, the end, and interruptions by Ctrl-C or a closed pipe: calls
// in flight may end, everything is closed, and no error appears on the way out.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { openFolder } from "../../store/folder.ts";
import { firstLanguages } from "../../scripts/terminal/options.ts";
import { createVault } from "../../vault/vault.ts";
import { killGroup, readRecord } from "../../worker/temporal/temporal-server.ts";
import { almanac, environmentFor, quickStart, start } from "../support/cli.ts";
import { workflowsBundled } from "../support/bundled.ts";
import { deep } from "../support/deep.ts";
import { fileEnd } from "../support/ends.ts";
import { clockMovedBy, zonesAtNoon } from "../support/noon.ts";
import { until } from "../support/night.ts";
import { sharedSandbox } from "../support/sandbox.ts";
import { temporalExecutable } from "../support/temporal.ts";

await workflowsBundled();
const atEnd = fileEnd();

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Beginning {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Stops a running night; returns the output, the exit code and whether the Temporal server still runs. */
async function nightEndedBy(
  { folder, env }: Beginning,
  words: readonly string[],
  end: (child: ReturnType<typeof start>) => void,
) {
  const child = start(["local", "--once", "--rate", "2", ...words], { cwd: folder, env });
  const ended = once(child, "close");
  let said = "";
  let pid = 0;
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  try {
    await until("a night under way", async () => /^gathering: /m.test(said));
    ({ pid = 0 } = readRecord(join(folder, ".almanac")) ?? {});
    expect(exists(pid)).toBe(true);
    end(child);
    await ended;
    return { said, code: child.exitCode, isServerLeft: exists(pid) };
  } finally {
    child.kill("SIGKILL");
    if (pid > 0 && exists(pid)) killGroup(pid);
  }
}

/** A folder without credentials: the command brings its own sandbox. */
async function withoutCredentials(configuration: ConfigurationInput): Promise<Beginning> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-local-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "almanac.config.ts"), `export default ${JSON.stringify(configuration)};\n`);
  return { folder, env: { ...quickStart, TEMPORAL_CLI_PATH: await temporalExecutable(), HOME: folder } };
}

test.concurrent("Ctrl-C in mid-night ends all that runs, with no word of a fault", async () => {
  const begin = await withoutCredentials({});
  const { said, ...ended } = await nightEndedBy(begin, ["--languages", "en"], (child) =>
    child.kill("SIGINT"),
  );
  expect(said).toContain("stopping: waiting for calls in flight");
  expect(said).toMatch(/^stored \d+ of \d+ readings of this run$/m);
  expect(said).toMatch(/^run the same command to continue. Stored readings are not requested again$/m);
  expect(said).not.toMatch(/Error|could not|^ +at /m);
  expect(ended).toEqual({ code: 1, isServerLeft: false }); // the night is not done
});

test.each([
  ["de-DE", ["en", "de", "hi"], ["de", "en"]],
  ["en-GB", ["hi", "en", "de"], ["en"]],
  ["fil-PH", ["en", "fil", "hi"], ["fil", "en"]],
  ["nb-NO", ["hi", "en"], ["en"]],
  ["de-DE", ["hi", "ja", "de"], ["de"]],
  ["nb-NO", ["hi", "ja"], ["hi"]],
  ["de-DE", ["en", "de"], []],
  ["de-DE", ["ja"], []],
] as const)("on a system in %s a site in %j begins with %j", (locale, wanted, first) => {
  expect(firstLanguages(wanted, locale)).toEqual(first);
});

/** A folder, a service that counts its calls, and a site in four languages, on a system in German. */
async function newcomer() {
  const folder = await mkdtemp(join(tmpdir(), "almanac-local-"));
  const sandbox = await sharedSandbox();
  atEnd(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });
  const configuration = {
    languages: ["en", "hi", "ja", "de"],
    operations: ["daily-horoscope"],
    zones: zonesAtNoon(),
  };
  await writeFile(join(folder, "almanac.config.ts"), `export default ${JSON.stringify(configuration)};\n`);
  const env = {
    ...quickStart,
    ...environmentFor(sandbox),
    ALMANAC_VAULT: pathToFileURL(join(folder, "vault")).href,
    ALMANAC_SITE: pathToFileURL(join(folder, "site")).href,
    TEMPORAL_CLI_PATH: await temporalExecutable(),
    HOME: folder,
    LANG: "de_DE.UTF-8",
  };
  return { folder, sandbox, env };
}

async function expectAllAskedOnce({
  folder,
  sandbox,
}: Pick<Awaited<ReturnType<typeof newcomer>>, "folder" | "sandbox">) {
  const { calls } = await sandbox.stats();
  const held = await createVault(openFolder(join(folder, "vault")), "almanac").held("");
  const readings = 4 * 24;
  expect({ calls, held: held.length }).toEqual({ calls: readings, held: readings });
}

/** A running `almanac local`: its output, its start, and the pages that it serves. */
function begun({ folder: cwd, env }: Beginning, rate: number) {
  const startedMs = performance.now();
  const child = start(["local", "--port", "0", "--rate", String(rate)], { cwd, env });
  const ended = once(child, "close");
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  atEnd(async () => {
    child.kill("SIGKILL");
    const { pid = 0 } = readRecord(join(cwd, ".almanac")) ?? {};
    if (pid > 0 && exists(pid)) killGroup(pid);
  });
  const addressOf = () => /^the site: +(\S+)$/m.exec(said)?.[1];
  return {
    said: () => said,
    seconds: () => ((performance.now() - startedMs) / 1000).toFixed(1),
    address: () => until("the address", async () => addressOf()),
    page: (path: string) => fetch(`${addressOf() ?? ""}${path}`),
    has: (words: RegExp) => until(String(words), async () => words.test(said)),
    async stop() {
      child.kill("SIGINT");
      await ended;
      return child.exitCode;
    },
  };
}

test.concurrent("the first pages are in the system's language and English, and the rest follows, also after Ctrl-C, with nothing asked twice", async () => {
  const begin = await newcomer();
  const first = begun(begin, 8);
  await first.address();
  const shownAfter = first.seconds();
  await first.has(/^the site: .*\n +its first pages appear there in a moment\n/);
  const waiting = await first.page("");
  expect([waiting.status, waiting.headers.get("refresh")]).toEqual([503, "1"]);
  expect(await waiting.text()).toContain("Preparing the first pages");

  await until("a page in German", async () => (await first.page("de/")).ok);
  const pageAfter = first.seconds();
  expect([(await first.page("hi/")).status, (await first.page("ja/")).status]).toEqual([404, 404]);
  await first.has(/^first pages published:\n {2}German: http:\S+\/de\/\n {2}English: http:\S+\/en\/$/m);
  expect(await (await first.page("de/")).text()).toContain('<html lang="de"');
  expect((await first.page("de/daily/leo/")).status).toBe(200);
  expect((await first.page("en/daily/leo/")).status).toBe(200);
  expect(first.said()).toContain(
    "gathering German and English first, then the other languages. To limit them, use --languages",
  );
  await first.has(/^started \S+-nightly-\S+\n[^]*^gathering: /m);
  expect(await first.stop()).toBe(1); // the night is not done
  expect(first.said()).toMatch(/^published English and German\. To see it: `npx almanac serve`$/m);
  const { cwd, env } = { cwd: begin.folder, env: { ...begin.env, ...clockMovedBy(0) } };
  expect(await almanac(["verify"], { cwd, env })).toMatchObject({ code: 0 });

  const again = begun(begin, 100);
  await again.has(/^schedules started. Press Ctrl-C to stop$/m);
  expect(again.said()).toMatch(/^attached to \S+-nightly-\S+$/m);
  expect(again.said()).not.toContain("first German");
  expect(again.said()).toMatch(
    /-nightly-\S+: complete\nthe site has \d+ pages in 4 languages, and \d+ other files/m,
  );
  expect(again.said()).toMatch(
    /^the site: +(\S+)\n {2}German: \1de\/\nnext: to change the name, languages or appearance of the site/m,
  );
  expect(again.said()).toContain("`npx almanac plan` lists the requests of a run and its duration");
  expect((await again.page("ja/")).status).toBe(200);
  expect(await again.stop()).toBe(0);
  expect(again.said()).not.toContain("stored: ");
  expect(await almanac(["verify"], { cwd, env })).toMatchObject({ code: 0 });

  await expectAllAskedOnce(begin);
  console.log(`almanac local: its address after ${shownAfter} s, a page in German after ${pageAfter} s`);
});

test.concurrent("a reader who goes in mid-night, such as head, leaves no server behind; that night ends first, whatever languages are wanted next, also after a Temporal server that dies, with nothing asked twice", async () => {
  const { folder: cwd, env, sandbox } = await newcomer();
  const { said: first, ...ended } = await nightEndedBy({ folder: cwd, env }, [], (child) =>
    child.stderr.destroy(),
  );
  expect(first).toMatch(/^started \S+-nightly-\S+\n[^]*^gathering: /m);
  expect(ended).toEqual({ code: 1, isServerLeft: false });

  const others = ["local", "--once", "--languages", "hi,en", "--rate"];
  const child = start([...others, "8"], { cwd, env });
  atEnd(async () => void child.kill("SIGKILL"));
  const closed = once(child, "close");
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  await until("readings of the night", async () => /^gathering: [1-9]/m.test(said));
  const { pid = 0 } = readRecord(join(cwd, ".almanac")) ?? {};
  killGroup(pid);
  await closed;
  expect(said).toContain(`error: the Temporal server (process ${pid}) stopped unexpectedly: SIGKILL. `);
  expect(said).toContain(join(".almanac", "temporal.log"));
  expect(said).toContain("Run `almanac local` again: it continues the run");
  // No other wait occurs between the death and its report, or between the report and the end.
  const [, report, rest = ""] =
    /^(the local Temporal server stopped at \S+\. Stopping: .*)\n([^]*)/m.exec(said) ?? [];
  expect(report).toContain("waiting up to 13 s for calls in flight");
  expect(rest).toMatch(/^error: .*\n$/);
  expect(said).not.toMatch(/ServiceError|could not close|^ +at /m);
  expect([child.exitCode, exists(pid)]).toEqual([1, false]);

  const { code, stderr } = await almanac([...others, "100"], { cwd, env });
  expect(stderr).toMatch(
    /^waiting for the end of an active run with all languages\nattached to \S+\n[^]*started \S+-nightly-\S+\n[^]*-nightly-\S+: complete$/m,
  );
  expect(code).toBe(0);
  await expectAllAskedOnce({ folder: cwd, sandbox });
});

/** `almanac local --once` with a Temporal server that something happens to, at the event that the function waits for. */
async function localUntil(
  event: (folder: string, said: () => string) => Promise<unknown>,
  signal: NodeJS.Signals,
) {
  const { folder: cwd, env } = await newcomer();
  const child = start(["local", "--once", "--rate", "2"], { cwd, env });
  atEnd(async () => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  await event(cwd, () => said);
  const pid = readRecord(join(cwd, ".almanac"))?.pid;
  if (pid === undefined) throw new Error(`no Temporal server is noted in ${join(cwd, ".almanac")}`);
  process.kill(pid, signal);
  atEnd(async () => void (exists(pid) && killGroup(pid)));
  const end = async () => {
    await ended;
    return { said, code: child.exitCode, isServerLeft: exists(pid) };
  };
  return { pid, said: () => said, end };
}

test.concurrent("a Temporal server that dies while the worker starts is reported with the same sentences", async () => {
  // The worker's log is opened right before the worker is, once Temporal is there.
  const log = (folder: string) =>
    until("the log", async () => existsSync(join(folder, ".almanac", "almanac.log")));
  const { pid, end } = await localUntil(log, "SIGKILL");
  const { said, ...ended } = await end();
  expect(said).toMatch(
    /^the local Temporal server stopped at \S+\. Stopping: .*\nerror: .*\. Run `almanac local` again: .*\n$/m,
  );
  expect(said).toContain(`process ${pid}`);
  expect(said).not.toMatch(/ServiceError|TransportError|could not close|^ +at /m);
  expect(ended).toEqual({ code: 1, isServerLeft: false });
});

test.concurrent("a Temporal server that freezes is named within seconds, and ended after a minute with the next step", async () => {
  const gathering = (_: string, said: () => string) =>
    until("a night", async () => /^gathering: [1-9]/m.test(said()));
  const { pid, said: saidNow, end } = await localUntil(gathering, "SIGSTOP");
  const name = `the local Temporal server at \\S+ \\(process ${pid}\\)`;
  const report = new RegExp(`^waiting for ${name} \\(since \\S+Z, at most 70 s\\)$`, "m");
  await until("a word about it", async () => report.test(saidNow()));
  if (!deep) return;
  const { said, ...ended } = await end();
  expect(said).toMatch(
    new RegExp(
      `LocalTemporalDied: ${name} has not answered for more than 60 s\\. Run \`almanac local\` again: `,
    ),
  );
  expect(said).not.toMatch(/ServiceError|TransportError|could not close|^ +at /m);
  expect(ended).toEqual({ code: 1, isServerLeft: false });
});

test.concurrent("--once says how to look at what was made and what waits for review, and begins with no language before the others", async () => {
  const few = ["daily-horoscope", "daily-tarot", "ex-flame-reading"] as const; // Gujarati has only the last
  const review = { de: { mode: "before" } } as const;
  const configuration: ConfigurationInput = { review, ...(!deep && { operations: [...few] }) };
  const { folder: cwd, env } = await withoutCredentials(configuration);
  const words = ["local", "--once", "--languages", "English,Deutsch,gujarati"];
  const { code, stderr } = await almanac(words, { cwd, env: { ...env, LANG: "de_DE.UTF-8" } });
  expect(code).toBe(0);
  expect(stderr).not.toMatch(/^the site:|^gathering .* first/m);
  expect(stderr).toMatch(
    /^the site has [\d,]+ pages in 2 languages, and [\d,]+ other files: data, feeds,\s+pictures$/m,
  );
  expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
    /: complete today's sets wait for review: de \(daily-horoscope, [^:]*\) next: `almanac review list` lists them/,
  );
  expect(stderr).toMatch(/^to see the site: `npx almanac serve`\nnext: /m);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(
    "these texts are invented. For real ones, set the service's URLs, READING_SERVICE_TOKEN",
  );
});
