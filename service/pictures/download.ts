// Downloads one picture from the address that the service names. The server is a stranger: only allowed hosts and only public
// addresses are called, size and time are limited, and the first bytes must be those of a picture.
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction, BlockList } from "node:net";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import packageJson from "../../package.json" with { type: "json" };
import { isLoopback } from "../../site/address.ts";
import type { PictureEnding } from "../../site/tree.ts";
import { sentenceFor } from "../exchange.ts";

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
type AddressLookup = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface FetchRules {
  /** The exact hosts, with the port where it is not the usual one. */
  readonly hosts: readonly string[];
  readonly mostBytes: number;
  /** Whether this machine itself is allowed, without TLS, as the sandbox needs. */
  readonly loopback: boolean;
  readonly lookup?: AddressLookup;
}

export interface Picture {
  readonly bytes: Uint8Array;
  readonly ending: PictureEnding;
}

/** Thrown for a picture that can't be had or must not be; the message says what was seen. */
export class NoPicture extends Error {
  override readonly name = "NoPicture";
}

/** A picture comes in a second or two; a slower server is not waited for. */
const connectMs = 5_000;
const mostRedirects = 3;

export function isAllowed(address: string, { hosts, loopback }: FetchRules): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (loopback && url.protocol === "http:" && isLoopback(url.hostname)) return true;
  const isName = isIP(url.hostname) === 0 && !url.hostname.startsWith("[");
  return isName && url.protocol === "https:" && hosts.includes(url.host);
}

/** Connects directly: a proxy would look the name up itself, and nobody would see to which address it leads. */
export function guardedAgent(rules: FetchRules): Agent {
  const resolve = rules.lookup ?? ((hostname) => lookup(hostname, { all: true }));
  // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise switch the check off.
  const verified = { rejectUnauthorized: true, allowH2: false, timeout: connectMs };
  const connect = buildConnector({ ...verified, lookup: guarded(resolve, rules) });
  return new Agent({
    connections: 4,
    connect(options, callback) {
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        // The guarded look-up has checked every address of the name; this checks the one that the connection reached.
        const { remoteAddress = "" } = socket;
        if (isFit(options.hostname, remoteAddress, rules)) return callback(null, socket);
        socket.destroy();
        callback(innerAddress(options.hostname, remoteAddress), null);
      });
    },
  });
}

function guarded(resolve: AddressLookup, rules: FetchRules): LookupFunction {
  return (hostname, options, callback) => {
    const answer = async () => {
      const found = await addressesOf(hostname, resolve, rules);
      if (found instanceof Error) callback(found, "", 0);
      else if (options.all === true) callback(null, found);
      else callback(null, found[0].address, found[0].family);
    };
    void answer();
  };
}

/** The addresses of a name; none of them is used where one is not allowed. */
async function addressesOf(
  hostname: string,
  resolve: AddressLookup,
  rules: FetchRules,
): Promise<[ResolvedAddress, ...ResolvedAddress[]] | Error> {
  try {
    const [first, ...others] = await resolve(hostname);
    if (first === undefined) return new NoPicture(`${hostname} has no IP address`);
    const inner = [first, ...others].find(({ address }) => !isFit(hostname, address, rules));
    return inner === undefined ? [first, ...others] : innerAddress(hostname, inner.address);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function isFit(hostname: string, address: string, { loopback }: FetchRules) {
  return loopback && isLoopback(hostname) ? isLoopbackAddress(address) : isPublicAddress(address);
}

function innerAddress(hostname: string, address: string) {
  return new NoPicture(`${hostname} resolves to ${address || "nothing"}, which is not a public address`);
}

/** Throws NoPicture, or the signal's reason. */
export async function fetchPicture(
  address: string,
  rules: FetchRules,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Picture> {
  try {
    const bytes = await bytesAt(address, rules, dispatcher, signal);
    const ending = pictureType(bytes);
    if (ending !== undefined) return { bytes, ending };
    throw new NoPicture(`${bytes.length} bytes that are not PNG, JPEG, WebP or GIF`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NoPicture || !(error instanceof Error)) throw error;
    throw new NoPicture(sentenceFor(error), { cause: error });
  }
}

async function bytesAt(
  address: string,
  rules: FetchRules,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Uint8Array> {
  let url = new URL(address);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const { statusCode, headers, body } = await request(url.href, {
      dispatcher,
      signal,
      headers: pictureHeaders,
    });
    body.on("error", () => undefined); // it reaches the reader, and nobody may be reading
    try {
      if (statusCode === 200) return await bytesOf(headers, body, rules.mostBytes);
      const location = headers["location"];
      if (statusCode < 301 || statusCode > 308 || typeof location !== "string")
        throw new NoPicture(`HTTP ${statusCode}`);
      const next = URL.parse(location, url.href);
      if (next?.host !== url.host || !isAllowed(next.href, rules))
        throw new NoPicture(`a redirect to another host (${next?.origin ?? "no URL"})`);
      url = next;
    } finally {
      body.destroy(); // whatever is left of it is not read
    }
  }
  throw new NoPicture(`more than ${mostRedirects} redirects`);
}

const pictureHeaders = {
  accept: "image/webp,image/png,image/jpeg,image/gif",
  "accept-encoding": "identity", // the limit must apply to the decoded body
  "user-agent": `almanac/${packageJson.version} (+node)`,
};

type Headers = Dispatcher.ResponseData["headers"];

async function bytesOf(
  headers: Headers,
  body: AsyncIterable<unknown>,
  mostBytes: number,
): Promise<Uint8Array> {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity")
    throw new NoPicture(`a body encoded with ${String(encoding)}, although no encoding was accepted`);
  const declared = headers["content-length"];
  // Without a length, a truncated picture could not be recognized, and would be kept for good.
  if (declared === undefined && headers["transfer-encoding"] === undefined)
    throw new NoPicture("a response without a length");
  const tooLarge = (seen: string) => new NoPicture(`${seen}; pictures.mirror.mostBytes is ${mostBytes}`);
  if (Number(declared ?? 0) > mostBytes) throw tooLarge(`a body of ${String(declared)} bytes`);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("expected a body of bytes");
    sizeBytes += chunk.length;
    if (sizeBytes > mostBytes) throw tooLarge("a longer body");
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, sizeBytes));
}

// The type of a picture by its first bytes, whatever the server calls it. SVG is never taken: it can carry scripts.
export function pictureType(bytes: Uint8Array): PictureEnding | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  const start = text(0, 8);
  if (start === "\u0089PNG\r\n\u001A\n") return "png";
  if (start.startsWith("\u00FF\u00D8\u00FF")) return "jpg";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "gif";
  if (start.startsWith("RIFF") && text(8, 12) === "WEBP") return "webp";
  return undefined;
}

// Recognizes public IP addresses (SSRF protection). A name that somebody else controls may resolve to a machine on our network, or
// to ours. So addresses for private, local or special use are refused, in every form in which IPv6 can embed an IPv4 address.
/** IANA's special-purpose addresses, multicast and the reserved ones. */
const special: readonly (readonly [network: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
/** The special ones within 2000::/3, which holds all public addresses; mapped and translated IPv4 addresses lie outside. */
const special6: readonly (readonly [network: string, bits: number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const inner = new BlockList();
for (const [network, bits] of special) inner.addSubnet(network, bits, "ipv4");
for (const [network, bits] of special6) inner.addSubnet(network, bits, "ipv6");
const unicast = new BlockList();
unicast.addSubnet("2000::", 3, "ipv6");
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !inner.check(address, "ipv4");
  return isIP(address) === 6 && unicast.check(address, "ipv6") && !inner.check(address, "ipv6");
}

function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 4 ? "ipv4" : "ipv6");
}
