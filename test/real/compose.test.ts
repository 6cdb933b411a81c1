// The S3 server of deploy/compose, unmodified, in a separate network where its ports are free and its name resolves to this
// machine. A night is published into it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { deep } from "../support/deep.ts";
import { fileEnd } from "../support/ends.ts";
import { findProgram } from "../support/s3-server.ts";
import { temporalExecutable } from "../support/temporal.ts";

const atEnd = fileEnd();
const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const environment = z.record(z.string(), z.string());
const composed = z.object({
  services: z.object({
    s3: z.object({
      command: z.string(),
      environment,
      healthcheck: z.object({ test: z.tuple([z.literal("CMD")], z.string()) }),
    }),
    buckets: z.object({ command: z.tuple([z.string()]) }),
    worker: z.object({ environment }),
  }),
});

/** The volumes ran out when the server had been up for a while, so a night begins when it has settled. */
const settleSeconds = deep ? 600 : 5;

/** Namespace whose processes end with its first process. */
const own = ["--net", "--mount", "--pid", "--fork", "--kill-child"];
const machine = `
set -eu
ip link set lo up
mount --bind "$FOLDER/hosts" /etc/hosts
(cd "$FOLDER"; exec weed $SERVER > server.log 2>&1) &
tries=0
until $HEALTH; do tries=$((tries + 1)); test $tries -lt 60; sleep 1; done
sh -c "$BUCKETS"
sleep $SETTLE
timeout 300 "$NODE" "$NIGHT" || { grep -m 1 "No writable volumes" "$FOLDER/server.log"; exit 1; }
`;

test(
  "the S3 server of the compose file, started as it says there, takes a night",
  { timeout: 900_000 },
  async () => {
    const text = await readFile(pathOf("deploy/compose/compose.yaml"), "utf8");
    const { s3, buckets, worker } = composed.parse(parse(text, { merge: true })).services;
    const folder = await mkdtemp(join(tmpdir(), "almanac-compose-"));
    atEnd(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "hosts"), "127.0.0.1 localhost s3\n");
    const { path: weed } = await findProgram();
    const secret = { ...s3.environment, AWS_SECRET_ACCESS_KEY: "invented-for-this-test" };
    const ofWorker = Object.entries(worker.environment).filter(([name]) =>
      /^(ALMANAC_(VAULT|SITE|S3_)|AWS_)/.test(name),
    );
    const child = spawn("unshare", [...asOrdinary(), ...own, "bash", "-c", machine], {
      cwd: folder,
      env: {
        ...process.env,
        ...Object.fromEntries(ofWorker),
        ...secret,
        PATH: `${dirname(weed)}:${process.env["PATH"]}`,
        ALMANAC_CONFIG: pathOf("deploy/compose/almanac.config.ts"),
        FOLDER: folder,
        SERVER: s3.command.replace("-dir=/data", `-dir=${folder}`),
        HEALTH: s3.healthcheck.test.slice(1).join(" "),
        BUCKETS: buckets.command[0],
        SETTLE: String(settleSeconds),
        NODE: process.execPath,
        TEMPORAL_CLI_PATH: await temporalExecutable(), // nothing can be fetched from there
        NIGHT: pathOf("test/real/compose-night.ts"),
      },
    });
    atEnd(async () => void child.kill("SIGKILL"));
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => said.push(String(part)));
    await once(child, "exit");
    expect(child.exitCode, said.join("")).toBe(0);
    expect(said.join("")).toContain("complete");
  },
);

/** A user who is not root needs a user namespace in which he is. */
function asOrdinary(): readonly string[] {
  return process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
}
