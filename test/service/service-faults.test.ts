import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { getEventListeners } from "node:events";
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { bodyLimitBytes } from "../../service/exchange.ts";
import { Unavailable, Unfit } from "../../readings/answer.ts";
import {
  clientOf,
  failureOf,
  goodBody,
  instant,
  rawServer,
  type RawServer,
  reply,
  tarot,
  within,
} from "./raw-server.ts";
import { listen } from "../support/ends.ts";
import { until } from "../support/until.ts";

const hourMs = 60 * 60_000;
const key = "daily/2026-11-21/en/daily-tarot/reading";
const head = "HTTP/1.1 200 OK\r\n";

async function asked(server: RawServer): Promise<unknown> {
  return await failureOf(clientOf(server.url).call(tarot, { instant }));
}

async function allClosed({ sockets }: RawServer): Promise<void> {
  await until("the client to close its connections", () => sockets.every((socket) => socket.destroyed));
}

/** Observation in an Unavailable, which always names the request. */
function seenBy(error: unknown): string {
  if (!(error instanceof Unavailable)) throw new Error("expected an Unavailable", { cause: error });
  expect(error.message).toContain(`requested ${key} from `);
  return error.facts.seen;
}

describe("a transport error is Unavailable with its cause:", () => {
  it("a refused connection", async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const url = `http://127.0.0.1:${port}`;
    const error = await failureOf(clientOf(url).call(tarot, { instant }));
    expect(seenBy(error)).toBe("the connection was refused (ECONNREFUSED)");
    expect(String(error)).toContain(`requested ${key} from ${url}/api/v2/daily-tarot`);
  });

  it("a host name nobody knows", async () => {
    const error = await failureOf(clientOf("http://no-such-host.invalid").call(tarot, { instant }));
    expect(seenBy(error)).toMatch(/^unknown host name /);
  });

  it.each<[string, (socket: Socket) => void, RegExp]>([
    ["a reset before the headers", (socket) => socket.resetAndDestroy(), /^the connection was closed before/],
    ["an end before the headers", (socket) => socket.end(), /^the connection was closed before/],
    [
      "an end within the headers",
      (socket) => socket.end(`${head}content-le`),
      /^the connection was closed before/,
    ],
    [
      "a body shorter than it says",
      (socket) => socket.end(`${head}content-length: 100\r\n\r\n{"succ`),
      /^the connection was closed before the response was complete .*after 6 bytes of the body$/,
    ],
    [
      "chunks without the last one",
      (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n6\r\n{"succ\r\n`),
      /^the connection was closed before the response was complete .*after 6 bytes of the body$/,
    ],
    [
      "a reset within the body",
      (socket) => {
        socket.write(`${head}content-length: 100\r\n\r\n{"succ`);
        setTimeout(() => socket.resetAndDestroy(), 20);
      },
      /^the connection was closed before the response was complete .*of the body$/,
    ],
    ["something that is not HTTP", (socket) => socket.end("220 ready\r\n"), /^the response is not HTTP \(/],
    [
      "headers without an end",
      (socket) => socket.write(`${head}x: ${"y".repeat(100_000)}\r\n\r\n`),
      /^the response headers are too long/,
    ],
  ])("%s", async (_title, answer, seen) => {
    const server = await rawServer((socket) => answer(socket));
    expect(seenBy(await asked(server))).toMatch(seen);
    expect(server.requests).toHaveLength(1);
  });
});

describe("the answer time-out", () => {
  const brief = within(300);

  it("ends a wait for headers", async () => {
    const server = await rawServer();
    const error = await failureOf(clientOf(server.url, brief).call(tarot, { instant }));
    expect(seenBy(error)).toMatch(/^no complete response within 0.3 s$/);
    await allClosed(server);
  });

  it.each([
    ["in the headers", "HTTP/1.1 200 OK\r\nx-slow: "],
    ["in the body", "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n"],
  ])("ends a slow drip %s, though every byte comes in time", async (_where, start) => {
    const server = await rawServer((socket) => {
      socket.write(start);
      const drip = setInterval(() => socket.write("a"), 20);
      socket.on("close", () => clearInterval(drip));
    });
    // A byte more comes for ever: a time-out between bytes would never end it.
    const error = await failureOf(clientOf(server.url, brief).call(tarot, { instant }));
    expect(seenBy(error)).toMatch(/^no complete response within 0.3 s/);
    await allClosed(server);
  });

  it("counts the wait for a free connection in", async () => {
    const server = await rawServer();
    const connections = { english: 1, translator: 1, legacy: 1 };
    const client = clientOf(server.url, { ...brief, connections });
    const calls = Array.from({ length: 20 }, () => failureOf(client.call(tarot, { instant })));
    for (const error of await Promise.all(calls))
      expect(seenBy(error)).toMatch(/^no complete response within 0.3 s$/);
    // Otherwise each would be sent when the previous one has ended. The next one's timeout may end a moment later.
    expect(server.requests.length).toBeLessThan(10);
  });

  it("leaves the connection time-out its own, shorter one", async () => {
    const server = await rawServer(); // never answers a TLS greeting
    const client = clientOf(server.url.replace("http:", "https:"), within(hourMs, 200));
    expect(seenBy(await failureOf(client.call(tarot, { instant })))).toMatch(
      /^the connection timed out \(UND_ERR_CONNECT_TIMEOUT\)$/,
    );
  });
});

/** Number of responses that have begun, as undici itself reports. */
function countHeaders(): () => number {
  let count = 0;
  const listener = () => void (count += 1);
  subscribe("undici:request:headers", listener);
  onTestFinished(() => void unsubscribe("undici:request:headers", listener));
  return () => count;
}

describe("cancellation", () => {
  /** Only the cancellation ends a call. */
  const patient = within(hourMs);
  const phases: [string, string, string][] = [
    ["while it connects", "https:", ""],
    ["while it waits for headers", "http:", ""],
    ["while the body is being read", "http:", `${head}content-length: 1000\r\n\r\n{"succ`],
  ];
  it.each(phases)("stops a call at once %s", async (_phase, scheme, start) => {
    const server = await rawServer((socket) => start !== "" && socket.write(start));
    const headersRead = countHeaders();
    const control = new AbortController();
    const reason = new Error("the night was cancelled");
    const failure = failureOf(
      clientOf(server.url.replace("http:", scheme), patient).call(tarot, { instant, signal: control.signal }),
    );
    await until(
      "the request to arrive",
      () => server.sockets.length === 1 && (scheme === "https:" || server.requests.length === 1),
    );
    await until("the headers to be read", () => start === "" || headersRead() === 1);
    control.abort(reason);
    expect(await failure).toBe(reason);
    if (scheme === "http:") await allClosed(server);
  });

  it("stops a call that waits for a connection, and it is never sent", async () => {
    const answers: (() => void)[] = [];
    const server = await rawServer((socket) => answers.push(() => socket.write(reply("200 OK", goodBody))));
    const connections = { english: 1, translator: 1, legacy: 1 };
    const client = clientOf(server.url, { ...patient, connections });
    const first = client.call(tarot, { instant });
    await until("the first request to arrive", () => server.requests.length === 1);
    const control = new AbortController();
    const second = failureOf(client.call(tarot, { instant, signal: control.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    control.abort();
    expect(await second).toBe(control.signal.reason);
    answers[0]?.();
    expect((await first).status).toBe(200);
    await client.close();
    expect(server.requests).toHaveLength(1);
  });

  it("before the call prevents sending", async () => {
    const server = await rawServer();
    const signal = AbortSignal.abort("stop");
    expect(await failureOf(clientOf(server.url).call(tarot, { instant, signal }))).toBe("stop");
    expect(server.sockets).toEqual([]);
  });

  it("leaves no listener on the signal after an answer", async () => {
    const answers: (() => void)[] = [];
    const server = await rawServer((socket) => answers.push(() => socket.write(reply("200 OK", goodBody))));
    const { signal } = new AbortController();
    const answer = clientOf(server.url).call(tarot, { instant, signal });
    await until("the request to arrive", () => answers.length === 1);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    answers[0]?.();
    await answer;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a body that is not read to its end", () => {
  const mebibyte = Buffer.alloc(1024 * 1024, " ");

  /** Writes a piece of 1 MiB thirty times, as fast as it is taken; `written` counts until the other side leaves. */
  async function flood(start: string, piece: Buffer) {
    let written = 0;
    const server = await rawServer((socket) => {
      socket.write(start);
      const more = () => {
        while (!socket.destroyed && written < 30 * mebibyte.length) {
          written += mebibyte.length;
          if (!socket.write(piece)) return;
        }
      };
      socket.on("drain", more);
      more();
    });
    return { server, written: () => written };
  }

  it("is refused unread when it says that it has 30 MiB", async () => {
    const size = 30 * mebibyte.length;
    const { server, written } = await flood(`${head}content-length: ${size}\r\n\r\n`, mebibyte);
    const error = await asked(server);
    expect(error).toBeInstanceOf(Unfit);
    expect(error).toMatchObject({ rule: "size", facts: { key, status: 200 } });
    expect(String(error)).toContain(`a body of ${size} bytes; the limit is ${bodyLimitBytes}`);
    await allClosed(server);
    expect(written()).toBeLessThan(size / 2);
  });

  it("is refused at 4 MiB when it does not say how much comes, and memory stays bounded", async () => {
    const chunk = Buffer.concat([Buffer.from("100000\r\n"), mebibyte, Buffer.from("\r\n")]);
    const { server, written } = await flood(`${head}transfer-encoding: chunked\r\n\r\n`, chunk);
    const before = process.memoryUsage().arrayBuffers;
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 1);
    const error = await asked(server);
    clearInterval(watch);
    most = Math.max(most, process.memoryUsage().arrayBuffers);
    expect(error).toMatchObject({ name: "Unfit", rule: "size" });
    await allClosed(server);
    expect(written()).toBeLessThan(30 * mebibyte.length);
    expect(most - before).toBeLessThan(24 * mebibyte.length);
  });

  it("holds at 4 MiB in chunks of one byte as well, without a buffer for each", async () => {
    const bytes = 300_000;
    const chunks = Buffer.concat([Buffer.from("1\r\na\r\n".repeat(bytes)), Buffer.from("0\r\n\r\n")]);
    const server = await rawServer((socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
      socket.write(chunks);
    });
    const answer = await clientOf(server.url).call(tarot, { instant });
    expect(answer.body.length).toBe(bytes);
    expect(answer.body.buffer.byteLength).toBeLessThan(4 * bytes);
  });

  it("is taken whole at exactly 4 MiB", async () => {
    const server = await rawServer((socket) => socket.write(reply("200 OK", " ".repeat(bodyLimitBytes))));
    const answer = await clientOf(server.url).call(tarot, { instant });
    expect(answer.body.length).toBe(bodyLimitBytes);
  });

  it("is refused when it is compressed, which nobody asked for", async () => {
    const body = gzipSync(goodBody);
    const server = await rawServer((socket) => {
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });
    const error = await asked(server);
    expect(error).toMatchObject({ name: "Unfit", rule: "encoding", facts: { status: 200 } });
    expect(String(error)).toContain("a body encoded with gzip, although no encoding was accepted");
  });
});

describe("a refusal speaks through its status, whatever became of its body:", () => {
  it.each<[string, string]>([
    ["compressed", "content-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc"],
    ["too large", `content-length: ${bodyLimitBytes + 1}\r\n\r\nabc`],
    ["cut off", "content-length: 100\r\n\r\nabc"],
  ])("%s", async (_what, rest) => {
    const server = await rawServer((socket) =>
      socket.end(`HTTP/1.1 503 Service Unavailable\r\nretry-after: 120\r\n${rest}`),
    );
    const answer = await clientOf(server.url).call(tarot, { instant });
    expect(answer).toMatchObject({ status: 503, retryAfter: "120" });
    expect(answer.body.length).toBeLessThanOrEqual(3);
  });

  it("dripping", async () => {
    const server = await rawServer((socket) =>
      socket.write("HTTP/1.1 401 Unauthorized\r\ncontent-length: 100\r\n\r\nabc"),
    );
    // The headers have to come within the time-out: on a busy machine a longer one.
    for (const answerMs of [200, 2_000, 20_000]) {
      const asking = clientOf(server.url, within(answerMs)).call(tarot, { instant });
      const status = await asking.then(
        (answer) => answer.status,
        (error: unknown) => error,
      );
      if (status instanceof Unavailable && answerMs < 20_000) continue;
      expect(status).toBe(401);
      break;
    }
  });
});
