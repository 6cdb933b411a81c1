// The policies of docs/storage-setup.md: each role's commands work on a real bucket, and every request that they make there is one that the
// role's policy allows; the pointer is written only by conditional writes, which the bucket's own policy demands.
import { readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { placeOn } from "../support/places.ts";
import { cleanUpSite, planCleanUp } from "../../publish/history/clean-up.ts";
import { repair } from "../../publish/repair/repair.ts";
import { storeSource } from "../../publish/repair/store-source.ts";
import { verify } from "../../publish/repair/verify.ts";
import { absent, always, type Condition } from "../../store/store.ts";
import { Leases } from "../../store/lease.ts";
import { probe } from "../../store/probe.ts";
import { findMarkers, identify } from "../../vault/installation.ts";
import { publishedState } from "../../worker/published-state.ts";
import { drilled, nightsOn } from "../publish/support/drill.ts";
import { newSite } from "../publish/support/published-site.ts";
import { type Call, startProxy } from "../support/s3-proxy.ts";
import { s3ForTests } from "../support/s3.ts";
import { bytes } from "../support/stores.ts";

const s3 = await s3ForTests();
const strings = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(["Allow", "Deny"]),
  Principal: z.literal("*").optional(),
  Action: strings,
  Resource: strings,
  Condition: z.strictObject({ Null: z.record(z.string(), z.enum(["true", "false"])) }).optional(),
});
const policy = z.strictObject({ Version: z.literal("2012-10-17"), Statement: z.array(statement) });
type Policy = z.infer<typeof policy>;

const page = readFileSync(new URL("../../docs/storage-setup.md", import.meta.url), "utf8");
const [writer, reader, checkUp, cleanUp, pointer] = [
  ...page.matchAll(/```json\n(\{\n {2}"Version".*?)```/gs),
].map(([, text = ""]) => policy.parse(JSON.parse(text)));

interface Asked {
  readonly action: string;
  readonly resource: string;
  /** The headers that a policy may check. */
  readonly keys: ReadonlySet<string>;
}

/** A star matches any characters. */
const fits = (pattern: string, text: string) =>
  matchesGlob(text.replaceAll("/", "|"), pattern.replaceAll("/", "|"));

/** Evaluates one policy like IAM: a denial wins, and anything not allowed is denied. */
function allows({ Statement }: Policy, { action, resource, keys }: Asked): boolean {
  const meant = Statement.filter(
    ({ Action, Resource, Condition }) =>
      Action.some((one) => fits(one, action)) &&
      Resource.some((one) => fits(one, resource)) &&
      Object.entries(Condition?.Null ?? {}).every(([key, value]) => keys.has(key) !== (value === "true")),
  );
  return meant.some(({ Effect }) => Effect === "Allow") && meant.every(({ Effect }) => Effect === "Allow");
}

const header = { "if-match": "s3:if-match", "if-none-match": "s3:if-none-match" } as const;

/** Actions that a request needs, by the policies' names for our two stores. */
function askedBy({ method, url, headers, body }: Call): Asked[] {
  const { pathname, searchParams } = new URL(url, s3.endpoint);
  const named = (path: string) => `arn:aws:s3:::example-${path}`;
  const path = decodeURIComponent(pathname).slice(`/${s3.bucket}/`.length);
  const keys = new Set(Object.entries(header).flatMap(([name, key]) => (name in headers ? [key] : [])));
  if (searchParams.has("list-type")) {
    const [store = ""] = (searchParams.get("prefix") ?? "").split("/");
    return [{ action: "s3:ListBucket", resource: named(store), keys }];
  }
  if (searchParams.has("delete"))
    return [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = ""]) => {
      return { action: "s3:DeleteObject", resource: named(key), keys };
    });
  const action = { GET: "s3:GetObject", PUT: "s3:PutObject", DELETE: "s3:DeleteObject" }[method] ?? method;
  return [{ action, resource: named(path), keys }];
}

/** The stores as one role sees them, and all that it has asked of them. */
async function roleOn() {
  const proxy = await startProxy(s3.endpoint);
  const open = (prefix: string) => s3.open({ prefix, endpoint: proxy.endpoint });
  return { stores: { vault: open("vault"), site: open("site") }, asked: () => proxy.calls.flatMap(askedBy) };
}

const pointerArn = "arn:aws:s3:::example-site/v1/pointer.json";
const refusedBy = (role: Policy | undefined, asked: readonly Asked[]) => [
  ...new Set(
    asked
      .filter((one) => role === undefined || !allows(role, one))
      .map(({ action, resource }) => `${action} ${resource}`),
  ),
];
/** A bucket policy, which only denies, in addition to a role's. */
const both = (...policies: readonly (Policy | undefined)[]): Policy => ({
  Version: "2012-10-17",
  Statement: policies.flatMap((one) => one?.Statement ?? []),
});

test("each role needs exactly the actions that its policy allows, and the pointer is written only conditionally", async () => {
  const publishing = await roleOn();
  await identify(placeOn(publishing.stores));
  const site = newSite(drilled, publishing.stores);
  await nightsOn(site, 20, 21);
  await repair(site.publishing, false);
  for (const store of Object.values(publishing.stores)) await probe(store); // same probe as at a worker's start
  const written = publishing
    .asked()
    .filter(({ action, resource }) => action === "s3:PutObject" && resource === pointerArn);
  expect(new Set(written.flatMap(({ keys }) => [...keys]))).toEqual(new Set(Object.values(header)));
  expect(refusedBy(both(writer, pointer), publishing.asked())).toEqual([]);

  const looking = await roleOn();
  await findMarkers(placeOn(looking.stores));
  const seen = await verify(storeSource(looking.stores.site), {
    publicKeys: [],
    now: site.publishing.now,
    since: undefined,
    onProgress: () => undefined,
  });
  const { configuration, vault } = newSite(drilled, looking.stores).publishing;
  await publishedState({ configuration, vault, site: looking.stores.site });
  expect(seen.findings).toEqual([]);
  expect(refusedBy(checkUp, looking.asked())).toEqual([]);
  expect(
    refusedBy(
      reader,
      looking
        .asked()
        .filter(({ action, resource }) => action === "s3:GetObject" && resource.includes("example-site/")),
    ),
  ).toEqual([]);

  const cleaning = await roleOn();
  await findMarkers(placeOn(cleaning.stores));
  const old = newSite(drilled, cleaning.stores);
  old.setClock(new Date(Date.now() + 200 * 86_400_000).toISOString()); // the server dates objects by its own time
  const { log } = old.publishing;
  const leases = new Leases({ store: cleaning.stores.vault, where: "here", log });
  const owner = { ...old.publishing, leases };
  const plan = await planCleanUp(owner, { keepDays: 1, graceMs: 2 * 3_600_000 });
  expect((await cleanUpSite(owner, plan)).files).toBeGreaterThan(0);
  expect(refusedBy(cleanUp, cleaning.asked())).toEqual([]);
});

test("the bucket policy lets nobody overwrite the pointer unconditionally or delete it, and affects nothing else", () => {
  const anybody = policy.parse({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: "s3:*", Resource: "*" }],
  });
  const may = (action: string, resource: string, ...keys: string[]) =>
    allows(both(anybody, pointer), { action, resource, keys: new Set(keys) });
  expect(may("s3:PutObject", pointerArn)).toBe(false); // a copy onto it too, and an upload in parts
  expect(may("s3:DeleteObject", pointerArn)).toBe(false);
  expect(may("s3:PutObject", pointerArn, "s3:if-match")).toBe(true);
  expect(may("s3:PutObject", pointerArn, "s3:if-none-match")).toBe(true);
  expect(may("s3:GetObject", pointerArn)).toBe(true);
  expect(may("s3:PutObject", "arn:aws:s3:::example-site/v1/objects/1.html")).toBe(true);
});

test("a server that does not know the keys takes the policy and then refuses our own conditional writes of the pointer, as docs/storage-setup.md warns", async () => {
  const prefix = "warned";
  const site = s3.open({ prefix });
  const text = JSON.stringify(pointer).replaceAll("example-site", `${s3.bucket}/${prefix}`);
  const put = (key: string, when: Condition) =>
    site.write(key, bytes("{}"), { type: "application/json" }, when);
  await s3.client.putBucketPolicy({ Bucket: s3.bucket, Policy: text });
  try {
    await expect(put("v1/pointer.json", always)).rejects.toThrow(/denied|403/i);
    await expect(put("v1/pointer.json", absent)).rejects.toThrow(/denied|403/i);
    expect(await put("v1/other.json", absent)).toMatchObject({ kind: "written" });
  } finally {
    await s3.client.deleteBucketPolicy({ Bucket: s3.bucket });
  }
});
