// A replacement for CloudFront, limited to docs/hosting.md: it accepts the page's calls, refuses what the real one would refuse,
// and then serves the bucket with the configured function, cache behaviors and error pages.
import { runInNewContext } from "node:vm";
import type { S3 } from "@aws-sdk/client-s3";
import { parseDocument } from "htmlparser2";
import { z } from "zod";
import type { AtEnd } from "../support/ends.ts";
import { fromBucket, serve, type Shown } from "./edge-server.ts";

type Xml = string | { readonly [name: string]: readonly Xml[] };

/** Elements by their names, in lists. */
function xmlIn(text: string): Xml {
  const of = (nodes: ReturnType<typeof parseDocument>["children"]): Xml => {
    const found: Record<string, Xml[]> = {};
    let words = "";
    for (const node of nodes) {
      if ("name" in node && "children" in node) (found[node.name] ??= []).push(of(node.children));
      else if ("data" in node) words += node.data;
    }
    return Object.keys(found).length === 0 ? words : found;
  };
  return of(
    parseDocument(text.replace(/^<\?xml[^>]*>/, ""), { xmlMode: true, decodeEntities: true }).children,
  );
}

const one = <Schema extends z.ZodType>(schema: Schema) => z.tuple([schema]).transform(([only]) => only);
const word = one(z.string());
const listOf = <Schema extends z.ZodType>(name: string, schema: Schema) =>
  one(z.strictObject({ Quantity: word, Items: one(z.record(z.literal(name), z.array(schema))) })).transform(
    ({ Quantity, Items }) => {
      const items = Items[name] ?? [];
      if (Number(Quantity) !== items.length) throw new Error(`InconsistentQuantities of ${name}`);
      return items;
    },
  );
const behaviour = {
  TargetOriginId: word,
  ViewerProtocolPolicy: one(z.literal("redirect-to-https")),
  Compress: one(z.literal("true")),
  CachePolicyId: word,
  FunctionAssociations: listOf(
    "FunctionAssociation",
    z.strictObject({ EventType: one(z.literal("viewer-request")), FunctionARN: word }),
  ).optional(),
  ResponseHeadersPolicyId: one(z.literal("60669652-455b-4ae9-85a4-c4c02393f86c")).optional(),
};
const distributionConfig = z.strictObject({
  CallerReference: one(z.string().regex(/^\d{10}$/)),
  Comment: word,
  Enabled: one(z.literal("true")),
  HttpVersion: word,
  PriceClass: word,
  DefaultRootObject: one(z.literal("index.html")),
  Origins: listOf(
    "Origin",
    z.strictObject({
      Id: word,
      DomainName: one(z.string().regex(/^[a-z0-9-]+\.s3\.[a-z0-9-]+\.amazonaws\.com$/)),
      OriginAccessControlId: word,
      S3OriginConfig: z.array(z.unknown()),
    }),
  ),
  DefaultCacheBehavior: one(z.strictObject(behaviour)),
  CacheBehaviors: listOf("CacheBehavior", z.strictObject({ PathPattern: word, ...behaviour })),
  CustomErrorResponses: listOf(
    "CustomErrorResponse",
    z.strictObject({ ErrorCode: word, ResponsePagePath: word, ResponseCode: word, ErrorCachingMinTTL: word }),
  ),
});
const wished = z.object({
  OriginAccessControlConfig: one(z.unknown()).optional(),
  CachePolicyConfig: one(z.looseObject({ MinTTL: one(z.literal("0")) })).optional(),
  CreateFunctionRequest: one(z.looseObject({ Name: word, FunctionCode: word })).optional(),
  DistributionConfig: one(distributionConfig).optional(),
});

export const distributionArn = "arn:aws:cloudfront::123456789012:distribution/EDFDVBD6EXAMPLE";
const functionArn = "arn:aws:cloudfront::123456789012:function/almanac-addresses";
const now = "2026-11-21T00:00:00Z";

export async function startCloudFrontEdge(atEnd: AtEnd, client: S3) {
  let code: string | undefined;
  let isLive = false;
  let config: z.infer<typeof distributionConfig> | undefined;
  const xml = (body: string, headers: Readonly<Record<string, string>> = {}): Shown => {
    return {
      status: 201,
      body: `<?xml version="1.0"?>${body}`,
      headers: { "content-type": "text/xml", ...headers },
    };
  };
  const summary = (stage: string): string =>
    `<FunctionSummary><Name>almanac-addresses</Name><Status>UNASSOCIATED</Status><FunctionConfig><Comment/><Runtime>cloudfront-js-2.0</Runtime></FunctionConfig><FunctionMetadata><FunctionARN>${functionArn}</FunctionARN><Stage>${stage}</Stage><CreatedTime>${now}</CreatedTime><LastModifiedTime>${now}</LastModifiedTime></FunctionMetadata></FunctionSummary>`;

  const api = await serve(atEnd, async ({ method, url = "", headers }, body) => {
    if (method !== "POST" || headers.authorization?.startsWith("AWS4-HMAC-SHA256") !== true)
      return { status: 403 };
    const [, call] = /^\/2020-05-31\/([\w/-]+)$/.exec(url) ?? [];
    if (call === "function/almanac-addresses/publish") {
      if (code === undefined || headers["if-match"] !== "ETAG1") return { status: 412 };
      isLive = true;
      return { ...xml(summary("LIVE")), status: 200 };
    }
    const wish = wished.parse(xmlIn(body.toString()));
    if (call === "origin-access-control")
      return xml("<OriginAccessControl><Id>E1ACCESS</Id></OriginAccessControl>");
    if (call === "cache-policy" && wish.CachePolicyConfig !== undefined)
      return xml(
        `<CachePolicy><Id>E1CACHE</Id><LastModifiedTime>${now}</LastModifiedTime><CachePolicyConfig><Name>almanac</Name><MinTTL>0</MinTTL></CachePolicyConfig></CachePolicy>`,
      );
    if (call === "function" && wish.CreateFunctionRequest !== undefined) {
      code = Buffer.from(wish.CreateFunctionRequest.FunctionCode, "base64").toString();
      return xml(summary("DEVELOPMENT"), { etag: "ETAG1" });
    }
    if (call !== "distribution" || wish.DistributionConfig === undefined || !isLive) return { status: 404 };
    config = wish.DistributionConfig;
    return xml(
      `<Distribution><Id>EDFDVBD6EXAMPLE</Id><ARN>${distributionArn}</ARN><Status>InProgress</Status><LastModifiedTime>${now}</LastModifiedTime><InProgressInvalidationBatches>0</InProgressInvalidationBatches><DomainName>d111111abcdef8.cloudfront.net</DomainName></Distribution>`,
    );
  });

  const edge = await serve(atEnd, async ({ url = "/" }) => {
    if (config === undefined) return { status: 503 };
    const { CacheBehaviors, DefaultCacheBehavior, Origins, CustomErrorResponses } = config;
    const fits = ({ PathPattern }: { PathPattern: string }): boolean =>
      url.startsWith(PathPattern.replace(/\*$/, ""));
    const { FunctionAssociations = [], ...rules } = CacheBehaviors.find(fits) ?? DefaultCacheBehavior;
    const origin = Origins.find(({ Id }) => Id === rules.TargetOriginId);
    if (origin?.OriginAccessControlId !== "E1ACCESS" || rules.CachePolicyId !== "E1CACHE")
      return { status: 502 };
    let uri = new URL(url, "https://edge").pathname;
    for (const { FunctionARN } of FunctionAssociations) {
      const event = { request: { method: "GET", uri, headers: {}, querystring: {}, cookies: {} } };
      if (FunctionARN !== functionArn) return { status: 502 };
      ({ uri } = z
        .object({ uri: z.string() })
        .parse(runInNewContext(`${code}; handler(event)`, { event }, { timeout: 100 })));
    }
    const [bucket = ""] = origin.DomainName.split(".");
    const seen = await fromBucket(client, bucket, uri.slice(1) || config.DefaultRootObject);
    const wrong = CustomErrorResponses.find(({ ErrorCode }) => Number(ErrorCode) === seen.status);
    const shown =
      wrong === undefined ? seen : await fromBucket(client, bucket, wrong.ResponsePagePath.slice(1));
    const status = wrong === undefined ? shown.status : Number(wrong.ResponseCode);
    const headers: Record<string, string> = { ...shown.headers };
    if (rules.ResponseHeadersPolicyId !== undefined) headers["access-control-allow-origin"] = "*";
    return { ...shown, status, headers };
  });
  return { api, edge };
}
