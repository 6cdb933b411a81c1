// `almanac sandbox`: started, used through its output, and ended as by Ctrl-C.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { almanac, start } from "../support/cli.ts";

const started = z.strictObject({ origin: z.url(), environment: z.record(z.string(), z.string()) });

/** Output up to and including `end`. */
async function printed(child: ReturnType<typeof start>, end: string): Promise<string> {
  onTestFinished(() => void child.kill("SIGKILL"));
  let seen = "";
  for await (const chunk of child.stdout) {
    seen += String(chunk);
    if (seen.includes(end)) return seen;
  }
  throw new Error(`it ended before it printed ${end}: ${await text(child.stderr)}`);
}

async function stop(child: ChildProcess): Promise<number | null> {
  child.kill("SIGINT");
  if (child.exitCode === null) await once(child, "exit");
  return child.exitCode;
}

describe("almanac sandbox", () => {
  it("prints the lines that make other commands use it, and ends at Ctrl-C", async () => {
    const child = start(["sandbox", "--port", "0", "--seed", "7"]);
    const lines = (await printed(child, "API_KEY=sandbox-key\n")).trim().split("\n");
    const env = Object.fromEntries(lines.map((line) => line.replace("export ", "").split(/=(.*)/s, 2)));
    expect(Object.keys(env)).toEqual([
      "READING_SERVICE_URL",
      "READING_SERVICE_TRANSLATOR_URL",
      "READING_SERVICE_LEGACY_URL",
      "READING_SERVICE_TOKEN",
      "READING_SERVICE_API_KEY",
    ]);
    for (const words of [["daily-tarot"], ["daily-tarot", "--language", "hi"], ["daily-tarot-legacy"]]) {
      expect((await almanac(["reading", ...words], { env })).code).toBe(0);
    }
    expect(await stop(child)).toBe(0);
  });

  it("fails as its profile says, and says where it is as JSON", async () => {
    const child = start(["sandbox", "--port", "0", "--faults", "revoked", "--json"]);
    const { environment: env } = started.parse(JSON.parse(await printed(child, "\n}\n")));
    const { code, stderr } = await almanac(["reading", "daily-tarot"], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: the service refused the credentials: /);
    expect(await stop(child)).toBe(0);
  });

  it.each([
    [["--faults", "flak"], /unknown fault profile "flak"\. Did you mean flaky\?/],
    [["--port", "80000"], /--port must be a whole number from 0 to 65535, not "80000"/],
    [["--seed", "-1"], /--seed must be a whole number/],
  ])("refuses %j", async (words, message) => {
    const { code, stdout, stderr } = await almanac(["sandbox", ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it("says so when its port is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const { code, stderr } = await almanac(["sandbox", "--port", port]);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^error: port ${port} is in use.*--port 0`));
  });
});
