// A night at a glance: rows that fit the terminal, a pace that is true from the first look on, and a watch that ends.
import { once } from "node:events";
import { beforeAll, describe, expect, test } from "vitest";
import type { RunProgress } from "../../readings/run-messages.ts";
import { languageNames } from "../../readings/tables.ts";
import {
  createPacing,
  durationWords,
  languageLines,
  paceOf,
  paceWords,
} from "../../scripts/terminal/progress.ts";
import { start } from "../support/cli.ts";
import { fileEnd } from "../support/ends.ts";
import { quickService } from "../support/looks.ts";
import { createWorld, until, type World } from "../support/night.ts";
import { countsWith, progressOf } from "../support/progress.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

/** All languages, each further than the previous one, three with skipped readings. */
function progress(): RunProgress {
  const tallies = languageNames.map((language, at) => {
    const skipped = at % 10 === 4 ? 12 : 0;
    const counts = { planned: 208, stored: Math.min(8 * at, 196), held: 0, retried: 0, skipped };
    return [language, { "daily-horoscope": counts }] as const;
  });
  return progressOf({
    state: "gathering",
    planned: languageNames.length * 208,
    languages: Object.fromEntries(tallies),
  });
}

describe("the rows of all languages", () => {
  test("are all shown if they fit, with their sums", () => {
    const lines = languageLines(progress());
    expect(lines).toHaveLength(1 + languageNames.length);
    for (const language of languageNames)
      expect(lines.join("\n")).toMatch(new RegExp(`^${language} +\\d+ +208 +(?:0|12)$`, "m"));
  });

  test("are reduced to unfinished ones if the screen is too small", () => {
    const { languages, ...rest } = progress();
    const counts = countsWith({ planned: 208, stored: 208 });
    const ended = { ...rest, languages: { ...languages, en: { "daily-horoscope": counts } } };
    const lines = languageLines(ended, 10);
    expect(lines).toHaveLength(10);
    expect(lines.join("\n")).not.toMatch(/^en /m);
  });
});

describe("the pace", () => {
  test("counts readings from the start of watching only", () => {
    const pace = createPacing();
    expect(pace(1_000, 2_000, 0)).toEqual({ ratePerSecond: 0 });
    expect(pace(1_020, 2_000, 10)).toEqual({ ratePerSecond: 2, secondsLeft: 490 });
    for (let seconds = 11; seconds <= 60; seconds += 1) pace(1_020 + 10 * (seconds - 10), 2_000, seconds);
    expect(pace(1_530, 2_000, 61)).toEqual({ ratePerSecond: 10, secondsLeft: 47 }); // rate of the last half minute
  });

  test("is printed in units that people can use", () => {
    expect(paceWords(paceOf(84, 100, 20))).toEqual(["4.2 per second", "about 24 s left"]);
    expect(paceWords(paceOf(0, 100, 20))).toEqual(["0.0 per second"]);
    expect([5, 99, 100, 720, 5_940, 6_000, 8_000].map(durationWords)).toEqual([
      "5 s",
      "99 s",
      "2 min",
      "12 min",
      "99 min",
      "1 h 40 min",
      "2 h 13 min",
    ]);
  });
});

describe("Ctrl-C", () => {
  let world: World;
  beforeAll(async () => {
    const answerTimeoutSeconds = { english: 600, translator: 600, legacy: 600 };
    world = await createWorld(
      temporal,
      {
        languages: ["en"],
        operations: ["daily-horoscope"],
        service: { ...quickService, answerTimeoutSeconds },
      },
      atEnd,
    );
    // No call ends by itself.
    await world.sandbox.latency({ english: { fixedMs: 590_000 } });
    await world.sharedWorker();
    const night = await world.nightly();
    await until("a plan", async () => (await night.progress()).planned > 0);
  });

  test.each(["status --watch", "nightly --wait", "backfill --languages en --wait"])(
    "ends `almanac %s` and says how to follow the run, which goes on",
    async (words) => {
      const child = start(words.split(" "), { env: world.env, cwd: world.folder });
      const said: string[] = [];
      child.stderr.on("data", (chunk: Buffer) => said.push(chunk.toString("utf8")));
      await until("the first look", async () => said.join("").includes("per second"));
      child.kill("SIGINT");
      await once(child, "close");
      const seen =
        /^gathering: \d+ of [1-9]\d*, \d+\.\d per second(?:, .*)?\n(?:.*\n)*(\S+) continues\. .*status \1 --watch`\n$/m;
      expect({ code: child.exitCode, said: said.join("") }).toEqual({
        code: 130,
        said: expect.stringMatching(seen),
      });
      const [, id = ""] = seen.exec(said.join("")) ?? [];
      const { status } = await world.client.workflow.getHandle(id).describe();
      expect(status.name).toBe("RUNNING");
    },
  );
});
