import { createServer as createProxy } from "node:http";
import { connect } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Secret } from "../../service/secret.ts";
import { Unavailable } from "../../readings/answer.ts";
import { clientOf, failureOf, goodBody, instant, rawServer, reply, tarot } from "./raw-server.ts";
import { listen } from "../support/ends.ts";
import { selfSigned } from "../support/self-signed.ts";

async function tlsServer(): Promise<{ port: number; requests: () => number }> {
  const { key, cert } = selfSigned();
  let requests = 0;
  const server = createTlsServer({ key: key.export({ type: "pkcs8", format: "pem" }), cert }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", () => {
      requests += 1;
      socket.write(reply("200 OK", goodBody));
    });
  });
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  return { port: await listen(server), requests: () => requests };
}

/** A proxy that forwards requests and opens tunnels. */
async function proxy(): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = [];
  const server = createProxy((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    response.end(goodBody);
  });
  server.on("connect", (request, socket) => {
    seen.push(`CONNECT ${request.url}`);
    const [host, port] = (request.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  return { port: await listen(server), seen };
}

describe("TLS", () => {
  it("is verified: an unknown certificate gets no request", async () => {
    const server = await tlsServer();
    const error = await failureOf(clientOf(`https://localhost:${server.port}`).call(tarot, { instant }));
    expect(error).toBeInstanceOf(Unavailable);
    expect(String(error)).toMatch(/the TLS connection cannot be trusted \(DEPTH_ZERO_SELF_SIGNED_CERT/);
    expect(server.requests()).toBe(0);
  });

  it("is verified even if the environment disables that", async () => {
    const server = await tlsServer();
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      const error = await failureOf(clientOf(`https://localhost:${server.port}`).call(tarot, { instant }));
      expect(String(error)).toContain("DEPTH_ZERO_SELF_SIGNED_CERT");
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    }
    expect(server.requests()).toBe(0);
  });

  it("that is missing is reported as such", async () => {
    const plain = await listen(createProxy((_request, response) => response.end()));
    const error = await failureOf(clientOf(`https://127.0.0.1:${plain}`).call(tarot, { instant }));
    expect(String(error)).toMatch(/the TLS connection cannot be trusted \((?:EPROTO|ERR_SSL)/);
  });
});

describe("proxies", () => {
  const proxies = (port: number, none = "") => {
    const url = new Secret(`http://user:pass-w0rd@127.0.0.1:${port}`);
    return { proxies: { http: url, https: url, none } };
  };

  it("are used for http with the password they want", async () => {
    const { port, seen } = await proxy();
    const client = clientOf("http://readings.invalid/base", proxies(port));
    expect((await client.call(tarot, { instant })).status).toBe(200);
    const password = `Basic ${btoa("user:pass-w0rd")}`;
    expect(seen).toEqual([`POST http://readings.invalid/base/api/v2/daily-tarot ${password}`]);
  });

  it("tunnel https, and the service's certificate is verified through the tunnel", async () => {
    const { port, seen } = await proxy();
    const server = await tlsServer();
    const client = clientOf(`https://localhost:${server.port}`, proxies(port));
    const error = await failureOf(client.call(tarot, { instant }));
    expect(String(error)).toContain("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(seen).toEqual([`CONNECT localhost:${server.port}`]);
    expect(server.requests()).toBe(0);
  });

  it("are left out for the hosts that NO_PROXY names", async () => {
    const { port, seen } = await proxy();
    const server = await rawServer((socket) => socket.write(reply("200 OK", goodBody)));
    await clientOf(server.url, proxies(port, "example.org,127.0.0.1")).call(tarot, { instant });
    expect([seen, server.requests.length]).toEqual([[], 1]);
  });

  it("come from the settings, never from the environment", async () => {
    const { port, seen } = await proxy();
    const server = await rawServer((socket) => socket.write(reply("200 OK", goodBody)));
    process.env["HTTP_PROXY"] = `http://127.0.0.1:${port}`;
    try {
      await clientOf(server.url).call(tarot, { instant });
    } finally {
      delete process.env["HTTP_PROXY"];
    }
    expect([seen, server.requests.length]).toEqual([[], 1]);
  });

  it.each([
    ["is not there", /refused/],
    ["refuses the password", /407/],
  ])("that %s make the service unavailable, without a word of the password", async (what, seen) => {
    const strict = createProxy((_request, response) => void response.writeHead(407).end());
    const secret = new Secret(`http://user:pass-w0rd@127.0.0.1:${await listen(strict)}`);
    if (what === "is not there") await new Promise((resolve) => strict.close(resolve));
    const client = clientOf("http://readings.invalid", {
      proxies: { http: secret, https: secret, none: "" },
    });
    const error = await failureOf(client.call(tarot, { instant }));
    expect(error).toBeInstanceOf(Unavailable);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("pass-w0rd");
    expect(String(error)).toMatch(seen);
  });
});
