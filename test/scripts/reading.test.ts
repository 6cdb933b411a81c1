// `almanac reading` in use: the real command against a sandbox in a separate process.
import { createServer } from "node:http";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { familyOf, type Operation, operationNames } from "../../readings/tables.ts";
import { readingSchema } from "../../readings/reading.schema.ts";
import { almanac, type Circumstances, entry, environmentFor, type Ran } from "../support/cli.ts";
import { spawnSandbox, type SpawnedSandbox } from "../support/sandbox.ts";
import { deep } from "../support/deep.ts";
import { testNow } from "../support/noon.ts";

const token = "token-5up3r+s3cret/value==";
const apiKey = "key-94c1f7d2aa&b";
const fullName = "Examplina Persona";
const born = "1987-12-29";

const answered = z.strictObject({
  key: z.string(),
  tries: z.number(),
  notes: z.array(z.string()),
  reading: readingSchema,
});
const failed = z.strictObject({
  error: z.looseObject({
    type: z.string(),
    message: z.string(),
    meant: z.string().optional(),
    key: z.string().optional(),
  }),
});

/** A valid command line for operations that need more than their name, each in another language where it can be. */
const tried: Partial<Record<Operation, readonly string[]>> = {
  "daily-horoscope": ["--sign", "Leo", "--language", "en"],
  "weekly-horoscope": ["--sign", "virgo", "--language", "ja", "--period", "next"],
  "monthly-horoscope": ["--sign", "aries", "--language", "hi", "--period", "prev"],
  "yearly-horoscope": ["--sign", "pisces", "--language", "el"],
  "love-compatibility": ["--sign", "leo,leo", "--language", "ta"],
  "divine-angel-reading": ["--cards", "5", "--card-image", "3"],
  "power-life-reading": ["--language", "id", "--cards", "2"],
  "egyptian-prediction": ["--language", "ar"],
  "ex-flame-reading": ["--language", "gu"],
  "in-depth-love-reading": ["--language", "fil"],
  "past-present-future-reading": ["--language", "zh"],
  "love-triangle-reading": ["--language", "fr"],
  "wisdom-reading": ["--language", "te"],
  "which-animal-are-you-reading": ["--full-name", fullName, "--born", born, "--language", "uk"],
  "daily-tarot": ["--language", "hu"],
  "dream-come-true-reading": ["--language", "bn"],
  "erotic-love-reading": ["--language", "mr"],
  "past-lives-connection-reading": ["--language", "tr"],
};

/** Every process takes a second: each operation is asked once here, and all is seen of each with test:deep. */
const oneOfEachFamily = operationNames.filter(
  (name, index) => operationNames.findIndex((other) => familyOf(other) === familyOf(name)) === index,
);
const isAlone = (name: Operation): boolean =>
  operationNames.filter((other) => familyOf(other) === familyOf(name)).length === 1;
const asDocument = oneOfEachFamily.filter((name) => deep || !isAlone(name));
const forAPerson = operationNames.filter((name) => deep || !asDocument.includes(name));
/** The first of them, with test:deep all. */
function some<Case>(count: number, cases: readonly Case[]): readonly Case[] {
  return deep ? cases : cases.slice(0, count);
}

describe("almanac reading", () => {
  let sandbox: SpawnedSandbox;
  let env: Record<string, string>;
  const everything: string[] = [];
  const run = async (words: readonly string[], circumstances: Circumstances = {}): Promise<Ran> => {
    const ran = await almanac(["reading", ...words], {
      ...circumstances,
      env: { ...env, ...circumstances.env },
    });
    everything.push(ran.stdout, ran.stderr);
    return ran;
  };
  const tarot = ["daily-tarot"];
  const errorOf = async (words: readonly string[], circumstances: Circumstances = {}) => {
    const { code, stdout, stderr } = await run([...words, "--json"], circumstances);
    return { code, stderr, ...failed.parse(JSON.parse(stdout)).error };
  };
  const folder = async () => {
    const path = await mkdtemp(join(tmpdir(), "almanac-cli-"));
    onTestFinished(() => rm(path, { recursive: true }));
    return path;
  };

  beforeAll(async () => {
    sandbox = await spawnSandbox({ seed: 5 });
    await sandbox.clock({ at: testNow().toISOString() });
    await sandbox.credentials({ token, apiKey });
    env = environmentFor({ ...sandbox, token, apiKey });
  });
  afterEach(async () => {
    await sandbox.clearFaults();
    await sandbox.clearStats();
  });
  afterAll(() => sandbox.close());

  it.each(forAPerson)("prints %s for a person", async (operation) => {
    const { code, stdout, stderr } = await run([operation, ...(tried[operation] ?? [])]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [title = "", what = "", blank, ...rest] = stdout.split("\n");
    expect(title).toMatch(/\S/);
    expect(what).toMatch(new RegExp(`^${operation}, [A-Z][a-z]+$`));
    expect(blank).toBe("");
    expect(rest.length).toBeGreaterThan(5);
    expect(stdout).not.toContain("\u001B");
    expect((await sandbox.stats()).calls).toBe(1);
  });

  it.each(asDocument)("prints %s as one JSON document", async (operation) => {
    const { code, stdout, stderr } = await run([operation, ...(tried[operation] ?? []), "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { key, tries, notes, reading } = answered.parse(JSON.parse(stdout));
    expect(reading.operation).toBe(operation);
    expect(key).toContain(`/${reading.language}/${operation}/`);
    expect({ tries, notes }).toEqual({ tries: 1, notes: [] });
  });

  it("asks for as many cards as it is told, in the style it is told", async () => {
    const { stdout } = await run([
      "divine-angel-reading",
      ...(tried["divine-angel-reading"] ?? []),
      "--json",
    ]);
    const { reading } = answered.parse(JSON.parse(stdout));
    expect(reading).toMatchObject({
      family: "cards",
      cards: Array.from({ length: 5 }, () => expect.anything()),
    });
    expect(stdout).toContain("/style-3/");
  });

  it("asks for the period of today in the language's home zone, or the one that is named", async () => {
    const keyOf = async (...words: string[]) => {
      const { stdout } = await run(["daily-horoscope", "--sign", "leo", ...words, "--json"]);
      return answered.parse(JSON.parse(stdout)).key.split("/")[1];
    };
    const dateIn = (timeZone: string) => new Intl.DateTimeFormat("en-CA", { timeZone }).format(testNow());
    const today = await keyOf("--language", "ja");
    expect(today).toBe(dateIn("Asia/Tokyo"));
    const tomorrow = await keyOf("--language", "ja", "--period", "tomorrow");
    expect(Date.parse(tomorrow ?? "")).toBeGreaterThan(Date.parse(today ?? ""));
    expect(await keyOf("--language", "ja", "--period", tomorrow ?? "")).toBe(tomorrow);
  });

  describe("when the call fails", () => {
    const refusals = [
      ["http401", "CredentialsRefused", { status: 401 }, "compare READING_SERVICE_TOKEN"],
      ["success2", "Rejected", { status: 200 }, "your subscription probably does not include it"],
      ["empty", "Unfit", { status: 200, rule: "empty" }, "Nothing was stored"],
      ["success3", "CredentialsRefused", { status: 200 }, "compare READING_SERVICE_TOKEN"],
      ["http400", "Rejected", { status: 400 }, "your plan"],
      ["html200", "Unfit", { status: 200, rule: "json" }, "Nothing was stored"],
    ] as const;
    it.each(some(3, refusals))(
      "by %s, it says %s, why and what next, after one try",
      async (fault, type, facts, next) => {
        await sandbox.faults([{ fault }]);
        expect(await errorOf(tarot)).toMatchObject({
          code: 1,
          stderr: "",
          type,
          key: expect.stringMatching(/^daily\/.*\/en\/daily-tarot\/reading$/),
          address: `${sandbox.endpoints.english}/api/v2/daily-tarot`,
          seen: expect.stringMatching(/\S/),
          next: expect.stringContaining(next),
          ...facts,
        });
        expect((await sandbox.stats()).calls).toBe(1);
      },
    );

    it("tells a person why and what next, without a stack", async () => {
      await sandbox.faults([{ fault: "success2" }]);
      const { code, stdout, stderr } = await run(tarot);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(
        new RegExp(`^error: .*requested \\S+ from ${sandbox.endpoints.english}/api/v2/daily-tarot`),
      );
      expect(stderr.replaceAll("\n", " ")).toMatch(
        / next: try again: .* your subscription probably does not include it $/,
      );
      expect(stderr).not.toContain("    at ");
    });

    it("in passing, it asks again after what the service asks for, and says so", async () => {
      await sandbox.faults([
        { fault: "http429", retryAfter: 1, times: 1 },
        { fault: "reset", times: 1 },
      ]);
      const startedMs = performance.now();
      const { code, stdout, stderr } = await run([...tarot, "--json"]);
      expect(performance.now() - startedMs).toBeGreaterThan(1_000);
      expect(code).toBe(0);
      expect(answered.parse(JSON.parse(stdout)).tries).toBe(3);
      expect(stderr).toMatch(
        /\(HTTP 429\): a message: 17 characters; attempt 2 of 4 in 1.0 s\n.*; attempt 3 of 4 in [\d.]+ s\n$/,
      );
    });

    it("for good, it gives up after four tries", async () => {
      await sandbox.faults([{ fault: "http503" }]);
      const next = "try again later. If it still fails, check the URL above";
      expect(await errorOf(tarot)).toMatchObject({ code: 1, type: "Unavailable", status: 503, next });
      expect((await sandbox.stats()).calls).toBe(4);
      await sandbox.clearFaults();
      expect(await run(tarot)).toMatchObject({ code: 0 });
    });

    it("and the service wants to be left alone for long, it does not wait", async () => {
      await sandbox.faults([{ fault: "http503", retryAfter: 3_600 }]);
      expect(await errorOf(tarot)).toMatchObject({ code: 1, type: "Unavailable", retryAfterMs: 3_600_000 });
      expect((await sandbox.stats()).calls).toBe(1);
    });

    it("shows where in the code only when told to", async () => {
      await sandbox.faults([{ fault: "empty" }]);
      const { stdout, stderr } = await run([...tarot, "--verbose", "--json"]);
      expect(failed.parse(JSON.parse(stdout)).error.type).toBe("Unfit");
      expect(stderr).toContain("    at ");
    });
  });

  it("says what it waits for when an answer takes long", async () => {
    await sandbox.faults([{ fault: "slow", delayMs: 3_300, times: 1 }]);
    const { code, stderr } = await run([...tarot, "--language", "hi"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^waiting for the reading service \(READING_SERVICE_TRANSLATOR_URL\), where a translation takes 20 to 35 s \(since \S+Z, at most \d+ s\)\n$/,
      ),
    });
  });

  it.each<[readonly string[], string | undefined, RegExp]>([
    [["daily-horoscope", "--language", "gr"], "el", /unknown language "gr"\. Did you mean el\?/],
    [
      ["wisdom-reading", "--language", "uk"],
      undefined,
      /not available in uk \(Ukrainian\)\. wisdom-reading is available in en, hi, /,
    ],
    [["daily-horoscope", "--sign", "lev"], "leo", /unknown sign "lev"\. Did you mean leo\?/],
    [["daily-tarot", "--perod", "today"], "--period", /unknown option "--perod"\. Did you mean --period\?/],
    [["ex-flame-reading", "--cards", "6"], undefined, /--cards must be a whole number from 1 to 5, not "6"/],
    [
      ["ex-flame-reading", "--card-image", "x"],
      undefined,
      /--card-image must be a whole number from 1 to 3, not "x"/,
    ],
    [[], undefined, /missing argument <operation>/],
  ])("%j is wrong usage, said before any call", async (words, meant, message) => {
    const error = await errorOf(words);
    expect(error).toMatchObject({ code: 2, stderr: "", type: "WrongUsage" });
    expect(error.message).toMatch(message);
    expect(error.meant).toBe(meant);
    expect((await sandbox.stats()).calls).toBe(0);
  });

  it("refuses a day that is out of reach and says when it is in reach", async () => {
    const words = ["daily-horoscope", "--sign", "leo", "--period", "2024-01-31"];
    const { code, stdout, stderr } = await run(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      /^error: daily-horoscope for 2024-01-31 is no longer in reach: .* from 2024-01-30T05:00/,
    );
    expect((await sandbox.stats()).calls).toBe(0);
  });

  describe("a name and a birth date", () => {
    const words = ["which-animal-are-you-reading", "--born", born, "--full-name"];

    const tries: readonly (readonly [string, readonly string[]])[] = [
      ["a reading", [...words, fullName]],
      ["a slip in the option", ["which-animal-are-you-reading", `--full-nam=${fullName}`, `--bron=${born}`]],
      [
        "a date that is none",
        ["which-animal-are-you-reading", "--full-name", fullName, "--born", "1987-12-32"],
      ],
      ["an operation that takes none", ["daily-tarot", "--full-name", fullName, "--born", born]],
      ["a reading as JSON", [...words, fullName, "--json"]],
      ["a name without quotes", [...words, ...fullName.split(" ")]],
    ];
    it.each(some(4, tries))("are not printed back with %s", async (_what, line) => {
      const { stdout, stderr } = await run([...line, "--verbose"]);
      expect(stdout + stderr).toMatch(/\S/);
      expect(stdout + stderr).not.toMatch(/Examplina|Persona|1987-12/);
    });

    it("are not printed back with a failure", async () => {
      await sandbox.faults([{ fault: "http400" }]);
      const { stdout, stderr } = await run([...words, fullName, "--verbose", "--json"]);
      expect(failed.parse(JSON.parse(stdout)).error.key).toBe(
        "once/always/en/which-animal-are-you-reading/someone",
      );
      expect(stdout + stderr).not.toMatch(/Examplina|Persona|1987-12/);
    });

    it("nor credentials are printed where the service repeats them", async () => {
      const said = `not ${fullName} with ${token}, ${apiKey} or ${encodeURIComponent(token)}`;
      const server = createServer((_incoming, outgoing) =>
        outgoing.end(JSON.stringify({ success: 2, msg: said })),
      );
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const given = { env: { READING_SERVICE_URL: `http://127.0.0.1:${port}` } };
      for (const more of [["--verbose"], ["--json", "--verbose"]]) {
        const { code, stdout, stderr } = await run([...words, fullName, ...more], given);
        expect(code).toBe(1);
        const length = "not [secret] with [secret], [secret] or [secret]".length;
        expect(stdout + stderr).toContain(`is 2, a message: ${length} characters`);
        expect(stdout + stderr).not.toMatch(/Examplina|Persona/);
      }
    });
  });

  describe("set up", () => {
    it("with nothing, it says what to set and that there is a sandbox, and asks nobody", async () => {
      const { code, stdout, stderr } = await almanac(["reading", ...tarot, "--language", "hi"]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      for (const word of [
        "READING_SERVICE_TRANSLATOR_URL",
        "READING_SERVICE_TOKEN",
        "READING_SERVICE_API_KEY",
        "almanac sandbox",
      ]) {
        expect(stderr).toContain(word);
      }
    });

    it("with credentials but no address, it names the address", async () => {
      const error = await errorOf(tarot, { env: { READING_SERVICE_URL: "" } });
      expect(error).toMatchObject({ code: 2, type: "NotSetUp" });
      expect(error.message).toContain("Set READING_SERVICE_URL, ");
    });

    it("with credentials in files, it reads them", async () => {
      const path = await folder();
      await writeFile(join(path, "token"), `${token}\n`);
      await writeFile(join(path, "key"), apiKey);
      const files = {
        READING_SERVICE_TOKEN: "",
        READING_SERVICE_TOKEN_FILE: join(path, "token"),
        READING_SERVICE_API_KEY: "",
        READING_SERVICE_API_KEY_FILE: join(path, "key"),
      };
      expect((await run(tarot, { env: files })).code).toBe(0);
      await rm(join(path, "key"));
      expect(await errorOf(tarot, { env: files })).toMatchObject({ code: 2, type: "CredentialsUnreadable" });
    });

    it("wrongly, it names every variable that is wrong, without its secret", async () => {
      const wrong = { READING_SERVICE_URL: "http://example.org", READING_SERVICE_TOKN: token };
      const { code, stderr } = await run(tarot, { env: wrong });
      expect(code).toBe(2);
      expect(stderr).toMatch(/READING_SERVICE_URL: expected an https URL/);
      expect(stderr).toMatch(/READING_SERVICE_TOKN: unknown variable\. Did you mean READING_SERVICE_TOKEN\?/);
    });

    it("with a configuration, it keeps to it: cards, zones, rules", async () => {
      const cwd = await folder();
      await writeFile(
        join(cwd, "almanac.config.ts"),
        `export default {
          cards: { "ex-flame-reading": { count: 4 } },
          zones: { en: "Pacific/Kiritimati" },
          quality: { rules: { language: "warn" } },
        };`,
      );
      const cards = answered.parse(
        JSON.parse((await run(["ex-flame-reading", "--json"], { cwd })).stdout),
      ).reading;
      expect(cards).toMatchObject({ cards: Array.from({ length: 4 }, () => expect.anything()) });
      const far = new Intl.DateTimeFormat("en-CA", { timeZone: "Pacific/Kiritimati" });
      expect(cards.period).toBe(far.format(testNow()));

      await sandbox.faults([{ fault: "wrongLanguage", language: "de", times: 1 }]);
      const { code, stdout } = await run(tarot, { cwd });
      expect(code).toBe(0);
      expect(stdout.replaceAll(/\s+/g, " ")).toMatch(/ notes language: /);
    });

    it("with a configuration that is wrong, it says what was meant", async () => {
      const cwd = await folder();
      await writeFile(join(cwd, "almanac.config.ts"), `export default { languages: ["gr"] };`);
      const error = await errorOf(tarot, { cwd });
      expect(error).toMatchObject({ code: 2, type: "WrongConfiguration" });
      expect(error.message).toContain(`Did you mean "el"?`);
    });
  });

  it("runs from another folder and through a link", async () => {
    const cwd = await folder();
    const link = join(cwd, "almanac");
    await symlink(entry, link);
    const { code, stdout } = await run([...tarot, "--json"], { cwd, entry: link });
    expect(code).toBe(0);
    expect(answered.parse(JSON.parse(stdout)).reading.operation).toBe("daily-tarot");
  });

  it("colours its headings where colours are forced", async () => {
    const { stdout } = await run(tarot, { env: { FORCE_COLOR: "1" } });
    expect(stdout).toMatch(/^\u001B\[1m/);
  });

  it("has printed no credential in any of this", () => {
    expect(everything.length).toBeGreaterThan(70);
    for (const printed of everything) {
      expect(printed).not.toContain(token);
      expect(printed).not.toContain(apiKey);
      expect(printed).not.toContain(encodeURIComponent(token));
    }
  });
});
