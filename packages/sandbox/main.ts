// The sandbox as a separate process: prints one JSON line with its endpoints' URLs when it listens, and nothing more.
import { parseArgs } from "node:util";
import { z } from "zod";
import { profileNames } from "./profiles.ts";
import { startSandbox } from "./server.ts";
import { latencySetting } from "./settings.ts";

const usage = `usage: node packages/sandbox/main.ts [--port 0] [--faults ${profileNames.join("|")}] [--seed N]
  [--latency english=1000,translator=20000+15000] [--faces] [--with-parent]
  --latency is a time in ms per endpoint, with a random part after the plus; --faces uses the sandbox's own pictures;
  --with-parent exits when stdin closes`;

const whole = z.string().regex(/^\d+$/, "expected a whole number").transform(Number);

const commandLine = z.object({
  port: whole.pipe(z.int().max(65_535)).optional(),
  faults: z.enum(profileNames).optional(),
  seed: whole.optional(),
  latency: z.preprocess(readLatency, latencySetting).optional(),
  faces: z.boolean().default(false),
  "with-parent": z.boolean().default(false),
});

const settings = readCommandLine();
if (typeof settings === "string") {
  console.error(`${settings}\n${usage}`);
  process.exitCode = 2;
} else {
  await run(settings).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}

async function run({ "with-parent": withParent, ...options }: z.infer<typeof commandLine>): Promise<void> {
  const sandbox = await startSandbox(options);
  const stop = () => void sandbox.close().then(() => process.exit(0));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  if (withParent) process.stdin.once("close", stop).once("end", stop).resume();
  const { origin, endpoints, token, apiKey } = sandbox;
  console.log(JSON.stringify({ origin, endpoints, token, apiKey }));
}

/** The settings, or a sentence about their error. */
function readCommandLine(): z.infer<typeof commandLine> | string {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    const { values } = parseArgs({
      options: { port: text, faults: text, seed: text, latency: text, faces: flag, "with-parent": flag },
    });
    const read = commandLine.safeParse(values);
    return read.success ? read.data : z.prettifyError(read.error);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Parses `english=1000,translator=20000+15000`; the schema reports errors. */
function readLatency(text: unknown): Record<string, { fixedMs: number; jitterMs: number }> {
  const parts = String(text)
    .split(",")
    .map((part) => {
      const [endpoint = "", times = ""] = part.split("=");
      const [fixedMs = Number.NaN, jitterMs = 0] = times.split("+").map(Number);
      return [endpoint, { fixedMs, jitterMs }] as const;
    });
  return Object.fromEntries(parts);
}
