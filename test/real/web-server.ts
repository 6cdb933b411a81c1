// nginx and Caddy as Debian has them, each with its file of deploy/: word for word but for the lines that are an owner's.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { AtEnd } from "../support/ends.ts";
import { isExecutable, onPath } from "../support/on-path.ts";

export interface Place {
  readonly site: string;
  /** Folder of the server's own files. */
  readonly own: string;
  readonly port: number;
}

export interface WebServer {
  readonly name: "nginx" | "caddy";
  readonly debian: string;
  readonly file: string;
  /** The owner's placeholders, and their values in a test. */
  readonly ours: (place: Place) => readonly (readonly [string, string])[];
  /** The complete configuration, if the file is only a part of one. */
  readonly around: (place: Place, text: string) => string;
  readonly words: (configuration: string, place: Place) => readonly string[];
}

const nginx: WebServer = {
  name: "nginx",
  debian: "nginx-light",
  file: "nginx/almanac.conf",
  ours: ({ site, port }) => [
    ["listen 80;", `listen 127.0.0.1:${port};`],
    ["server_name example.com;", "server_name localhost;"],
    ["root /srv/almanac/site;", `root ${site};`],
  ],
  around: ({ own }, text) =>
    [
      process.getuid?.() === 0 ? "user root;" : "",
      `daemon off; pid ${own}/pid; error_log stderr; events {}`,
      `http { access_log off; client_body_temp_path ${own}/bodies;`,
      text,
      "}",
    ].join("\n"),
  words: (configuration, { own }) => ["-p", own, "-c", configuration],
};

const caddy: WebServer = {
  name: "caddy",
  debian: "caddy",
  file: "caddy/Caddyfile",
  ours: ({ site, port }) => [
    ["example.com {", `http://127.0.0.1:${port} {`],
    ["root * /srv/almanac/site", `root * ${site}`],
  ],
  around: ({ own }, text) =>
    `{\n\tadmin off\n\tauto_https off\n\tstorage file_system ${own}/storage\n}\n${text}`,
  words: (configuration) => ["run", "--config", configuration, "--adapter", "caddyfile"],
};

export const webServers: readonly WebServer[] = [nginx, caddy];

/** Starts it before that folder; its address, when it answers. */
export async function startWebServer(
  server: WebServer,
  site: string,
  folder: string,
  atEnd: AtEnd,
): Promise<string> {
  return startConfigured(server, site, folder, atEnd, (place) => textOf(server.file, server.ours(place)));
}

/** The same with another configuration. */
export async function startConfigured(
  { name, debian, around, words }: WebServer,
  site: string,
  folder: string,
  atEnd: AtEnd,
  textFor: (place: Place) => Promise<string>,
): Promise<string> {
  const program = programOf(name, debian);
  const [port = 0] = await freePorts([undefined]);
  const place = { site, own: join(folder, name), port };
  await mkdir(place.own);
  const configuration = join(place.own, "configuration");
  await writeFile(configuration, around(place, await textFor(place)));
  const child = spawn(program, words(configuration, place), { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  const gone = once(child, "exit");
  atEnd(async () => {
    child.kill("SIGTERM");
    await gone;
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100 && child.exitCode === null; tries += 1) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok === true) return url;
    await pause(100);
  }
  throw new Error(`${name} does not answer; it said:\n${said}`);
}

async function textOf(file: string, ours: ReturnType<WebServer["ours"]>): Promise<string> {
  let text = await readFile(fileURLToPath(new URL(`../../deploy/${file}`, import.meta.url)), "utf8");
  for (const [theirs, own] of ours) {
    if (!text.includes(theirs)) throw new Error(`deploy/${file} has no line "${theirs}"`);
    text = text.replace(theirs, own);
  }
  return text;
}

/** Debian keeps nginx where a user's PATH may not lead. */
export function programOf(name: string, debian: string): string {
  const found = onPath(name) ?? [`/usr/sbin/${name}`].find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(`${name} is not there: \`apt-get install --no-install-recommends ${debian}\``);
}
