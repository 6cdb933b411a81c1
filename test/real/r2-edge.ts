// A replacement for Cloudflare, limited to docs/hosting.md: it refuses rules of a form that Cloudflare's manual lacks, and serves
// the bucket by the rules.
import { runInNewContext } from "node:vm";
import type { S3 } from "@aws-sdk/client-s3";
import { z } from "zod";
import type { AtEnd } from "../support/ends.ts";
import { fromBucket, serve } from "./edge-server.ts";

const description = z.string().min(1);
const expression = z
  .string()
  .regex(/^(?:http\.request\.uri\.path|(?:starts_with|ends_with|concat)\(|"[\w./]*"|true|[(), ]| or )+$/);
const rulesets = {
  http_request_transform: z.strictObject({
    description,
    expression,
    action: z.literal("rewrite"),
    action_parameters: z.strictObject({ uri: z.strictObject({ path: z.strictObject({ expression }) }) }),
  }),
  http_request_cache_settings: z.strictObject({
    description,
    expression,
    action: z.literal("set_cache_settings"),
    action_parameters: z.strictObject({
      cache: z.literal(true),
      edge_ttl: z.strictObject({ mode: z.literal("respect_origin") }),
      browser_ttl: z.strictObject({ mode: z.literal("respect_origin") }),
    }),
  }),
  http_response_headers_transform: z.strictObject({
    description,
    expression,
    action: z.literal("rewrite"),
    action_parameters: z.strictObject({
      headers: z.record(z.string(), z.strictObject({ operation: z.literal("set"), value: z.string() })),
    }),
  }),
} as const;

/** Evaluates an expression for a path like Cloudflare. */
function worked(text: string, path: string): unknown {
  const code = text.replaceAll("http.request.uri.path", "path").replaceAll(" or ", " || ");
  return runInNewContext(code, {
    path,
    starts_with: (all: string, part: string) => all.startsWith(part),
    ends_with: (all: string, part: string) => all.endsWith(part),
    concat: (...parts: readonly string[]) => parts.join(""),
  });
}

export async function startR2Edge(atEnd: AtEnd, client: S3, bucket: string, token: string) {
  const rules: { -readonly [Phase in keyof typeof rulesets]?: z.infer<(typeof rulesets)[Phase]>[] } = {};
  const api = await serve(atEnd, async ({ method, url = "", headers }, body) => {
    const isJson = headers["content-type"] === "application/json";
    if (headers.authorization !== `Bearer ${token}` || method !== "PUT" || !isJson) return { status: 403 };
    const [, phase] =
      /^\/client\/v4\/zones\/[0-9a-f]{32}\/rulesets\/phases\/(\w+)\/entrypoint$/.exec(url) ?? [];
    const given: unknown = JSON.parse(body.toString());
    const read = <Schema extends z.ZodType>(rule: Schema) =>
      z.strictObject({ rules: z.array(rule) }).parse(given).rules;
    if (phase === "http_request_transform") rules[phase] = read(rulesets[phase]);
    else if (phase === "http_request_cache_settings") rules[phase] = read(rulesets[phase]);
    else if (phase === "http_response_headers_transform") rules[phase] = read(rulesets[phase]);
    else return { status: 404 };
    return { status: 200, body: JSON.stringify({ success: true }) };
  });
  const edge = await serve(atEnd, async ({ url = "/" }) => {
    const asked = new URL(url, "https://edge").pathname;
    let path = asked;
    for (const rule of rules.http_request_transform ?? [])
      if (worked(rule.expression, asked) === true)
        path = String(worked(rule.action_parameters.uri.path.expression, asked));
    const seen = await fromBucket(client, bucket, path.slice(1));
    const isCached =
      rules.http_request_cache_settings?.some((rule) => worked(rule.expression, asked) === true) === true;
    const headers: Record<string, string> = {
      ...seen.headers,
      "cf-cache-status": isCached ? "MISS" : "DYNAMIC",
    };
    for (const rule of rules.http_response_headers_transform ?? []) {
      if (worked(rule.expression, asked) !== true) continue;
      for (const [name, { value }] of Object.entries(rule.action_parameters.headers)) headers[name] = value;
    }
    return seen.status === 200 ? { ...seen, headers } : { status: 404, body: "Object not found" };
  });
  return { api, edge };
}
