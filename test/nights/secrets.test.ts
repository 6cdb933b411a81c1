// Places where secrets could leak after a night with a service that echoes its input: every file of vault and site, logs, output of
// commands, command lines, and the bytes of Temporal's own database.
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { glob, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { publicHalf } from "../../publish/step/pointer.ts";
import { almanac, type Ran } from "../support/cli.ts";
import { historiesOf, payloadsIn, quickService } from "../support/looks.ts";
import { createWorld, type World } from "../support/night.ts";
import { temporalForTests } from "../support/temporal.ts";
import { fileEnd } from "../support/ends.ts";

const temporal = await temporalForTests({ database: "file" });
const atEnd = fileEnd();

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const person = { id: "reader-1", fullName: "Zyxwvut Qponmlk", birthDate: "1987-06-05" };
const secrets = {
  token: "tok/en+hidden=Q7w9",
  apiKey: "api~key+hidden/Z3x5",
  signingKey: pem.split("\n")[1] ?? "",
  alertPath: "alert-path-hidden",
  fullName: person.fullName,
  birthDate: person.birthDate,
};

/** The secret as it is, and in the encodings that programs use. */
function formsOf(secret: string): string[] {
  const forms = [
    secret,
    encodeURIComponent(secret),
    secret.replaceAll("/", String.raw`\/`),
    Buffer.from(secret).toString("base64"),
    Buffer.from(`Bearer ${secret}`).toString("base64"),
    Buffer.from(secret).toString("hex"),
  ];
  return [...new Set(forms)];
}

/** A form in which nobody looks for it. */
const unknownForm = secrets.token.split("").toReversed().join("");

function secretsIn(bytes: Buffer): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => formsOf(secret).some((form) => bytes.includes(form)))
    .map(([name]) => name);
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const msg = `${unknownForm} You sent ${request.headers.authorization} and ${(await buffer(request)).toString()}`;
  response.end(JSON.stringify({ success: 2, msg }));
}

/** Refuses everything, and echoes all of its input in the reason. */
async function startEchoing(): Promise<string> {
  const server = createServer((request, response) => {
    void echo(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

async function hidingWorld(): Promise<World> {
  const world = await createWorld(
    temporal,
    {
      languages: ["en", "hi"],
      operations: ["daily-tarot", "which-animal-are-you-reading"],
      people: [person],
      publishing: { publicKeys: [publicHalf(publicKey)] },
      service: quickService,
    },
    atEnd,
  );
  await world.sandbox.credentials({ token: secrets.token, apiKey: secrets.apiKey });
  Object.assign(world.env, {
    READING_SERVICE_TOKEN: secrets.token,
    READING_SERVICE_API_KEY: secrets.apiKey,
    READING_SERVICE_TRANSLATOR_URL: await startEchoing(),
    ALMANAC_SIGNING_KEY: pem,
    ALMANAC_ALERT_URL: `http://127.0.0.1:1/${secrets.alertPath}`,
  });
  return world;
}

/** Bytes by name: everything that a night leaves behind or shows. */
async function tracesOf(world: World, ran: Readonly<Record<string, Ran>>): Promise<Map<string, Buffer>> {
  const traces = new Map<string, Buffer>();
  for (const [words, { stdout, stderr }] of Object.entries(ran)) {
    traces.set(`almanac ${words}`, Buffer.from(`${stdout}\n${stderr}`));
  }
  for await (const entry of glob("**/*", { cwd: world.folder, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // The configuration is where a person's name and birth date are.
    if (entry.isFile() && !path.endsWith(".config.ts")) traces.set(path, await readFile(path));
  }
  const command = await readFile(`/proc/${temporal.pid()}/cmdline`, "utf8");
  traces.set("Temporal's command line", Buffer.from(command));
  const database = command.split("\0").find((word) => word.endsWith(".sqlite")) ?? "no database";
  for await (const path of glob(`${database}*`)) traces.set(`Temporal's ${path}`, await readFile(path));
  return traces;
}

test("no secret of a night is in any file, log, report, output, command line, or in Temporal's database, and what the service wrote is in quarantine alone", async () => {
  const world = await hidingWorld();
  const worker = await world.worker();
  const workerCommand = await readFile(`/proc/${worker.pid}/cmdline`);
  const at = (words: string) => almanac(words.split(" "), { env: world.env, cwd: world.folder });
  const night = await at("nightly --wait");
  expect(night.code).toBe(3); // the refused echo is quarantined
  const others = ["status --json", "quarantine list", "check --json"];
  const ran = Object.fromEntries(
    await Promise.all(others.map(async (words) => [words, await at(words)] as const)),
  );
  await worker.stop();

  const traces = await tracesOf(world, { ...ran, nightly: night });
  traces.set("the worker's command line", workerCommand);
  const all = Buffer.concat([...traces.values()]);
  expect([...traces.keys()].filter((name) => name.startsWith("Temporal's /"))).not.toEqual([]);
  for (const path of ["vault", "site", "worker.log"]) {
    expect([...traces.keys()].some((name) => name.startsWith(join(world.folder, path)))).toBe(true);
  }
  // The search works: it finds the responses without their echoes, and a person's id in Temporal's database.
  expect(all.includes("You sent Bearer [secret]")).toBe(true);
  const database = Buffer.concat(
    [...traces].filter(([name]) => name.includes(".sqlite")).map(([, bytes]) => bytes),
  );
  expect(database.includes(`/which-animal-are-you-reading/${person.id}`)).toBe(true);
  for (const [name, bytes] of traces) expect(secretsIn(bytes), name).toEqual([]);
  // The service's text is only in the quarantine: a credential in an unknown encoding goes nowhere else.
  const withIt = [...traces].filter(([, bytes]) => bytes.includes(unknownForm)).map(([name]) => name);
  expect(withIt.length).toBeGreaterThan(1);
  expect(withIt.filter((name) => !name.includes("quarantine"))).toEqual([]);

  await expectPlainPayloads(world);
});

/** A key, a path, an id, a hash, a date, one of our words; or a label of a few of them, as Temporal's page shows it. */
const plain = /^[\w.:/@+~=,-]{0,200}(?: [\w.:/@+~=,-]{1,100}){0,5}$/;
/** Record of a refusal: its kind and its length. */
const refusal = /^(?:[^\s"]+ ?){0,14}"success" is 2, a message: \d+ characters$/;

async function expectPlainPayloads(world: World): Promise<void> {
  const strange = new Set<string>();
  let leaves = 0;
  for (const { history } of await historiesOf(world, 3)) {
    for (const payload of payloadsIn(history)) {
      for (const leaf of leavesOf(JSON.parse(payload.toString("utf8") || "null"))) {
        leaves += 1;
        if (!plain.test(leaf) && !refusal.test(leaf)) strange.add(leaf);
      }
    }
  }
  expect(leaves).toBeGreaterThan(20);
  expect([...strange]).toEqual([]);
}

/** Every text within, the names of fields too. */
function leavesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(leavesOf)];
}
