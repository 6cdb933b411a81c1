import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const logs = fileURLToPath(new URL("../../worker/monitor/logs.ts", import.meta.url));

async function written(settings: object): Promise<string> {
  const lines = `
    import { createLog } from ${JSON.stringify(logs)};
    const log = createLog(undefined, ${JSON.stringify(settings)});
    log.debug({}, "only when asked for");
    log.warn({ run: "a-night", key: "daily/2026-11-22/hi/daily-tarot/reading", attempt: 2, reason: "evil\\u001b[2Jtext\\nmore" }, "response quarantined");
  `;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", lines], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  return text(child.stderr);
}

test("a line is JSON without a terminal, with its level as a word and its time as a date", async () => {
  const lines = (await written({})).trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "warn",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    run: "a-night",
    attempt: 2,
    msg: "response quarantined",
  });
});

test("on a terminal an entry stays one line, and its values move no cursor", async () => {
  const lines = (await written({ form: "text", level: "debug" })).trimEnd().split("\n");
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d debug only when asked for$/),
    expect.stringMatching(
      /^\d\d:\d\d:\d\d warn {2}response quarantined {2}run=a-night key=daily\/2026-11-22\/hi\/daily-tarot\/reading attempt=2 reason=evil \[2Jtext more$/,
    ),
  ]);
});
