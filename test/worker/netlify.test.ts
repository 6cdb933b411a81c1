// A deploy to Netlify: what it lacks is uploaded, all is shown together, and a deploy that breaks off changes nothing for readers.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Secret } from "../../service/secret.ts";
import { deployToNetlify } from "../../worker/hosting/netlify.ts";
import type { NetlifySettings } from "../../worker/hosting/netlify-call.ts";
import { writerIn } from "../../worker/hosting/new-folder.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { bytes } from "../support/stores.ts";
import { startNetlify } from "./support/netlify-server.ts";

const token = "nfp_secret-token-0123456789";
const site = "3970e0fe-8564-4903-9a55-c5f8de49fb8b";
const first = { "index.html": "one", "en/index.html": "two", "en/copy.html": "two", _headers: "/*" };

async function world() {
  const server = await startNetlify(onTestFinished, site, token);
  const folder = await mkdtemp(join(tmpdir(), "almanac-netlify-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const put = writerIn(folder);
  for (const [path, text] of Object.entries(first)) await put(path, bytes(text));
  const settings: NetlifySettings = {
    site,
    token: () => new Secret(token),
    proxies: { http: undefined, https: undefined, none: "127.0.0.1" },
    endpoint: server.url,
    pausesMs: [1, 1],
  };
  const deploy = (more: Partial<NetlifySettings> = {}) =>
    deployToNetlify(folder, Object.keys(first), { ...settings, ...more });
  const live = () => Object.fromEntries([...server.live()].map(([path, body]) => [path, body?.toString()]));
  return { server, folder, deploy, live };
}

test("uploads what Netlify lacks, and ends when readers get it", async () => {
  const { server, folder, deploy, live } = await world();
  expect(await deploy()).toEqual({ id: "d1", url: `https://${site}.netlify.example`, uploaded: 4 });
  expect(live()).toEqual(first);
  await writeFile(join(folder, "index.html"), "three");
  expect(await deploy()).toMatchObject({ id: "d2", uploaded: 1 });
  expect(live()).toEqual({ ...first, "index.html": "three" });
  expect(server.calls.findLast((call) => call.startsWith("PUT"))).toBe(
    "PUT /api/v1/deploys/d2/files/index.html",
  );
});

test("waits where Netlify asks for patience, and goes on", async () => {
  const { server, deploy, live } = await world();
  server.refusals.push({ status: 429, headers: { "retry-after": "0" } }, { status: 503 });
  await deploy();
  expect(live()).toEqual(first);
});

test("leaves what is live where a deploy fails, and comes to its end when it is run again", async () => {
  const { server, folder, deploy, live } = await world();
  await deploy();
  await writeFile(join(folder, "index.html"), "three");
  server.refusals.push({ status: 500 }, { status: 500 }, { status: 500 });
  await expect(deploy()).rejects.toThrow(
    /^Netlify shows what it showed before: POST sites\/\S+ was answered with 500; run it again later: what was uploaded is not uploaded again$/,
  );
  expect(live()).toEqual(first);
  server.break();
  await expect(deploy()).rejects.toThrow(
    'deploy d2 ended as "error"; Netlify\'s page of the deploy says why',
  );
  expect(live()).toEqual(first);
});

test.each([
  [401, "ALMANAC_NETLIFY_TOKEN is no personal access token that is valid now"],
  [404, "--site is to be the id of a site that the token's owner may deploy to"],
  [422, "Netlify does not take these files"],
])(
  "says what to do about an answer of %i, at once and without a word of Netlify's",
  async (status, remedy) => {
    const { server, deploy } = await world();
    server.refusals.push({ status, body: { message: `not for logs: ${token}` } });
    const refusal = await deploy().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: "NotDeployed", message: expect.stringContaining(remedy) });
    expect(String(refusal)).not.toContain(token);
    expect(server.calls).toHaveLength(1);
  },
);

test("says that Netlify can't be had, or answers with something else", async () => {
  const { server, deploy } = await world();
  const [port = 0] = await freePorts([undefined]);
  await expect(deploy({ endpoint: `http://127.0.0.1:${port}` })).rejects.toThrow(
    /the connection was refused .*; see that this machine gets there$/,
  );
  server.refusals.push({ status: 200, body: { id: "../x", state: 3 } });
  await expect(deploy()).rejects.toThrow(
    "its answer is no deploy; run it again; if it stays so, its interface has changed",
  );
});

test("gives up a deploy that comes to no end", async () => {
  const { server, deploy } = await world();
  const stuck = { status: 200, body: { id: "d1", state: "preparing" } };
  server.refusals.push(...Array.from({ length: 500 }, () => stuck));
  await expect(deploy({ mostWaitMs: 50 })).rejects.toThrow('deploy d1 stays at "preparing"; run it again');
});
