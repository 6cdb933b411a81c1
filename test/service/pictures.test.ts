// Downloads of one picture from an untrusted server.
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  guardedAgent,
  fetchPicture,
  type FetchRules,
  isAllowed,
  NoPicture,
  isPublicAddress,
} from "../../service/pictures/download.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { gif, jpeg, pictureServer, png, webp } from "../support/pictures.ts";
import { listen } from "../support/ends.ts";

const rules: FetchRules = { hosts: ["cards.example"], mostBytes: 1_000, loopback: true };

async function fetched(
  address: string,
  more: Partial<FetchRules> = {},
  signal = AbortSignal.timeout(120_000),
) {
  const own = { ...rules, ...more };
  const agent = guardedAgent(own);
  try {
    return await fetchPicture(address, own, agent, signal);
  } finally {
    await agent.destroy();
  }
}

test.each([
  ["png", png],
  ["jpg", jpeg],
  ["gif", gif],
  ["webp", webp],
])("takes a picture for what its bytes say: %s", async (ending, bytes) => {
  const server = await pictureServer((response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(bytes),
  );
  const picture = await fetched(`${server.url}/x.svg`);
  expect(picture.ending).toBe(ending);
  expect(Buffer.from(picture.bytes)).toEqual(bytes);
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

test.each([
  ["SVG", svg],
  ["HTML", "<!doctype html><title>gone</title>"],
  ["nothing", ""],
])("refuses %s, whatever its type says", async (_, body) => {
  const server = await pictureServer((response) =>
    response.writeHead(200, { "content-type": "image/png" }).end(body),
  );
  await expect(fetched(`${server.url}/x.png`)).rejects.toThrow(/bytes that are not PNG, JPEG, WebP or GIF/);
});

test("refuses a picture that announces too many bytes before reading, and one that turns out too large", async () => {
  const server = await pictureServer();
  let sent = 0;
  server.answers.set("/declared", (response) => {
    response.writeHead(200, { "content-length": 5_000 }).write(png);
  });
  server.answers.set("/endless", (response) => {
    const more = setInterval(() => {
      sent += 1;
      response.write(Buffer.concat([png, Buffer.alloc(200)]));
    }, 1);
    response.on("close", () => clearInterval(more));
  });
  await expect(fetched(`${server.url}/declared`)).rejects.toThrow(
    "a body of 5000 bytes; pictures.mirror.mostBytes is 1000",
  );
  await expect(fetched(`${server.url}/endless`)).rejects.toThrow("a longer body");
  expect(sent).toBeLessThan(200);
});

test("times out on a slow drip", async () => {
  const server = await pictureServer((response) => {
    const more = setInterval(() => response.write("."), 5);
    response.on("close", () => clearInterval(more));
  });
  // The drip has no end.
  await expect(fetched(`${server.url}/x`, {}, AbortSignal.timeout(150))).rejects.toThrow(/timeout/);
});

test("refuses a body that is truncated, encoded, or of unknown length", async () => {
  const server = await pictureServer();
  server.answers.set("/cut", (response) => {
    response.writeHead(200, { "content-length": 500 }).write(png, () => response.destroy());
  });
  server.answers.set("/gzip", (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(png));
  server.answers.set("/open", (response) => {
    response.socket?.end("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n\u0089PNG\r\n\u001A\n", "latin1");
  });
  server.answers.set("/missing", (response) => response.writeHead(404).end(png));
  await expect(fetched(`${server.url}/cut`)).rejects.toThrow(NoPicture);
  await expect(fetched(`${server.url}/gzip`)).rejects.toThrow("a body encoded with gzip");
  await expect(fetched(`${server.url}/open`)).rejects.toThrow("a response without a length");
  await expect(fetched(`${server.url}/missing`)).rejects.toThrow("HTTP 404");
});

test("follows redirects on the same host only, and not endlessly", async () => {
  const [server, other] = [await pictureServer(), await pictureServer()];
  const redirect = (path: string, location: string) =>
    server.answers.set(path, (response) => response.writeHead(302, { location }).end());
  redirect("/same", "/picture");
  redirect("/other", `${other.url}/picture`);
  redirect("/metadata", "http://169.254.169.254/latest/meta-data/");
  redirect("/file", "file:///etc/passwd");
  redirect("/round", "/round");
  expect((await fetched(`${server.url}/same`)).ending).toBe("png");
  await expect(fetched(`${server.url}/other`)).rejects.toThrow(`a redirect to another host (${other.url}`);
  await expect(fetched(`${server.url}/metadata`)).rejects.toThrow(
    "a redirect to another host (http://169.254.169.254",
  );
  await expect(fetched(`${server.url}/file`)).rejects.toThrow("a redirect to another host (null");
  await expect(fetched(`${server.url}/round`)).rejects.toThrow("more than 3 redirects");
  expect(other.asked).toEqual([]);
});

test("reports a refused connection as such", async () => {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await expect(fetched(`http://127.0.0.1:${port}/x`)).rejects.toThrow("the connection was refused");
});

describe("a name that leads to an inner address", () => {
  test.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:0:127.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "fe80::1",
    "fd00:ec2::254",
    "ff02::1",
  ])("is refused before any connection: %s", async (address) => {
    const connections: unknown[] = [];
    const server = createServer((socket) => connections.push(socket.destroy()));
    const port = await listen(server);
    const host = `cards.example:${port}`;
    // One allowed address does not make the other one allowed.
    const lookup = async () => [
      { address: "93.184.215.14", family: 4 },
      { address, family: address.includes(":") ? 6 : 4 },
    ];
    const call = fetched(`https://${host}/x.png`, { hosts: [host], lookup });
    await expect(call).rejects.toThrow(`cards.example resolves to ${address}, which is not a public address`);
    expect(connections).toEqual([]);
  });

  test("is refused after the connection, before any request", async () => {
    const server = await pictureServer();
    const agent = guardedAgent({ ...rules, loopback: false });
    onTestFinished(() => agent.destroy());
    const call = agent.request({ origin: server.url, path: "/x.png", method: "GET" });
    await expect(call).rejects.toThrow("127.0.0.1 resolves to 127.0.0.1, which is not a public address");
    expect(server.asked).toEqual([]);
  });

  test("may be the local machine's own only in the sandbox", async () => {
    const server = await pictureServer();
    const address = `http://localhost:${server.port}/x.png`;
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    expect((await fetched(address, { lookup })).ending).toBe("png");
    const elsewhere = async () => [{ address: "10.0.0.1", family: 4 }];
    await expect(fetched(address, { lookup: elsewhere })).rejects.toThrow("localhost resolves to 10.0.0.1");
    expect(isAllowed(address, { ...rules, loopback: false })).toBe(false);
  });
});

test("addresses that are given out are public", () => {
  const all = [
    "93.184.215.14",
    "8.8.8.8",
    "192.0.1.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "2001:4860::8888",
  ];
  expect(all.filter((address) => !isPublicAddress(address))).toEqual([]);
  expect(["", "cards.example", "1", "fe80::1%eth0"].filter(isPublicAddress)).toEqual([]);
});

test("only https from the named hosts is allowed, exactly", () => {
  const real = { ...rules, hosts: ["cards.example", "more.example:8443"], loopback: false };
  const allowed = [
    "https://cards.example/a.jpg",
    "https://cards.example:443/a.jpg",
    "https://more.example:8443/",
  ];
  expect(allowed.filter((address) => !isAllowed(address, real))).toEqual([]);
  const refused = [
    "http://cards.example/a.jpg",
    "https://cards.example:8443/",
    "https://cards.example.evil.example/",
    "https://evil.example/cards.example",
    "https://cards.example@evil.example/",
    "https://user@cards.example/",
    "https://cards.example./",
    "https://127.0.0.1/",
    "https://[::1]/",
    "http://127.0.0.1/",
    "ftp://cards.example/",
    "data:image/png;base64,AAAA",
    "",
  ];
  expect(refused.filter((address) => isAllowed(address, real))).toEqual([]);
});

test("the configuration accepts host names, and no addresses", () => {
  const parsed = (hosts: readonly string[]) =>
    configurationSchema.safeParse({ pictures: { mirror: { hosts: [...hosts] } } }).success;
  expect(configurationSchema.parse({}).pictures).toEqual({ hosts: [] });
  expect(
    ["cards.example", "a-b.cdn.example", "cards.example:8443", "xn--e1afmkfd.example"].filter(
      (one) => !parsed([one]),
    ),
  ).toEqual([]);
  const wrong = [
    "localhost",
    "127.0.0.1",
    "0x7f.1",
    "2130706433",
    "[::1]",
    "*.example",
    "https://cards.example",
    "Cards.example",
    "cards.example/",
    "-a.example",
    "",
  ];
  expect(wrong.filter((one) => parsed([one]))).toEqual([]);
  expect(parsed([])).toBe(false);
});
