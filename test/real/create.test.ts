// From an empty folder to a page: an empty cache, a registry with our packages, npm's command for new projects, and the one command
// that it suggests, on a machine whose own Node is too old. Then an owner's next steps: another language, a color, nginx, a bucket.
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import createJson from "../../packages/create-almanac/package.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };
import { launchBrowser } from "../support/chromium.ts";
import { environmentFor } from "../support/cli.ts";
import { fileEnd } from "../support/ends.ts";
import { s3ForTests } from "../support/s3.ts";
import { spawnSandbox } from "../support/sandbox.ts";
import { pack, publishTo, registryWithPackage } from "./registry.ts";
import { newStranger, type Stranger } from "./stranger.ts";
import { startWebServer, webServers } from "./web-server.ts";

const source = fileURLToPath(new URL("../../packages/create-almanac/", import.meta.url));
const atEnd = fileEnd();
const timeoutMs = 900_000;
let folder = "";
let stranger: Stranger;
const inProject = (line: string) => stranger.run("sh", ["-c", `cd morning-stars && ${line}`]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-create-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const { registry } = await registryWithPackage(folder, atEnd);
  await publishTo(registry, await pack(source, folder), createJson);
  stranger = await newStranger(folder, registry, { node: "20", npm: "10" });
}, timeoutMs);

test("the create package is of the version that it makes projects with", () => {
  expect(createJson.version).toBe(packageJson.version);
  expect(createJson.dependencies).toEqual({ [packageJson.name]: packageJson.version });
  expect(createJson.engines).toEqual(packageJson.engines);
  expect(createJson.optionalDependencies).toEqual(packageJson.optionalDependencies);
});

test("two commands lead from an empty folder to a page in a browser", { timeout: timeoutMs }, async () => {
  const browser = await launchBrowser("*.example"); // the site has an address of this machine
  onTestFinished(() => browser.close());

  const startedMs = performance.now();
  const made = await stranger.run("npm", ["create", "@almanac/almanac", "morning-stars"]);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  expect(made.stderr).not.toContain("install-scripts");
  expect(made.stdout).toContain("written  almanac.config.ts");
  const [, next = ""] = /^next: (.+)$/m.exec(made.stdout) ?? [];
  expect(next).toBe("cd morning-stars && npm run local");
  const madeMs = performance.now();

  const url = await startSite(next);
  const page = await browser.newPage();
  await page.goto(await whenThere(new URL("/en/", url)));
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Morning Stars");
  const sign = page.getByRole("link", { name: /Aries/ }).first();
  await sign.click();
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain("Aries");
  const seconds = (fromMs: number, toMs: number) => Math.round((toMs - fromMs) / 1000);
  const all = `${seconds(startedMs, performance.now())} s, ${seconds(startedMs, madeMs)} of them npm's`;
  console.info(`from an empty folder to a page in a browser: 2 commands, ${all}`);

  const planned = await inProject("npx almanac plan --json");
  expect(planned).toMatchObject({ code: 0, stderr: "" });
  const lock = await readFile(join(stranger.site, "morning-stars/package-lock.json"), "utf8");
  expect(JSON.parse(lock)).toMatchObject({
    packages: { "": { dependencies: { [packageJson.name]: packageJson.version } } },
  });
});

test("another language, a colour of one's own, nginx and a bucket", { timeout: timeoutMs }, async () => {
  const project = join(stranger.site, "morning-stars");
  await changed(join(project, "almanac.config.ts"), /languages: \[.*\]/, 'languages: ["en", "fil"]');
  await changed(join(project, "theme/theme.ts"), '"#faf5ec"', '"#eef6ff"');
  const gathered = await inProject("npm run --silent local -- --once");
  expect(gathered, gathered.stderr).toMatchObject({ code: 0 });

  expect(await inProject("npx almanac deploy folder ../live")).toMatchObject({ code: 0 });
  const [nginx] = webServers;
  if (nginx === undefined) throw new Error("web-server.ts has no nginx");
  const origin = await startWebServer(nginx, join(stranger.site, "live"), folder, atEnd);
  const browser = await launchBrowser("*.example");
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(new URL("/fil/daily/leo/", origin).href);
  expect(await page.locator("html").getAttribute("lang")).toBe("fil");
  const paper = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  expect(paper).toBe("rgb(238, 246, 255)");

  const sandbox = await spawnSandbox();
  onTestFinished(() => sandbox.close());
  const s3 = await s3ForTests(atEnd);
  const stores = { ALMANAC_VAULT: `s3://${s3.bucket}/vault`, ALMANAC_SITE: `s3://${s3.bucket}/site` };
  const settings = { ...environmentFor(sandbox), ...s3.variables, ...stores };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(project, ".env"), lines.join(""));
  const inBucket = await inProject("npm run --silent local -- --once");
  expect(inBucket, inBucket.stderr).toMatchObject({ code: 0 });
  expect(await inProject("npx almanac verify")).toMatchObject({ code: 0 });
  const shown = await s3.client.getObject({ Bucket: s3.bucket, Key: "site/fil/daily/leo/index.html" });
  expect(await shown.Body?.transformToString()).toContain("#eef6ff");
});

async function changed(path: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(path, "utf8");
  const other = text.replace(from, to);
  expect(other).not.toBe(text);
  await writeFile(path, other);
}

/** The URL in its output. */
async function startSite(line: string): Promise<string> {
  const site = stranger.start(line);
  const ended = once(site, "close");
  onTestFinished(async () => {
    if (site.pid !== undefined && site.exitCode === null) process.kill(-site.pid, "SIGINT");
    await ended;
  });
  site.stdout.resume();
  let said = "";
  site.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  for (;;) {
    const [, url] = /^the site: +(http\S+)\n/m.exec(said) ?? [];
    if (url !== undefined) return url;
    if (site.exitCode !== null) throw new Error(`${line} showed no site: ${said}`);
    await wait(50);
  }
}

/** Its first pages appear while others are still being requested. */
async function whenThere(url: URL): Promise<string> {
  for (;;) {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (answer.ok) return url.href;
    await wait(100);
  }
}
