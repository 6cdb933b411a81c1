import { inspect } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { redact, redactBytes, Secret } from "../../service/secret.ts";
import { callAndStore } from "../../activities/call.ts";
import { composed } from "../support/composed.ts";
import { openEnvelope, isFailure } from "../../readings/answer.ts";
import { requestKey } from "../../readings/request.ts";
import {
  apiKey,
  clientOf,
  failureOf,
  instant,
  rawServer,
  reply,
  tarot,
  token,
  within,
} from "./raw-server.ts";

/** Every way in which a value gets into a log: as text, in JSON, inspected, with stack and cause. */
function everyPrint(value: unknown): string {
  const options = { depth: 20, showHidden: true, getters: true } as const;
  const stack =
    value instanceof Error ? `${value.message} ${value.stack} ${inspect(value.cause, options)}` : "";
  const own = JSON.stringify(value, Object.getOwnPropertyNames(Object(value)));
  const raw = inspect(value, { ...options, customInspect: false });
  return [String(value), JSON.stringify(value), own, inspect(value, options), raw, stack].join("\n");
}

function expectNoSecret(value: unknown): void {
  const print = everyPrint(value);
  for (const secret of [token, apiKey]) {
    for (const form of [
      secret,
      encodeURIComponent(secret),
      btoa(secret),
      secret.replaceAll("/", String.raw`\/`),
    ]) {
      expect(print).not.toContain(form);
    }
  }
}

describe("a secret", () => {
  const secret = new Secret(token);

  it("prints as [secret] wherever it is printed", () => {
    expect(String(secret)).toBe("[secret]");
    expect(["", secret].join("key=")).toBe("key=[secret]");
    expect(JSON.stringify({ secret })).toBe('{"secret":"[secret]"}');
    expect(inspect({ secret })).toBe("{ secret: [secret] }");
    expectNoSecret(secret);
    expectNoSecret({ deep: [{ secret }] });
  });

  it("does not survive being copied", () => {
    expectNoSecret(structuredClone(secret));
    expectNoSecret(Object.assign({}, secret));
    expect(Object.getOwnPropertyNames(secret)).toEqual([]);
  });

  it("gives its value to whoever asks for it by name", () => {
    expect(secret.reveal()).toBe(token);
  });
});

describe("redacting", () => {
  const word = fc.string({ unit: "grapheme-ascii", minLength: 9, maxLength: 60 });
  const spellings: ((value: string) => string)[] = [
    (value) => value,
    (value) => encodeURIComponent(value),
    (value) => new URLSearchParams({ value }).toString().slice("value=".length),
    (value) => encodeURIComponent(value).replaceAll(/%../g, (byte) => byte.toLowerCase()),
    (value) => JSON.stringify(value).slice(1, -1),
    (value) =>
      JSON.stringify(value)
        .slice(1, -1)
        .replaceAll("/", String.raw`\/`),
    (value) => Buffer.from(value).toString("base64"),
    (value) => Buffer.from(value).toString("base64url"),
    (value) => Buffer.from(`Bearer ${value}`).toString("base64"),
    (value) => Buffer.from(`user:${value}`).toString("base64"),
    (value) => Buffer.from(`user-1:${value}!`).toString("base64"),
  ];

  it("takes a secret out of any text, however it is spelled there", () => {
    fc.assert(
      fc.property(
        word,
        fc.constantFrom(...spellings),
        fc.string(),
        fc.string(),
        (value, spell, before, after) => {
          const text = `${before}${spell(value)}${after}`;
          const clean = redact(text, [new Secret(value)]);
          fc.pre(!`${before}[secret]${after}`.includes(value));
          expect(clean).toContain("[secret]");
          expect(clean).not.toContain(value);
        },
      ),
    );
  });

  it("leaves a text without secrets as it is", () => {
    expect(redact("the connection was refused", [new Secret(token), new Secret("")])).toBe(
      "the connection was refused",
    );
  });

  it("takes it out of bytes, and keeps the others even where they are no UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from(`ä ${token}`), Buffer.from([0x80])]);
    const expected = Buffer.concat([
      Buffer.from([0xff, 0xc3]),
      Buffer.from("ä [secret]"),
      Buffer.from([0x80]),
    ]);
    expect(Buffer.from(redactBytes(bytes, [new Secret(token)]))).toEqual(expected);
  });

  it("hands back the very same bytes where there is nothing to take out", () => {
    const bytes = Buffer.from("a key of one letter stands in every body");
    expect(redactBytes(bytes, [new Secret(token), new Secret("k")])).toBe(bytes);
  });
});

/** Forms in which services echo their input. */
const echoes = [
  token,
  apiKey,
  encodeURIComponent(apiKey),
  btoa(token),
  token.replaceAll("/", String.raw`\/`),
];

describe("what the service echoes", () => {
  it("in its status line reaches no error", async () => {
    const lines = echoes.flatMap((echo) => [
      `HTTP/1.1 ${echo} ${echo}`,
      echo,
      `HTTP/1.1 401 ${echo}\r\nbad header ${echo}`,
    ]);
    const prints: string[] = [];
    for (const line of lines) {
      const server = await rawServer((socket) => socket.end(`${line}\r\n\r\n`));
      prints.push(everyPrint(await failureOf(clientOf(server.url).call(tarot, { instant }))));
    }
    expect(prints).toHaveLength(15);
    expectNoSecret(prints.join("\n"));
  });

  it("in the body of a refusal reaches neither the answer nor the failure made of it", async () => {
    for (const echo of echoes) {
      for (const [status, success] of [
        ["401 Unauthorized", 3],
        [`400 ${token}`, 2],
        ["200 OK", 3],
        ["200 OK", 2],
      ] as const) {
        const body = JSON.stringify({ success, msg: "MARK", data: null }).replace(
          "MARK",
          `wrong key ${echo}!`,
        );
        const server = await rawServer((socket) =>
          socket.write(reply(status, body, `retry-after: ${token}`)),
        );
        const answer = await clientOf(server.url).call(tarot, { instant });
        expectNoSecret(Buffer.from(answer.body).toString());
        expectNoSecret(answer.retryAfter);
        const failure = await failureOf((async () => openEnvelope(requestKey(tarot), answer))());
        expect(isFailure(failure) && failure.seenInFull()).toContain("wrong key [secret]");
        expect(String(failure)).not.toContain("wrong key");
        expectNoSecret(failure);
      }
    }
  });

  it.each<[string, (secret: string) => string]>([
    ["as it is", (secret) => secret],
    ["with zero-width spaces", (secret) => secret.split("").join("\u200B")],
    ["with one zero-width joiner", (secret) => `${secret.slice(0, 9)}\u200D${secret.slice(9)}`],
    ["with soft hyphens", (secret) => secret.split("").join("\u00AD")],
    ["in spaced letters", (secret) => secret.split("").join(" ")],
    ["in letters with full stops", (secret) => secret.split("").join(".")],
    ["over several lines", (secret) => secret.split("").join("\r\n")],
    ["in capitals", (secret) => secret.toUpperCase()],
    [
      "in full-width letters",
      (secret) => secret.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
    ],
    ["percent-encoded", (secret) => Buffer.from(secret).toString("hex").replaceAll(/../g, "%$&")],
    ["in hexadecimal digits", (secret) => Buffer.from(secret).toString("hex")],
    ["in base64", (secret) => btoa(`x${secret}`)],
    ["backwards", (secret) => secret.split("").toReversed().join("")],
  ])("in a text %s is no reading, and is quarantined without the text", async (_way, spell) => {
    for (const secret of [token, apiKey]) {
      const text = `A task that looked dull turns out to be your chance, ${spell(secret)}, to show care and judgement.`;
      const data = { card: "THE TOWER", category: "Reverse", career: text, love: text, finance: text };
      for (const body of [
        JSON.stringify({ success: 1, data }),
        JSON.stringify({ success: 1, data }).replaceAll(
          /[^ -~]/g,
          (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
        ),
      ]) {
        const server = await rawServer((socket) => socket.write(reply("200 OK", body)));
        const { url } = server;
        const { dependencies, close } = composed({
          endpoints: { english: url, translator: url, legacy: url },
          credentials: async () => ({ token: new Secret(token), apiKey: new Secret(apiKey) }),
        });
        onTestFinished(close);
        const key = requestKey(tarot);
        const asking = { key, run: "a run", tries: 1 };
        const failure = await failureOf(
          callAndStore(tarot, asking, { signal: new AbortController().signal }, dependencies),
        );
        expect(failure).toMatchObject({ type: "Unfit", rule: "secret" });
        const entry = await dependencies.vault.quarantined(key);
        expect(entry).toMatchObject({ rule: "secret", reason: "the text contains a credential" });
        expect(entry?.body).toBeUndefined();
        expect(await dependencies.vault.response(key)).toBeUndefined();
      }
    }
  });

  it("of a person reaches no answer", async () => {
    const said = String.raw`{"success":2,"msg":"Given F\u00e4mily is no name, Given Fämily"}`;
    const server = await rawServer((socket) => socket.write(reply("200 OK", said)));
    const operation = "which-animal-are-you-reading";
    const request = { operation, language: "en", period: "always", person: "reader-1" } as const;
    const answer = await clientOf(server.url).call(request, { instant });
    expect(Buffer.from(answer.body).toString()).toBe('{"success":2,"msg":"[secret] is no name, [secret]"}');
  });
});

describe("no failure of the client names a credential:", () => {
  it.each<[string, (url: string) => Promise<unknown>]>([
    ["a reset", async (url) => await clientOf(url).call(tarot, { instant })],
    ["a time-out", async (url) => await clientOf(url, within(100)).call(tarot, { instant })],
    ["a missing endpoint", async () => await clientOf(undefined).call(tarot, { instant })],
    [
      "a closed client",
      async (url) => await closedClient(url).then((client) => client.call(tarot, { instant })),
    ],
    ["a refused header", async (url) => await headerBreaker(url).call(tarot, { instant })],
  ])("%s", async (title, call) => {
    const server = await rawServer((socket) => title === "a reset" && socket.resetAndDestroy());
    const failure = await failureOf(call(server.url));
    expect(failure).toBeInstanceOf(Error);
    expectNoSecret(failure);
  });
});

async function closedClient(url: string) {
  const client = clientOf(url);
  await client.close();
  return client;
}

function headerBreaker(url: string) {
  const credentials = async () => ({ token: new Secret(`${token}\n`), apiKey: new Secret(apiKey) });
  return clientOf(url, { credentials });
}
