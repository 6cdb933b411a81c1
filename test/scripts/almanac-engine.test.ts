// The engine's commands as an operator types them, with a real Temporal server, and a worker and a sandbox in separate processes:
// their output, effects, and exit codes.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { always } from "../../store/store.ts";
import { endpointNote } from "../../vault/call-notes.ts";
import { changeNote } from "../../vault/note.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { almanac, type Ran, start } from "../support/cli.ts";
import { deep } from "../support/deep.ts";
import { createWorld, type RunningWorker, until, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const endings: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of endings) await end();
});
const settings = { languages: ["en", "hi"], operations: ["daily-horoscope", "daily-tarot"] } as const;
const configuration = {
  languages: [...settings.languages],
  operations: [...settings.operations],
  service: { ratePerSecond: { english: 100, translator: 100 } },
};
/** Today's and tomorrow's twelve signs and cards, in two languages. */
const wholeNight = 2 * 2 * 13;

/** Cleans up at the end of the file: an `afterAll` within a hook or a test is ignored. */
async function newWorld(more: ConfigurationInput = {}): Promise<World> {
  return createWorld(temporal, { ...configuration, ...more }, (end) => endings.push(end));
}

async function at(world: World, words: string, more: Record<string, string> = {}): Promise<Ran> {
  const quoted = words.match(/"[^"]*"|\S+/g) ?? [];
  return almanac(
    quoted.map((word) => word.replaceAll('"', "")),
    { env: { ...world.env, ...more }, cwd: world.folder },
  );
}

/** The one document on stdout. */
async function documentAt(world: World, words: string, code = 0): Promise<unknown> {
  const ran = await at(world, `${words} --json`);
  if (ran.code !== code)
    throw new Error(`almanac ${words} ended with ${ran.code}: ${ran.stdout}${ran.stderr}`);
  return JSON.parse(ran.stdout);
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

describe("before any night", () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld({ zones: {} });
  });

  test("plan counts every call without making one, and needs no Temporal", async () => {
    const { TEMPORAL_ADDRESS: _, ...env } = world.env;
    const words = ["plan", "--as-of", "2026-11-21T12:00:00Z", "--json"];
    const ran = await almanac(words, { env, cwd: world.folder });
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      held: 0,
      outOfReach: [],
      forecast: { calls: wholeNight, fits: true },
      rows: expect.arrayContaining([
        expect.objectContaining({ language: "hi", due: 24, calls: 24, held: 0 }),
      ]),
    });
    expect(ran.stdout).not.toContain(world.sandbox.token);
    expect(ran.stdout).not.toContain(world.sandbox.apiKey);
    expect(await world.sandbox.stats()).toMatchObject({ calls: 0 });
  });

  test("plan shows a person the cost, --all each language's lead, and --lines every request with its reason", async () => {
    const table = await at(world, "plan --all --languages hi --as-of 2026-11-21T03:05:00Z");
    expect(table.stdout).toMatch(/^hi +daily-horoscope +24 +0 +0 +24 +2026-11-21 03:0\d$/m);
    expect(table.stdout).toMatch(/^hi +2026-11-21 18:30 +2026-11-21 03:0\d +15 h 2\d min$/m);
    expect(table.stdout).toMatch(/^translator: 26 calls, done 03:0\d UTC/m);
    const lines = await at(world, "plan --languages hi --lines --as-of 2026-11-21T03:05:00Z");
    expect(lines.stdout).toMatch(/^missing +2026-11-22 18:30 +daily\/2026-11-21\/hi\/daily-horoscope\/leo$/m);
    expect(lines.stdout.trim().split("\n")).toHaveLength(1 + 26);
  });

  test("status and quarantine say that there is nothing yet", async () => {
    expect(await at(world, "status")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^no run yet\. Start one with `almanac nightly`/),
    });
    expect(await documentAt(world, "quarantine list")).toEqual({ quarantined: [] });
  });

  test("what the site does not have, or no calendar knows, is refused before anything is asked", async () => {
    const refused: Record<string, RegExp> = {
      "nightly --languages fr": /fr is not in "languages" of almanac\.config\.ts\. Choose en, hi/,
      "backfill --languages hi --from 2026-11-22 --to 2026-11-21": /--from 2026-11-22 is after --to/,
      "quarantine retry ../../../etc/passwd": /is not a request key/,
      "nightly --as-of 2126-11-21T03:05:00Z": /is more than a year from now/,
      "status nobody-nightly-2026-11-21": /no run nobody-nightly-2026-11-21 in Temporal or in the vault/,
    };
    const also: Record<string, RegExp> = {
      "nightly --languages gr": /Did you mean el\?/,
      "nightly --as-of 2026-11-21T03:05":
        /--as-of: "2026-11-21T03:05" is not an instant such as 2026-11-21T03:05:00Z/,
      "backfill --languages hi --operations wisdom-reading":
        /wisdom-reading is not in "operations" of almanac\.config\.ts/,
      "backfill --languages hi --from 2026-02-30": /"2026-02-30" is not a date/,
      "backfill --languages hi --from 2090-01-01": /--from and --to: .*expected dates in order/,
      backfill: /--languages/,
      "quarantine show daily/2026-11-21/hi/daily-horoscope/leo": /is not in quarantine.*quarantine list/,
      "quarantine accept daily/2026-11-21/hi/daily-horoscope/leo": /--reason/,
      "serve --port 70000": /--port must be a whole number from 0 to 65535/,
    };
    for (const [words, message] of Object.entries({ ...refused, ...(deep ? also : {}) })) {
      const ran = await at(world, words);
      expect({ words, ...ran }).toEqual({
        words,
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(message),
      });
    }
    expect(await world.sandbox.stats()).toMatchObject({ calls: 0 });
  });

  test("without a Temporal the remedy is named: 2 where none is set, 1 where it does not answer", async () => {
    const { TEMPORAL_ADDRESS: _, ...env } = world.env;
    const unset = await almanac(["nightly"], { env, cwd: world.folder });
    expect(unset).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Set TEMPORAL_ADDRESS.*almanac local/),
    });
    const [port] = await freePorts([undefined]);
    const away = await at(world, "nightly", { TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
    expect(away).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: .*does not answer/m),
    });
  });
});

describe("a night that is whole", () => {
  let world: World;
  let worker: RunningWorker;
  let run: string;
  /** Output of the commands before there was a worker, and the night's result. */
  let seen: { started: unknown; attached: Ran; waiting: Ran; other: Ran; ended: unknown };

  beforeAll(async () => {
    world = await newWorld();
    const started = await documentAt(world, "nightly");
    const attached = await at(world, "nightly");
    const waiting = await at(world, "status");
    const other = await at(world, "nightly --languages en");
    worker = await world.worker();
    const ended = await documentAt(world, "nightly --wait");
    seen = { started, attached, waiting, other, ended };
    run = attached.stdout.split(" ")[0] ?? "";
  });

  test("without a worker it is said that the run waits", () => {
    expect(seen.started).toEqual({ run, attached: false });
    expect(seen.attached.stderr).toMatch(/^no worker of \S+ is running/);
    expect(seen.waiting.stdout).toMatch(
      /: waiting\nno worker is running\. The run continues when you start `almanac worker`/,
    );
  });

  test("a start for other languages is refused and names the run", () => {
    const stderr = expect.stringContaining(`${run} is already running with all languages`);
    expect(seen.other).toMatchObject({ code: 2, stdout: "", stderr });
  });

  test("one start attaches to the other, and --wait ends with 0 and all that was asked", async () => {
    expect(run).toMatch(/-nightly-\d{4}-\d\d-\d\d$/);
    expect(seen.attached).toMatchObject({
      code: 0,
      stdout: `${run} is already running\nto follow it: \`almanac status ${run} --watch\`\n`,
    });
    expect(seen.ended).toMatchObject({ run, state: "done", planned: wholeNight, skipped: [], broken: {} });
    expect(await world.sandbox.stats()).toMatchObject({ calls: wholeNight });
  });

  test("status draws the last run from Temporal, and from the vault where Temporal is not there", async () => {
    const shown = await at(world, "status");
    expect(shown.stdout).toMatch(new RegExp(`^${run}: done, as of`));
    expect(shown.stdout).toMatch(/^hi +26 +26 +0$/m);
    expect(shown.stdout).toContain("reading service: available");
    const away = await at(world, "status --json", { TEMPORAL_ADDRESS: "" });
    expect(JSON.parse(away.stdout)).toMatchObject({ run, state: "done", source: "vault", breakers: [] });
    expect(await documentAt(world, `status ${run}`)).toMatchObject({
      run,
      state: "done",
      source: "temporal",
    });
  });

  test("status shows an open circuit breaker with what to do", async () => {
    const after = (ms: number) => new Date(Date.now() + ms).toISOString();
    const call = {
      run,
      key: "daily/2026-11-21/hi/daily-tarot/reading",
      seen: "HTTP 401",
      probes: 0,
      isLong: false,
    };
    const outage = { ...call, openedAt: after(0), nextProbeAt: after(1_000), forgivenAt: after(0) };
    const note = endpointNote("translator");
    await changeNote(world.vault.store, note, () => ({ outage, stopped: [] }));
    const shown = await at(world, "status");
    await changeNote(world.vault.store, note, () => ({ stopped: [] }));
    expect(shown.stdout).toMatch(
      /the translator endpoint has refused the credentials since .*HTTP 401.*READING_SERVICE_TOKEN/,
    );
  });

  test("plan finds nothing more to ask", async () => {
    expect(await documentAt(world, "plan")).toMatchObject({
      run,
      due: [],
      held: wholeNight,
      sentences: ["nothing to request"],
    });
  });

  test("plan estimates with the time that answers took so far", async () => {
    const plan = await documentAt(world, `plan --as-of ${daysFromNow(2)}T03:05:00Z`);
    const { forecast } = z
      .object({ forecast: z.object({ endpoints: z.array(z.object({ latencyMs: z.number() })) }) })
      .parse(plan);
    expect(forecast.endpoints).toHaveLength(2);
    // Measured response times, not the assumed defaults.
    for (const { latencyMs } of forecast.endpoints) expect([1_000, 27_000]).not.toContain(latencyMs);
  });

  test("a second night and a publish ask and change nothing", async () => {
    const before = await world.sandbox.stats();
    const again = await at(world, "nightly --wait");
    expect(again).toMatchObject({ code: 0, stdout: `${run}: complete\n` });
    const done = await at(world, "publish");
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^nothing to publish: .* version \d+\n$/),
    });
    expect(await world.sandbox.stats()).toEqual(before);
  });

  test("status shows the latest start of a night, with a line for each before it, from Temporal and from the vault", async () => {
    const line = new RegExp(
      `^earlier start: \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d to \\S+ UTC, done, ${wholeNight} stored, 0 skipped$`,
      "gm",
    );
    for (const TEMPORAL_ADDRESS of [world.env["TEMPORAL_ADDRESS"] ?? "", ""]) {
      const shown = await at(world, "status", { TEMPORAL_ADDRESS });
      expect(shown.stdout).toMatch(/^no requests, /m);
      expect(shown.stdout.match(line)).toHaveLength(1);
      const { stdout } = await at(world, "status --json", { TEMPORAL_ADDRESS });
      expect(JSON.parse(stdout)).toMatchObject({
        progress: { planned: 0 },
        earlier: [{ run, state: "done", planned: wholeNight }],
      });
    }
    const damaged = `sites/${world.id}/runs/${run.slice(-10)}/${run}/damaged.json`;
    await world.vault.store.write(damaged, Buffer.from("{"), { type: "application/json" }, always);
    const shown = await at(world, "status");
    await world.vault.store.remove([damaged]);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(`${damaged} is not JSON`) });
  });

  test("backfill names first what the service gives no longer, and ends with 3 for it", async () => {
    const old = `backfill --languages hi --from ${daysFromNow(-9)} --to ${daysFromNow(-8)}`;
    const nothing = await at(world, old);
    expect(nothing.stderr).toMatch(
      /^26 readings skipped, because the service does not offer them:\n(?: {2}daily\/\S+\n){3} {2}and 23 more\. --json lists all$/m,
    );
    expect(nothing).toMatchObject({ code: 3, stdout: expect.stringMatching(/^nothing to request/) });

    const partly = await at(world, `backfill --languages hi --from ${daysFromNow(-3)} --wait`);
    expect(partly.stderr).toMatch(/^\d+ readings? skipped, because the service does not offer them:$/m);
    expect(partly).toMatchObject({ code: 3, stdout: expect.stringMatching(/-backfill-\S+-hi: complete\n$/) });
    expect((await world.held()).filter((key) => key.includes("hi/daily-horoscope"))).toHaveLength(36);
    await until("Temporal to list the backfill", async () =>
      /"run": "\S+-backfill-/.test((await at(world, "status --json")).stdout),
    );
  });

  test("schedules are applied, paused with a reason that stays, resumed, triggered and removed", async () => {
    expect(await at(world, "schedule pause")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: no schedule /),
    });
    const all = (facts: object) => ({
      schedules: Array.from({ length: 3 }, () => expect.objectContaining(facts)),
    });
    expect(await documentAt(world, "schedule apply")).toMatchObject(all({ paused: false, taken: 0 }));
    await at(world, 'schedule pause nightly --reason "the holidays"');
    expect(await documentAt(world, "schedule apply")).toMatchObject({
      schedules: [
        { schedule: `${world.id}-nightly`, paused: true, note: "the holidays", next: [] },
        { paused: false },
        { paused: false },
      ],
    });
    const shown = await at(world, "schedule show");
    expect(shown.stdout).toMatch(/paused: the holidays/);
    expect((await at(world, "schedule pause publish")).stdout).toMatch(
      /paused: by `almanac schedule pause`$/m,
    );
    await at(world, "schedule resume");
    const resumed = await documentAt(world, "schedule show");
    expect(resumed).toMatchObject(all({ paused: false }));
    expect(resumed).toMatchObject({
      schedules: [
        { next: [expect.stringMatching(/T03:05:|T03:06:00/), expect.anything(), expect.anything()] },
        {},
        { next: [expect.stringMatching(/T18:05:|T18:06:00/), expect.anything(), expect.anything()] },
      ],
    });
    await at(world, "schedule trigger scrub");
    const scrubbed = await until("the scrub", async () => {
      const { stdout } = await at(world, "status");
      return /^background check\s.*ended/m.test(stdout) && stdout;
    });
    expect(scrubbed).toMatch(/^background check .*: \d+ files, [\d.]+ \w+; no damage found$/m);
    await at(world, "schedule trigger publish");
    await until("the publish to be taken", async () =>
      /"taken": 1/.test((await at(world, "schedule show --json")).stdout),
    );
    expect(await documentAt(world, "schedule remove")).toEqual({ schedules: [] });
    expect(await at(world, "schedule sleep")).toMatchObject({ code: 2 });
  });

  test("serve shows what was published", async () => {
    const child = start(["serve", "--port", "0", "--json"], { env: world.env, cwd: world.folder });
    const [url] = await until("the address", async () => {
      const lines = createInterface(child.stdout);
      for await (const line of lines) {
        const found = /"url": "(.*)"/.exec(line);
        if (found !== null) return [String(found[1])];
      }
      return undefined;
    });
    const page = await fetch(new URL("/en/", url));
    expect({ status: page.status, text: await page.text() }).toMatchObject({
      status: 200,
      text: expect.stringContaining('lang="en"'),
    });
    const pointer = await fetch(new URL("/v1/pointer.json", url));
    expect([pointer.status, pointer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    const bare = await fetch(new URL("/en/daily/leo?from=mail", url), { redirect: "manual" });
    expect([bare.status, bare.headers.get("location")]).toEqual([308, "/en/daily/leo/?from=mail"]);
    expect(await at(world, `serve --port ${new URL(url).port}`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: port \d+ is in use.*--port 0/),
    });
    child.kill("SIGINT");
    await once(child, "exit");
    expect(child.exitCode).toBe(0);
  });

  test("a worker that is told to stop ends with 0", async () => {
    expect(await worker.stop()).toBe(0);
  });
});

describe("a night whose credentials are refused", () => {
  test("is followed with the reason why it makes no progress, and with all that it waits for; then it goes on", async () => {
    const world = await newWorld();
    const { token, apiKey } = world.sandbox;
    await world.sandbox.credentials({ token: "another", apiKey: "another" });
    await world.sharedWorker();
    const child = start(["nightly", "--wait"], { env: world.env, cwd: world.folder });
    const ended = once(child, "close");
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
    await until("the reason", async () =>
      said.includes("the translator endpoint has refused the credentials"),
    );
    await until("the plan", async () => /"planned": 24/.test((await at(world, "status --json")).stdout));
    const tally = { "daily-horoscope": { planned: 24, stored: 0 }, "daily-tarot": { planned: 2, stored: 0 } };
    expect(await documentAt(world, "status")).toMatchObject({ progress: { languages: { hi: tally } } });
    await world.sandbox.credentials({ token, apiKey });
    await ended;
    expect(child.exitCode).toBe(0);
    expect(said.match(/the translator endpoint has refused the credentials/g)).toHaveLength(1);
  });
});

describe("a night with answers skipped", () => {
  let world: World;
  let ended: unknown;
  const short = /^daily\/\S+\/hi\/daily-horoscope\/leo$/;
  const html = /^daily\/\S+\/hi\/daily-tarot\/reading$/;

  beforeAll(async () => {
    world = await newWorld();
    await world.sandbox.faults([
      { fault: "short", match: { operation: "daily-horoscope", language: "hi", sign: "leo" } },
      { fault: "html200", match: { operation: "daily-tarot", language: "hi" } },
    ]);
    await world.sharedWorker();
    await documentAt(world, "nightly");
    ended = await documentAt(world, "status --watch", 3);
  });

  async function keysOf(pattern: RegExp): Promise<string[]> {
    return (await world.vault.inQuarantine("")).filter((key) => pattern.test(key));
  }

  test("is followed to exit code 3, told by status, and listed with rule, reason and tries but no text", async () => {
    expect(ended).toMatchObject({
      state: "done",
      running: false,
      progress: { planned: wholeNight, broken: {} },
    });
    const status = await at(world, "status");
    expect(status.stdout).toMatch(/^hi +26 +26 +\d$/m);
    expect(status.stdout).toMatch(/^ {2}daily\/\S+leo {2}Unfit: /m);
    const listed = await at(world, "quarantine list --json");
    const entry = { type: "Unfit", rule: "short", tries: 3, reason: expect.any(String) };
    expect(JSON.parse(listed.stdout)).toMatchObject({
      quarantined: expect.arrayContaining([
        expect.objectContaining({ key: expect.stringMatching(short), ...entry }),
        expect.objectContaining({ key: expect.stringMatching(html), type: "Unfit", rule: "json" }),
      ]),
    });
    expect(listed.stdout).not.toContain('"body"');
    expect((await at(world, "quarantine list")).stdout).toMatch(/^daily\/\S+leo +Unfit +short +3 +\d/m);
  });

  test("one of them is shown as a reader would see it, or as it came where no reading can be made of it", async () => {
    const [readable = ""] = await keysOf(short);
    expect((await at(world, `quarantine show ${readable}`)).stdout).toMatch(
      /Unfit \(short\)[\s\S]*^Leo, \d{4}-/m,
    );
    const [unreadable = ""] = await keysOf(html);
    expect((await at(world, `quarantine show ${unreadable}`)).stdout).toMatch(/The raw response:\n.*html/is);
  });

  test("what can't be read can't be accepted, nor anything without a reason; it stays where it is", async () => {
    const [readable = ""] = await keysOf(short);
    const [unreadable = ""] = await keysOf(html);
    expect(await at(world, `quarantine accept ${readable} --reason " "`)).toMatchObject({ code: 2 });
    const refused = await at(world, `quarantine accept ${unreadable} --reason "looks fine"`);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be parsed as a reading .*it is not JSON.*quarantine retry/),
    });
    expect(await world.vault.inQuarantine("")).toEqual(expect.arrayContaining([readable, unreadable]));
  });

  test("accepted, it is kept with who and why, and the next publish publishes it", async () => {
    const [today = "", tomorrow = ""] = await keysOf(short);
    const calls = (await world.sandbox.stats()).calls;
    const accepted = await documentAt(
      world,
      `quarantine accept ${today} --reason "short, but whole" --by editor --yes`,
    );
    expect(accepted).toMatchObject({ key: today, accepted: { by: "editor", why: "short, but whole" } });
    expect(await world.vault.response(today)).toMatchObject({
      tries: 3,
      accepted: { by: "editor" },
      notes: [expect.stringMatching(/^short: /)],
    });
    expect(await keysOf(short)).toEqual([tomorrow]);
    const path = `v1/hi/daily/${dateIn(today)}/leo.json`;
    expect(await world.site.read(path)).toBeUndefined();
    expect((await at(world, "publish")).stdout).toMatch(
      /^published version \d+: \d+ files new or changed in hi/,
    );
    expect(await world.site.read(path)).toBeDefined();
    expect((await at(world, "publish")).stdout).toMatch(/^nothing to publish/);
    expect((await world.sandbox.stats()).calls).toBe(calls);
  });

  test("retried, it is due again, asked once more and published", async () => {
    await world.sandbox.clearFaults();
    const [card = ""] = await keysOf(html);
    expect((await at(world, "plan")).stdout).toMatch(/\d in quarantine, for a later run/);
    const retried = await at(world, `quarantine retry ${card}`);
    expect(retried).toMatchObject({
      code: 0,
      stdout: `${card} removed from quarantine. The next run requests it again: \`almanac nightly\` starts one\n`,
    });
    expect(await documentAt(world, "plan")).toMatchObject({ due: [{ key: card, reason: "missing" }] });
    expect(await at(world, "nightly --wait")).toMatchObject({ code: 0 });
    expect(await world.vault.response(card)).toMatchObject({ tries: 1 });
    expect(await world.site.read(`v1/hi/daily-tarot/${dateIn(card)}.json`)).toBeDefined();
  });
});

describe("a night that breaks off", () => {
  test("breaks off for the language whose publishing failed: exit 1 and the reason, status says so from Temporal and from the vault, and fixed it goes on", async () => {
    const world = await newWorld({ languages: ["hi"] });
    const pointer = { path: "v1/pointer.json", damaged: new TextEncoder().encode("damaged") };
    await world.site.write(pointer.path, pointer.damaged, { type: "application/json" }, always);
    await world.sharedWorker();

    const ended = await at(world, "nightly --wait");
    expect(ended.code).toBe(1);
    const reason =
      "v1/pointer.json is damaged, and this vault has never published here. Next: remove that file";
    expect(ended.stdout.replaceAll(/\s+/g, " ")).toContain(`: failed hi ended early: ${reason}`);
    const progress = { broken: { hi: expect.stringContaining(reason) } };
    expect(await documentAt(world, "status")).toMatchObject({ progress, running: false, source: "temporal" });
    const away = await at(world, "status --json", { TEMPORAL_ADDRESS: "" });
    expect(JSON.parse(away.stdout)).toMatchObject({ progress, source: "vault" });

    await world.site.remove([pointer.path]);
    expect(await at(world, "nightly --wait")).toMatchObject({ code: 0 });
    expect(await documentAt(world, "status")).toMatchObject({ state: "done" });
    expect(await world.site.read("hi/index.html")).toBeDefined();
  });
});

function dateIn(key: string): string {
  return key.split("/")[1] ?? "";
}
