// docs/hosting.md for CloudFront and R2, followed with a real S3 server for the buckets, the real AWS command line and curl, and
// replacements for CloudFront and Cloudflare (cloudfront-edge.ts, r2-edge.ts).
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { projectedHeaders } from "../../publish/state/headers.ts";
import { addDays } from "../../readings/calendar.ts";
import { typeOf } from "../../site/edition.ts";
import { openS3 } from "../../store/s3.ts";
import { newSite } from "../publish/support/published-site.ts";
import { fileEnd } from "../support/ends.ts";
import { s3ForTests } from "../support/s3.ts";
import { openLivePage } from "./live-page.ts";
import { distributionArn, startCloudFrontEdge } from "./cloudfront-edge.ts";
import { startR2Edge } from "./r2-edge.ts";
import { pythonTool } from "./python-tool.ts";

const atEnd = fileEnd();
const s3 = await s3ForTests(atEnd);
const root = fileURLToPath(new URL("../../", import.meta.url));
const keys = Object.fromEntries(
  Object.entries(s3.variables).filter(([name]) => /^AWS_(?:ACC|SEC)/.test(name)),
);
let folder = "";
let url = "";

beforeEach(async () => {
  url = "https://stars.example";
  folder = await mkdtemp(join(tmpdir(), "almanac-live-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(root, "deploy"), join(folder, "deploy"), { recursive: true });
  await writeFile(
    join(folder, "almanac.config.ts"),
    `export default { site: { url: "https://stars.example" }, languages: ["en", "hi"] };\n`,
  );
});

/** Same calls as the worker's. */
async function publishInto(site: string, vault: string): Promise<void> {
  const open = (bucket: string) => openS3({ bucket, prefix: "", pathStyle: true });
  const published = newSite(
    { site: { url: "https://stars.example" } },
    { site: open(site), vault: open(vault) },
  );
  const now = new Date().toISOString();
  published.setClock(now);
  await published.gather(addDays(now.slice(0, 10), -1), addDays(now.slice(0, 10), 1));
  await published.night();
}

async function expectReaders(edge: string, missing: string): Promise<void> {
  for (const path of [
    "en/daily/leo/index.html",
    "v1/en/daily/latest.json",
    "assets/almanac.js",
    "v1/pointer.json",
  ]) {
    const answer = await fetch(`${edge}/${path.replace(/index\.html$/, "")}`);
    const { type, cacheControl } =
      path === "v1/pointer.json"
        ? { type: typeOf(path), cacheControl: "public, max-age=5" }
        : projectedHeaders(typeOf(path), path);
    const seen = [answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")];
    expect(seen, path).toEqual([200, type, cacheControl]);
    const isShared = /^(?:v1|assets)\//.test(path);
    expect(answer.headers.get("access-control-allow-origin"), path).toBe(isShared ? "*" : null);
  }
  const lost = await fetch(`${edge}/en/nothing/`);
  expect([lost.status, await lost.text()]).toEqual([404, expect.stringContaining(missing)]);
}

const policy = z.strictObject({
  Version: z.literal("2012-10-17"),
  Statement: z.tuple([
    z.strictObject({
      Effect: z.literal("Allow"),
      Principal: z.strictObject({ Service: z.literal("cloudfront.amazonaws.com") }),
      Action: z.literal("s3:GetObject"),
      Resource: z.literal("arn:aws:s3:::stars-site/*"),
      Condition: z.strictObject({
        StringEquals: z.strictObject({ "AWS:SourceArn": z.literal(distributionArn) }),
      }),
    }),
  ]),
});

test("S3 and CloudFront: leads from two buckets to readers", { timeout: 300_000 }, async () => {
  const aws = await pythonTool("aws", join(root, "test/real/aws/requirements.txt"));
  const { api, edge } = await startCloudFrontEdge(onTestFinished, s3.client);
  const run = `PYTHONPATH="${aws}" exec python3 -m awscli "$@"`;
  const page = await openLivePage("hosting.md", {
    section: "Serve the site from S3 with CloudFront",
    folder,
    ours: () => [
      ["https://stars.example", url],
      ["/tmp/", `${folder}/`],
      ["eu-central-1", s3.variables["AWS_REGION"] ?? ""],
    ],
    // The server of the tests knows no policies, so that the last call says what would be sent.
    programs: { aws: `[ "$2" = put-bucket-policy ] && set -- "$@" --generate-cli-skeleton output\n${run}` },
    env: { ...s3.variables, AWS_ENDPOINT_URL_CLOUDFRONT: api, ALMANAC_S3_PATH_STYLE: "1" },
  });
  await page.follow("create-bucket --bucket stars-site");
  await publishInto("stars-site", "stars-vault");
  await page.follow("create-distribution");
  await page.follow("put-bucket-policy");
  policy.parse(JSON.parse(await readFile(join(folder, "bucket-policy.json"), "utf8")));
  await expectReaders(edge, "<h1>");
  expect((await fetch(`${edge}/en/daily/leo`)).status).toBe(200);
  url = edge;
  expect((await page.follow("almanac verify")).stdout).toMatch(/\nsound\n$/);
  expect(page.left()).toEqual([]);
});

test("R2: leads from two buckets to readers", { timeout: 300_000 }, async () => {
  for (const bucket of ["r2-site", "r2-vault"]) await s3.client.createBucket({ Bucket: bucket });
  const { api, edge } = await startR2Edge(onTestFinished, s3.client, "r2-site", "token");
  const page = await openLivePage("hosting.md", {
    section: "Serve the site from Cloudflare R2",
    folder,
    ours: () => [
      ["https://stars.example", url],
      ["https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com", s3.endpoint],
      ["AWS_ACCESS_KEY_ID=accesskey", `AWS_ACCESS_KEY_ID=${keys["AWS_ACCESS_KEY_ID"]}`],
      ["AWS_SECRET_ACCESS_KEY=secret", `AWS_SECRET_ACCESS_KEY=${keys["AWS_SECRET_ACCESS_KEY"]}`],
      ["s3://stars-", "s3://r2-"],
      ["https://api.cloudflare.com", api],
    ],
    env: { ALMANAC_S3_PATH_STYLE: "1" },
  });
  const { stdout } = await page.follow("npx almanac log");
  expect(stdout).toContain("nothing is published yet");
  await publishInto("r2-site", "r2-vault");
  await page.follow("http_request_transform");
  await expectReaders(edge, "Object not found");
  expect((await fetch(`${edge}/en/`)).headers.get("cf-cache-status")).toBe("MISS");
  url = edge;
  expect((await page.follow("almanac verify")).stdout).toMatch(/\nsound\n$/);
  expect(page.left()).toEqual([]);
});
