// Downloads one picture from the address that the service names. The server is a stranger: only allowed hosts and only public
// addresses are called, size and time are limited, and the first bytes must be those of a picture.
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import packageJson from "../../package.json" with { type: "json" };
import { isLoopback } from "../../site/address.ts";
import type { PictureEnding } from "../../site/tree.ts";
import { sentenceFor } from "../transport-faults.ts";
import { pictureType } from "./picture-type.ts";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
export type AddressLookup = (hostname: string) => Promise<readonly ResolvedAddress[]>;

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
  "accept-encoding": "identity", // so that the limit holds for what it becomes
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
