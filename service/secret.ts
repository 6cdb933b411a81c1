// A credential as a value that cannot be printed by accident; and, as a second guard, the removal of credentials from a text
// that somebody else wrote, such as the service's message or an error of the network library.
import { inspect } from "node:util";

const hidden = "[secret]";

export class Secret {
  // Truly private: neither spread, nor JSON, nor structuredClone, nor an inspector with showHidden gets at it.
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [Symbol.toPrimitive](): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}

/** A shorter spelling may stand in a text by chance, so it is removed from messages only and not from bodies. */
const shortestInBody = 8;

/** Replaces every spelling of the secrets in a message. */
export function redact(text: string, secrets: Iterable<Secret>): string {
  let clean = text;
  for (const { spellings } of [...secrets].flatMap((secret) => waysToWrite(secret))) {
    for (const spelling of spellings) clean = clean.replaceAll(spelling, hidden);
  }
  return clean;
}

/** Replaces them in a body; the bytes come back untouched unless a secret is among them. */
export function redactBytes(body: Uint8Array, secrets: Iterable<Secret>): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const found = [...secrets]
    .flatMap((secret) => waysToWrite(secret))
    .filter(({ core }) => bytes.includes(core))
    .flatMap(({ spellings }) => spellings)
    .filter((spelling) => spelling.length >= shortestInBody && bytes.includes(spelling));
  if (found.length === 0) return body;
  // In Latin-1 each byte is one character, so that bytes which are no UTF-8 survive the way there and back.
  let text = bytes.toString("latin1");
  for (const spelling of found) text = text.replaceAll(Buffer.from(spelling).toString("latin1"), hidden);
  return new Uint8Array(Buffer.from(text, "latin1"));
}

/**
 * Whether a body spells a secret out: letter by letter with anything between the letters that is none, in capitals, in full-width
 * letters, escaped, in hexadecimal digits, in base64, or backwards.
 */
export function spellsOut(body: Uint8Array, secrets: Iterable<Secret>): boolean {
  const letters = lettersIn(Buffer.from(body).toString("utf8"));
  return [...secrets]
    .flatMap((secret) => barelyWritten(secret))
    .some((spelling) => letters.includes(spelling));
}

const bare = new WeakMap<Secret, readonly string[]>();

function barelyWritten(secret: Secret): readonly string[] {
  const cached = bare.get(secret);
  if (cached !== undefined) return cached;
  const value = secret.reveal();
  const plain = lettersOf(value);
  const all = [
    plain,
    plain.split("").toReversed().join(""),
    Buffer.from(value).toString("hex"),
    ...base64Of(value).map(({ spellings: [spelling = ""] }) => lettersOf(spelling)),
  ];
  const long = all.filter((spelling) => spelling.length >= shortestInBody);
  bare.set(secret, long);
  return long;
}

/** Letters and digits of ASCII, without anything between them. An unbounded repetition can exhaust the stack on 4 MiB of blanks. */
function lettersOf(text: string) {
  return text.replaceAll(/[^A-Za-z\d]{1,1000}/g, "").toLowerCase();
}

function lettersIn(json: string) {
  const unescaped = /[\\%]/.test(json)
    ? json.replaceAll(/(?:\\u00|%)([\da-f]{2})|\\u([\da-f]{4})|\\./gi, (_, byte?: string, unit?: string) => {
        const code = byte ?? unit;
        return code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16));
      })
    : json;
  const hasWide = /[\uFF01-\uFF5E\u2100-\u24FF\uD835]/.test(unescaped);
  return lettersOf(hasWide ? unescaped.normalize("NFKC") : unescaped);
}

/** Spellings that share a core, the longest first: a text without the core has none of them. One search costs 2 microseconds. */
interface Way {
  readonly core: string;
  readonly spellings: readonly string[];
}

const known = new WeakMap<Secret, readonly Way[]>();

function waysToWrite(secret: Secret): readonly Way[] {
  const cached = known.get(secret);
  if (cached !== undefined) return cached;
  const value = secret.reveal();
  const ways = [wayOf([value, ...percentOf(value), ...jsonOf(value)]), ...base64Of(value)];
  known.set(secret, ways);
  return ways;
}

/** Letters and digits are written the same in every spelling; the first one is the plainest. */
function wayOf(spellings: readonly string[]): Way {
  const runs = spellings[0]?.match(/[A-Za-z0-9]+/g) ?? [];
  return {
    core: longestFirst(runs)[0] ?? "",
    spellings: longestFirst([...new Set(spellings)].filter((spelling) => spelling !== "")),
  };
}

function longestFirst(texts: readonly string[]) {
  return [...texts].sort((one, other) => other.length - one.length);
}

/** The spellings of URLs, of PHP's rawurlencode and of forms, in capital and small digits. */
function percentOf(value: string) {
  const url = encodeURIComponent(value.toWellFormed());
  const strict = url.replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const form = new URLSearchParams([["", value]]).toString().slice("=".length);
  return [url, strict, form].flatMap((text) => [text, text.replaceAll(/%../g, (byte) => byte.toLowerCase())]);
}

/** The spellings of JSON: letters beyond ASCII as they are or escaped, and a slash with PHP's escape or without. */
function jsonOf(value: string) {
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replaceAll(
    /[^ -~]/g,
    (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [json, ascii].flatMap((text) => [text, text.replaceAll("/", String.raw`\/`)]);
}

/** In base64 a text looks different at each of three offsets; the letters shared with its neighbours are left out. */
function base64Of(value: string): Way[] {
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
    const standard = whole.toString("base64").replaceAll("=", "");
    const end = whole.length % 3 === 0 ? standard.length : standard.length - 1;
    const inside = standard.slice(offset === 0 ? 0 : offset + 1, end);
    if (inside.length < shortestInBody) return [];
    return [wayOf([inside, inside.replaceAll("+", "-").replaceAll("/", "_")])];
  });
}
