// A worker whose clock runs far ahead: the times in the service's responses keep it from publishing a future date, and it reports
// that.
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { always } from "../../store/store.ts";
import { writeJson, layout } from "../../vault/files.ts";
import { newSite } from "../publish/support/published-site.ts";
import { almanac } from "../support/cli.ts";
import { listen } from "../support/ends.ts";
import { quickService, runPublish } from "../support/looks.ts";
import { createWorld, type World } from "../support/night.ts";
import { clockMovedBy } from "../support/noon.ts";
import { selfSigned } from "../support/self-signed.ts";
import { settings } from "../site/editions.ts";
import { textAt } from "../support/stores.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();

/** A person's text is there on every date, so that a publish far ahead has something to publish. */
const configuration: ConfigurationInput = {
  languages: ["hi"],
  operations: ["daily-horoscope", "which-animal-are-you-reading"],
  people: [{ id: "example", fullName: "Jane Example", birthDate: "1990-01-01" }],
  service: quickService,
};

/** Puts the sandbox behind TLS, like a remote service; `heads` are the starts of HEAD requests. */
async function behindTls(world: World): Promise<{ readonly heads: string[] }> {
  const { key, cert } = selfSigned();
  const heads: string[] = [];
  const origin = Object.values(world.env).find((value) => URL.parse(value)?.protocol === "http:");
  const { hostname, port: plainPort } = new URL(origin ?? "");
  const keys = { key: key.export({ type: "pkcs8", format: "pem" }), cert };
  const server = createServer(keys, (socket) => {
    const to = connect(Number(plainPort), hostname);
    for (const end of [socket, to]) end.on("error", () => end.destroy());
    socket.on("data", (chunk: Buffer) => {
      const text = chunk.toString("latin1");
      if (text.startsWith("HEAD ")) heads.push(text);
    });
    socket.pipe(to).pipe(socket);
  });
  const port = await listen(server);
  const certificate = join(world.folder, "certificate.pem");
  await writeFile(certificate, cert);
  for (const [name, value] of Object.entries(world.env)) {
    const url = URL.parse(value);
    if (url?.protocol === "http:") world.env[name] = `https://localhost:${port}${url.pathname}`;
  }
  world.env["NODE_EXTRA_CA_CERTS"] = certificate;
  return { heads };
}

const dayMs = 24 * 60 * 60_000;
const summary = ({ site }: World) => textAt(site, "v1/hi/index.json");

test("a worker 400 days ahead publishes no date, says so, and asks the service once what time it is", async () => {
  const world = await createWorld(temporal, configuration);
  const { heads } = await behindTls(world);
  const { store } = world.vault;
  const site = newSite(
    { ...configuration, site: { ...settings, id: world.id } },
    { vault: store, site: world.site },
  );
  const day = (from: number) => new Date(Date.now() + from * dayMs).toISOString();
  await site.gather(day(-2).slice(0, 10), day(1).slice(0, 10));
  site.setClock(day(0));
  await site.night();
  const before = await summary(world);
  await writeJson(store, layout.time, { format: 1, at: day(-2), of: "service.example" }, always);

  Object.assign(world.env, clockMovedBy(400 * dayMs));
  await world.worker();
  const done = await runPublish(world);
  expect(done).toMatchObject({
    changed: 0,
    staying: [{ language: "hi", reason: expect.stringContaining("hi is not published") }],
  });
  expect(await summary(world)).toBe(before);
  expect(heads).toHaveLength(1);
  expect(heads[0]).not.toMatch(/authorization|api_key/i);
  expect(await world.log()).toContain('"alert":"date-ahead"');
  const noted = JSON.parse((await textAt(store, layout.time)) ?? "{}");
  expect(noted.of).toMatch(/^localhost:/);
  expect(Math.abs(Date.parse(noted.at) - Date.now())).toBeLessThan(dayMs);
  const typed = await almanac(["publish"], { env: world.env, cwd: world.folder });
  expect(typed.stdout).toMatch(
    /hi is not published: this machine's clock .* shows \d{4}-\d\d-\d\d there, .*localhost/,
  );
  expect(typed.code).toBe(3);
});
