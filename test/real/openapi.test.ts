// The published OpenAPI document before other people's tools: two linters by their own default rules, and a tester that asks a
// served site for all that the document promises and holds each answer against its schema.
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { operationNames } from "../../readings/tables.ts";
import { addDays } from "../../readings/calendar.ts";
import type { Store } from "../../store/store.ts";
import { startPublishedServer } from "../../worker/site-server.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { newSite } from "../publish/support/published-site.ts";
import { settings } from "../site/editions.ts";
import { fileEnd } from "../support/ends.ts";
import { pythonTool } from "./python-tool.ts";

const run = promisify(execFile);
const atEnd = fileEnd();
const own = fileURLToPath(new URL("openapi/", import.meta.url));

const openApi = z.looseObject({ info: z.looseObject({}), paths: z.record(z.string(), z.unknown()) });
const findings = z.object({
  totals: z.object({ errors: z.number(), warnings: z.number(), ignored: z.number() }),
});
const none = { errors: 0, warnings: 0, ignored: 0 };

let url = "";
let folder = "";
let document: z.infer<typeof openApi>;
/** The paths of files that the server gave away. */
const given = new Set<string>();

beforeAll(async () => {
  const [port = 0] = await freePorts([undefined]);
  url = `http://127.0.0.1:${port}`;
  const published = newSite({ site: { ...settings, url }, operations: [...operationNames] });
  const now = new Date().toISOString();
  const today = now.slice(0, 10);
  published.setClock(now);
  await published.gather(addDays(today, -2), addDays(today, 1));
  await published.night();
  const server = await startPublishedServer(watched(published.site), port);
  atEnd(() => server.close());
  document = openApi.parse(await (await fetch(`${url}/v1/openapi.json`)).json());
  folder = await mkdtemp(join(tmpdir(), "almanac-openapi-"));
  atEnd(() => rm(folder, { recursive: true }));
  await cp(own, folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
});

function watched(site: Store): Store {
  const read: Store["read"] = async (key) => {
    const found = await site.read(key);
    if (found !== undefined) given.add(`/${key}`);
    return found;
  };
  return { ...site, read };
}

/** Findings of each linter. */
async function linted(text: object) {
  await writeFile(join(folder, "openapi.json"), JSON.stringify(text));
  const env = {
    ...process.env,
    NODE_OPTIONS: "",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
  const tool = async (name: string, words: readonly string[]) =>
    run(join(folder, "node_modules/.bin", name), words, { cwd: folder, env }).catch((failure: unknown) =>
      z.object({ stdout: z.string() }).parse(failure),
    );
  const redocly = await tool("redocly", ["lint", "openapi.json", "--extends=recommended", "--format=json"]);
  const words = ["lint", "openapi.json", "--ruleset=spectral.yaml", "--format=json", "--quiet"];
  const spectral = await tool("spectral", words);
  return {
    redocly: findings.parse(JSON.parse(redocly.stdout)).totals,
    spectral: z.array(z.object({ code: z.string() })).parse(JSON.parse(spectral.stdout)),
  };
}

test("neither Redocly nor Spectral has an error or a warning by their own rules, and both find one that is made", async () => {
  await run("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
  expect(await linted(document)).toEqual({ redocly: none, spectral: [] });
  const { license: _license, contact: _contact, ...info } = document.info;
  const { redocly, spectral } = await linted({ ...document, info });
  expect(redocly).toEqual({ ...none, warnings: 1 });
  expect(spectral.map(({ code }) => code)).toEqual(["info-contact"]);
});

const forms: Readonly<Record<string, string>> = {
  date: String.raw`\d{4}-\d\d-\d\d`,
  week: String.raw`\d{4}-\d\d-\d\d`,
  month: String.raw`\d{4}-\d\d`,
  year: String.raw`\d{4}`,
};

// Thousands of requests.
const timeoutMs = 600_000;

test(
  "schemathesis gets a text of every path that the document has, and each answer fits its schema",
  async () => {
    const PYTHONPATH = await pythonTool("schemathesis", join(own, "requirements.txt"));
    const env = { ...process.env, PYTHONPATH };
    given.clear();
    const words = [
      "--config-file",
      "schemathesis.toml",
      "run",
      `${url}/v1/openapi.json`,
      "--seed=1",
      "--no-color",
    ];
    const { stdout } = await run("python3", ["-m", "schemathesis.cli", ...words], {
      cwd: folder,
      env,
      maxBuffer: 2 ** 26,
    });
    expect(stdout).toMatch(/No issues found/);
    const paths = Object.keys(document.paths);
    expect(stdout).toContain(`Tested: ${paths.length}`);
    const never = paths.filter((path) => {
      const form = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => forms[name] ?? "[a-z0-9-]+");
      return ![...given].some((one) => new RegExp(`^${form}$`).test(one));
    });
    expect(never).toEqual([]);
  },
  timeoutMs,
);
