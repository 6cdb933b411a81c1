import { createServer } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { settingsFrom } from "../../service/service.ts";
import { openEnvelope } from "../../readings/answer.ts";
import { type ReadingRequest, requestKey } from "../../readings/request.ts";
import { apiKey, clientOf, goodBody, instant, rawServer, reply, tarot, token, within } from "./raw-server.ts";
import { listen } from "../support/ends.ts";
import { until } from "../support/until.ts";

const day = { period: "2026-11-21" } as const;

/** Path, fields beyond the key, and the endpoint that the request belongs to. */
const kinds: [ReadingRequest, string, [string, string][]][] = [
  [
    { operation: "daily-horoscope", language: "en", sign: "leo", period: "2026-11-22" },
    "/api/v5/daily-horoscope",
    [
      ["sign", "leo"],
      ["h_day", "tomorrow"],
      ["tzone", "5.5"],
    ],
  ],
  [
    { operation: "weekly-horoscope", language: "el", sign: "leo", period: "2026-11-15" },
    "/api/v5/weekly-horoscope",
    [
      ["sign", "leo"],
      ["week", "current"],
      ["tzone", "5.5"],
      ["lan", "gr"],
    ],
  ],
  [
    { operation: "love-compatibility", language: "en", sign1: "leo", sign2: "aries", period: "2026-Q4" },
    "/api/v2/love-compatibility",
    [
      ["sign_1", "leo"],
      ["sign_2", "aries"],
    ],
  ],
  [
    { operation: "divine-angel-reading", language: "en", ...day },
    "/api/v3/divine-angel-reading",
    [["lan", "en"]],
  ],
  [
    { operation: "egyptian-prediction", language: "ta", cardsCount: 3, cardImage: 2, ...day },
    "/api/v3/egyptian-prediction",
    [
      ["lan", "tm"],
      ["cards_count", "3"],
      ["card_image", "2"],
    ],
  ],
  [
    { operation: "past-present-future-reading", language: "en", cardImage: 1, ...day },
    "/api/v3/past-present-future-reading",
    [["card_image", "1"]],
  ],
  [{ operation: "love-triangle-reading", language: "en", ...day }, "/api/v2/love-triangle-reading", []],
  [{ operation: "wisdom-reading", language: "mr", ...day }, "/api/v2/wisdom-reading", [["lan", "ma"]]],
  [
    { operation: "which-animal-are-you-reading", language: "en", person: "reader-1", period: "always" },
    "/api/v2/which-animal-are-you-reading",
    [
      ["full_name", "Given Fämily"],
      ["day", "5"],
      ["month", "7"],
      ["year", "1990"],
    ],
  ],
  [tarot, "/api/v2/daily-tarot", []],
  [{ operation: "daily-tarot-legacy", language: "en", ...day }, "/api/1.0/get_daily_tarot.php", []],
];

/** The whole request, byte for byte; only the form's boundary is the sender's to choose. */
function expectedBytes(path: string, port: number, fields: [string, string][], boundary: string): string {
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const body = Buffer.from(`${parts.join("")}--${boundary}--\r\n`).toString("latin1");
  const authorization = path.includes("/1.0/") ? [] : [`authorization: Bearer ${token}`];
  return [
    `POST /base/path${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    "connection: keep-alive",
    "accept: application/json",
    "accept-encoding: identity",
    `user-agent: almanac/${packageJson.version} (+node)`,
    ...authorization,
    `content-type: multipart/form-data; boundary=${boundary}`,
    `content-length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}

describe("a request on the wire", () => {
  it.each(kinds)("is exactly its row's path and fields: %j", async (request, path, fields) => {
    const server = await rawServer((socket) => socket.write(reply("200 OK", goodBody)));
    await clientOf(`${server.url}/base/path/`).call(request, { instant });
    const [sent = ""] = server.requests;
    const boundary = /boundary=(\S+)/.exec(sent)?.[1] ?? "none";
    expect(sent).toBe(expectedBytes(path, server.port, [["api_key", apiKey], ...fields], boundary));
    expect(server.requests).toHaveLength(1);
  });

  it("goes to the English, the translator or the legacy endpoint and to no other", async () => {
    const answer = (socket: { write: (text: string) => void }) => socket.write(reply("200 OK", goodBody));
    const [english, translator, legacy] = [
      await rawServer(answer),
      await rawServer(answer),
      await rawServer(answer),
    ];
    const endpoints = { english: english.url, translator: translator.url, legacy: legacy.url };
    const client = clientOf(undefined, { endpoints });
    await client.call(tarot, { instant });
    await client.call({ ...tarot, language: "hi" }, { instant });
    await client.call({ ...tarot, operation: "daily-tarot-legacy" }, { instant });
    const paths = [english, translator, legacy].map(({ requests }) =>
      requests.map((text) => text.split(" ")[1]),
    );
    expect(paths).toEqual([
      ["/api/v2/daily-tarot"],
      ["/api/v2/daily-tarot"],
      ["/api/1.0/get_daily_tarot.php"],
    ]);
  });
});

describe("an answer", () => {
  it("comes back as received, with where, when and how long", async () => {
    const body = ' {"success":2,"msg":"nö"}\r\n';
    const server = await rawServer((socket) => socket.write(reply("429 Slow Down", body, "retry-after: 7")));
    const client = clientOf(server.url, { now: () => new Date("2026-11-21T12:00:05Z") });
    const askedMs = performance.now();
    const { elapsedMs, ...answer } = await client.call(tarot, { instant });
    const tookMs = performance.now() - askedMs;
    expect(answer).toEqual({
      address: `${server.url}/api/v2/daily-tarot`,
      status: 429,
      retryAfter: "7",
      body: new Uint8Array(Buffer.from(body)),
      receivedAt: new Date("2026-11-21T12:00:05Z"),
      spellsOutCredential: false,
    });
    expect(elapsedMs).toBeGreaterThan(0);
    expect(elapsedMs).toBeLessThanOrEqual(tookMs);
  });

  it("reports the service's time, even in a refusal, and nothing without a date", async () => {
    const told: string[][] = [];
    const date = "Sat, 21 Nov 2026 12:00:05 GMT";
    const answers = [
      reply("200 OK", goodBody, `date: ${date}`),
      reply("401 No", "", `date: ${date}`),
      reply("200 OK", goodBody),
    ];
    const server = await rawServer((socket) => socket.write(answers.shift() ?? ""));
    const client = clientOf(server.url, { onTime: (...said) => void told.push(said) });
    for (let call = 0; call < 3; call += 1) await client.call(tarot, { instant });
    expect(told).toEqual([
      [server.url, date],
      [server.url, date],
    ]);
  });

  it("of a success opens as the data of its reading", async () => {
    const server = await rawServer((socket) =>
      socket.write(reply("200 OK", '{"success":1,"data":{"card":"SUN"}}')),
    );
    const answer = await clientOf(server.url).call(tarot, { instant });
    expect(openEnvelope(requestKey(tarot), answer)).toEqual({ card: "SUN" });
  });

  it("that redirects is returned and not followed", async () => {
    const elsewhere = await rawServer((socket) => socket.write(reply("200 OK", goodBody)));
    const server = await rawServer((socket) =>
      socket.write(reply("307 Temporary Redirect", "", `location: ${elsewhere.url}/api/v2/daily-tarot`)),
    );
    const answer = await clientOf(server.url).call(tarot, { instant });
    expect(answer.status).toBe(307);
    expect(elsewhere.requests).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it("may follow early hints and come in chunks of a byte", async () => {
    const chunks = Array.from(goodBody, (letter) => `1\r\n${letter}\r\n`).join("");
    const hints = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
    const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    const server = await rawServer((socket) => socket.write(`${hints}${head}${chunks}0\r\n\r\n`));
    const answer = await clientOf(server.url).call(tarot, { instant });
    expect(Buffer.from(answer.body).toString()).toBe(goodBody);
  });
});

describe("connections", () => {
  it("are used again, and there are never more than configured", async () => {
    let now = 0;
    let most = 0;
    const server = createServer((_request, response) => {
      most = Math.max(most, (now += 1));
      setTimeout(() => {
        now -= 1;
        response.end(goodBody);
      }, 20);
    });
    let opened = 0;
    server.on("connection", () => (opened += 1));
    const client = clientOf(`http://127.0.0.1:${await listen(server)}`);
    await Promise.all(Array.from({ length: 8 }, () => client.call(tarot, { instant })));
    expect([most, opened]).toEqual([2, 2]);
  });

  it("report when a request is sent, which may be long after the call", async () => {
    const server = createServer((_request, response) => void setTimeout(() => response.end(goodBody), 100));
    const client = clientOf(`http://127.0.0.1:${await listen(server)}`);
    const sentMs: number[] = [];
    const askedMs = performance.now();
    const onSent = (): void => void sentMs.push(performance.now() - askedMs);
    await Promise.all([1, 2, 3].map(() => client.call(tarot, { instant, onSent })));
    // Two connections: the third waits for one of them.
    expect(sentMs).toHaveLength(3);
    expect(sentMs[2]).toBeGreaterThan(95);
  });

  it("send no byte of a request that must not leave once its connection is open", async () => {
    const received: string[] = [];
    const server = createServer((_request, response) => void response.end(goodBody));
    server.on(
      "connection",
      (socket: Socket) => void socket.on("data", (bytes) => received.push(String(bytes))),
    );
    const client = clientOf(`http://127.0.0.1:${await listen(server)}`);
    const onSent = (): void => {
      throw new Error("another process is the owner");
    };
    await expect(client.call(tarot, { instant, onSent })).rejects.toThrow("another process is the owner");
    await client.call({ ...tarot, language: "hi" }, { instant });
    expect(received.join("").match(/^POST /gm)).toHaveLength(1);
  });

  it("are closed with the client, after the calls in flight", async () => {
    const server = await rawServer(
      (socket) => void setTimeout(() => socket.write(reply("200 OK", goodBody)), 50),
    );
    const client = clientOf(server.url);
    const answer = client.call(tarot, { instant });
    await until("the request to arrive", () => server.requests.length === 1);
    await client.close();
    await expect(answer).resolves.toMatchObject({ status: 200 });
    await until("the client to close its connections", () =>
      server.sockets.every((socket) => socket.destroyed),
    );
  });
});

describe("before any call", () => {
  it("a missing endpoint is named with the variable to set", async () => {
    const client = clientOf(undefined);
    const hindi = { ...tarot, language: "hi" } as const;
    await expect(client.call(tarot, { instant })).rejects.toThrow(/set READING_SERVICE_URL to its URL/);
    await expect(client.call(hindi, { instant })).rejects.toThrow(/set READING_SERVICE_TRANSLATOR_URL/);
    const legacy = { ...tarot, operation: "daily-tarot-legacy" } as const;
    await expect(client.call(legacy, { instant })).rejects.toThrow(/set READING_SERVICE_LEGACY_URL/);
  });

  it("a language outside the set is refused, and no credentials are read", async () => {
    const server = await rawServer();
    let asked = 0;
    const credentials = async () => {
      asked += 1;
      throw new Error("not to be asked");
    };
    const client = clientOf(server.url, { credentials });
    await expect(client.call({ ...tarot, language: "gu" }, { instant })).rejects.toThrow(
      /not available in gu/,
    );
    expect([asked, server.sockets.length]).toEqual([0, 0]);
  });

  it("time-outs that do not nest are refused; the defaults do", () => {
    expect(() => clientOf("http://127.0.0.1:9", within(1_000, 1_000))).toThrow(
      /connect timeout must be shorter than/,
    );
    const { timeouts, connections } = settingsFrom(configurationSchema.parse({}));
    for (const { connectMs, answerMs } of Object.values(timeouts)) expect(connectMs).toBeLessThan(answerMs);
    expect(timeouts.translator.answerMs).toBe(90_000);
    expect(connections.translator).toBeGreaterThan(connections.english);
  });
});
