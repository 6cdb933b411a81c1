// CloudFront, Cloudflare and IndexNow as far as a notification goes, on this machine: each checks the call as the real one does, its
// signature, token or key, its body and its limits, and answers with the same status and body. The signature is worked out here by the
// documented steps, and not by the library that made it.
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { type AtEnd, listen } from "../../support/ends.ts";

export const awsKeys = { id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Handle = (request: IncomingMessage, body: string) => Answer | Promise<Answer>;

/** `refusals`: responses to the next calls, whatever they contain. */
async function serve(atEnd: AtEnd, handle: Handle) {
  const refusals: Answer[] = [];
  const calls: string[] = [];
  const server = createServer((request, response) => {
    void receive(request, response);
  });
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    calls.push(`${request.method} ${request.url}`);
    const answer = refusals.shift() ?? (await handle(request, body));
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }
  return { url: `http://127.0.0.1:${await listen(server, atEnd)}`, refusals, calls };
}

const sha256 = (data: string): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();

function isSigned(request: IncomingMessage, body: string): boolean {
  const { authorization = "", "x-amz-date": at = "" } = request.headers;
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/us-east-1\/cloudfront\/aws4_request), SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/;
  const [, id, scope = "", names = "", signature] = form.exec(authorization) ?? [];
  if (id !== awsKeys.id || typeof at !== "string" || !names.split(";").includes("host")) return false;
  const headers = names.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, request.url, "", headers.join(""), names, sha256(body)].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", at, scope, sha256(canonical)].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${awsKeys.secret}`);
  return hmac(key, toSign).toString("hex") === signature;
}

const xmlError = (status: number, code: string): Answer => ({
  status,
  body: `<?xml version="1.0"?><ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>not for logs: ${awsKeys.secret}</Message></Error></ErrorResponse>`,
});
export const throttled = (seconds: number): Answer => ({
  ...xmlError(429, "ThrottlingException"),
  headers: { "retry-after": String(seconds) },
});

export interface Invalidation {
  readonly reference: string;
  readonly items: readonly string[];
}

export async function startCloudFront(atEnd: AtEnd, distribution: string, tagHeader?: string) {
  const invalidations: Invalidation[] = [];
  const own = `/2020-05-31/distribution/${distribution}`;
  const server = await serve(atEnd, (request, body) => {
    if (!isSigned(request, body)) return xmlError(403, "SignatureDoesNotMatch");
    if (request.url === `${own}/config` && request.method === "GET") {
      const tags = tagHeader && `<CacheTagConfig><HeaderName>${tagHeader}</HeaderName></CacheTagConfig>`;
      return { status: 200, body: `<DistributionConfig>${tags ?? ""}</DistributionConfig>` };
    }
    if (request.url !== `${own}/invalidation`) return xmlError(404, "NoSuchDistribution");
    const form =
      /^<InvalidationBatch xmlns="http:\/\/cloudfront\.amazonaws\.com\/doc\/2020-05-31\/"><CallerReference>([^<]{1,128})<\/CallerReference><Paths><Items>((?:<Path>[^<]+<\/Path>)+)<\/Items><Quantity>(\d+)<\/Quantity><\/Paths><\/InvalidationBatch>$/;
    const [, reference = "", paths = "", quantity] = form.exec(body) ?? [];
    const items = [...paths.matchAll(/<Path>([^<]+)<\/Path>/g)].map(([, item = ""]) => item);
    if (items.length === 0) return xmlError(400, "MalformedXML");
    if (Number(quantity) !== items.length) return xmlError(400, "InconsistentQuantities");
    const isRight = (item: string): boolean => /^(?:#[!-+\--~]{1,256}|\/[!-~]*)$/.test(item);
    if (!items.every(isRight) || (items.some((item) => item.startsWith("#")) && tagHeader === undefined))
      return xmlError(400, "InvalidArgument");
    const many = items.filter((item) => item.endsWith("*"));
    if (items.length > 3_000 || many.length > 15) return xmlError(400, "TooManyInvalidationsInProgress");
    if (!invalidations.some((one) => one.reference === reference)) invalidations.push({ reference, items });
    return { status: 201, body: `<Invalidation><Id>I1</Id><Status>InProgress</Status></Invalidation>` };
  });
  return { ...server, invalidations };
}

const purge = z.union([
  z.strictObject({ tags: z.array(z.string().regex(/^[!-+\--~]{1,1024}$/)).min(1) }),
  z.strictObject({ files: z.array(z.url({ protocol: /^https$/ })).min(1) }),
  z.strictObject({ prefixes: z.array(z.string().regex(/^[\w.-]+(?:\/[\w.-]+)*$/)).min(1) }),
]);

export async function startCloudflare(atEnd: AtEnd, zone: string, token: string) {
  const purges: Readonly<Record<string, readonly string[]>>[] = [];
  const json = { "content-type": "application/json" };
  const refuse = (status: number, code: number): Answer => ({
    status,
    headers: json,
    body: JSON.stringify({ success: false, errors: [{ code, message: `not for logs: ${token}` }] }),
  });
  const accept = (result: object): Answer => ({
    status: 200,
    headers: json,
    body: JSON.stringify({ success: true, errors: [], messages: [], result }),
  });
  const server = await serve(atEnd, (request, body) => {
    if (request.headers.authorization !== `Bearer ${token}`) return refuse(401, 10_000);
    if (request.url === "/client/v4/user/tokens/verify") return accept({ id: "t", status: "active" });
    if (request.url !== `/client/v4/zones/${zone}/purge_cache` || request.method !== "POST")
      return refuse(404, 7_003);
    const requested = purge.safeParse(JSON.parse(body)).data;
    if (requested === undefined) return refuse(400, 1_012);
    if (Object.values(requested).some((items) => items.length > 100)) return refuse(400, 1_094);
    purges.push(requested);
    return accept({ id: zone });
  });
  const busy = (seconds: number): Answer => ({
    ...refuse(429, 10_013),
    headers: { ...json, "retry-after": String(seconds) },
  });
  return { ...server, purges, busy };
}

const submission = z.strictObject({
  host: z.string().min(1),
  key: z.string(),
  keyLocation: z.url(),
  urlList: z.array(z.url()).min(1).max(10_000),
});

/** The checks of indexnow.org's documentation: form (400), key file (403), host, folder of the key file and form of the key (422). */
export async function startIndexNow(atEnd: AtEnd) {
  const submitted: (readonly string[])[] = [];
  const server = await serve(atEnd, async ({ method, url, headers }, body) => {
    if (method !== "POST" || url !== "/indexnow") return { status: 404 };
    if (headers["content-type"] !== "application/json; charset=utf-8") return { status: 400 };
    const sent = submission.safeParse(JSON.parse(body)).data;
    if (sent === undefined) return { status: 400 };
    const { host, key, keyLocation, urlList } = sent;
    const folder = keyLocation.slice(0, keyLocation.lastIndexOf("/") + 1);
    const isOwn = (one: string): boolean => new URL(one).host === host && one.startsWith(folder);
    if (!/^[a-zA-Z0-9-]{8,128}$/.test(key) || !isOwn(keyLocation) || !urlList.every(isOwn))
      return { status: 422 };
    const file = await fetch(keyLocation, { redirect: "manual" });
    if (!file.ok || (await file.text()) !== key) return { status: 403 };
    submitted.push(urlList);
    return { status: submitted.length === 1 ? 202 : 200 };
  });
  return { ...server, server: `${server.url}/indexnow`, submitted };
}
