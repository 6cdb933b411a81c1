// A real published site, night after night; a web server in front of it that can be made to lie; and clients that read it. It also
// has an attacker's means: old states, foreign keys, and signatures with them.
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { canonical } from "../../../vault/files.ts";
import { publish } from "../../../publish/publish.ts";
import { publicHalf } from "../../../publish/step/pointer.ts";
import {
  manifestPath,
  objectPath,
  pointerPath,
  readState,
  type SiteState,
} from "../../../publish/state/state.ts";
import {
  type Almanac,
  type AlmanacOptions,
  type AlmanacStorage,
  createAlmanac,
} from "../../../packages/client/almanac.js";
import type { ConfigurationInput } from "../../../readings/configuration.schema.ts";
import { openTrial } from "../../../store/trial.ts";
import { newSite, type PublishedSite } from "../../publish/support/published-site.ts";
import { inMemory, type Stores, textAt } from "../../support/stores.ts";
import { listen } from "../../support/ends.ts";
import { recipeKey } from "../../support/recipe-key.ts";

/** Times of the three publishes; at the last one it is already the next day in India. */
export const nights = ["2026-11-20T12:00:00Z", "2026-11-21T12:00:00Z", "2026-11-22T20:00:00Z"] as const;
export const dayMs = 24 * 60 * 60_000;

const configuration = {
  languages: ["en", "hi"],
  operations: [
    "daily-horoscope",
    "weekly-horoscope",
    "monthly-horoscope",
    "yearly-horoscope",
    "daily-tarot",
    "love-compatibility",
  ],
  pairs: [["aries", "leo"]],
} satisfies ConfigurationInput;

export interface Keys {
  readonly secret: KeyObject;
  /** The format of `publishing.publicKeys` and of a client's `keys`. */
  readonly open: string;
}

export function newKeys(): Keys {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { secret: privateKey, open: publicHalf(privateKey) };
}

/** Default key that signs the site. */
export const owner = newKeys();

/** Replacements for published files, by path. */
export type Lie = Uint8Array | ((response: ServerResponse) => void);

export type World = Awaited<ReturnType<typeof newWorld>>;

const types: Record<string, string> = { html: "text/html", js: "text/javascript" };

let history: Promise<readonly Stores[]> | undefined;

async function publishNights(): Promise<Stores[]> {
  const states: Stores[] = [];
  for (const at of nights) {
    const before = states.at(-1);
    const stores = onTopOf(before ?? inMemory());
    const site = newSite(configuration, stores);
    if (before === undefined) await site.gather("2026-11-19", "2026-11-24");
    await publishAt(site, at, owner.secret);
    states.push(stores);
  }
  return states;
}

/** Stores whose writes leave the stores below unchanged. */
function onTopOf({ site, vault }: Stores): Stores {
  return { site: openTrial(site), vault: openTrial(vault) };
}

/** Publishes the edition that is current at that instant. */
export async function publishAt(site: PublishedSite, at: string, signer: KeyObject): Promise<void> {
  site.setClock(at);
  const { languages } = site.publishing.configuration;
  await publish({ run: "nightly", asOf: at, languages }, { ...site.publishing, signer });
}

/** All files after that many nights. */
async function after(night: 1 | 2 | 3): Promise<Stores> {
  history ??= publishNights();
  const stores = (await history)[night - 1];
  if (stores === undefined) throw new Error(`there were fewer nights than ${night}`);
  return stores;
}

/** With a different configuration, it begins before the first night. */
export async function newWorld(night: 1 | 2 | 3 = 2, more?: ConfigurationInput) {
  const stores = more === undefined ? onTopOf(await after(night)) : inMemory();
  const published = newSite({ ...configuration, ...more }, stores);
  published.setClock(nights[night - 1] ?? nights[0]);
  const { site } = stores;
  const server = createServer((request, response) => {
    const [path = "", query = ""] = (request.url ?? "/").slice(1).split("?").map(decodeURIComponent);
    void answer(path, query, response);
  });
  const answer = async (path: string, query: string, response: ServerResponse): Promise<void> => {
    world.asked.push(path);
    await world.before(path, query);
    const lie = world.lies.get(path);
    if (typeof lie === "function") return lie(response);
    const bytes = lie ?? (await site.read(path))?.body;
    const type = types[path.slice(path.lastIndexOf(".") + 1)] ?? "application/json";
    const headers = { "content-type": type, "access-control-allow-origin": "*" };
    response.writeHead(bytes === undefined ? 404 : 200, headers);
    response.end(bytes ?? "not found");
  };
  server.keepAliveTimeout = 60_000; // a connection that ends while a night is rendered would count as unreachable
  const port = await listen(server);
  const state = async (): Promise<SiteState> => {
    const found = await readState(site);
    if (found === undefined) throw new Error("nothing is published");
    return found;
  };
  const world = {
    url: `http://127.0.0.1:${port}/`,
    site,
    published,
    lies: new Map<string, Lie>(),
    /** The paths that were asked for. */
    asked: new Array<string>(),
    /** Called before an answer. */
    before: async (_path: string, _query: string): Promise<void> => undefined,
    /** The clients' clock, in milliseconds. */
    now: Date.parse(nights[night - 1] ?? nights[0]),
    client: (options?: Partial<AlmanacOptions>): Almanac =>
      createAlmanac({ url: world.url, keys: [owner.open], now: () => world.now, ...options }),
    /** Publishes the edition that is current at that instant; the clients' clock moves there too. */
    async night(at: string, signer: KeyObject = owner.secret): Promise<void> {
      world.now = Date.parse(at);
      await publishAt(published, at, signer);
    },
    state,
    /** JSON of a public path. */
    json: async (path: string): Promise<unknown> => JSON.parse((await textAt(site, path)) ?? "nothing"),
    /** The part and the object that the current state has for a path. */
    async placeOf(path: string) {
      const { manifest, pointer } = await state();
      for (const hash of Object.values(manifest.parts)) {
        const part = manifestPath(hash);
        const { object, size } = JSON.parse((await textAt(site, part)) ?? "").files[path] ?? {};
        if (object === undefined) continue;
        return { manifest: manifestPath(pointer.manifest), part, object: objectPath(object, path), size };
      }
      throw new Error(`${path} is not published`);
    },
    /** The network is gone. */
    async unplug(): Promise<void> {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => void server.close(resolve));
    },
  };
  return world;
}

/** Replacement for `localStorage` that survives from page to page. */
export function newStorage(): AlmanacStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
  };
}

/** An example of the manual, with this site and its key in place of those that it names. */
export function exampleIn(where: "page" | "node", { url }: World): string {
  const manual = readFileSync(new URL("../../../docs/client.md", import.meta.url), "utf8");
  const [, example] = new RegExp(`<!-- ${where} -->\\s+\`\`\`\\w+\\n(.*?)\`\`\``, "s").exec(manual) ?? [];
  if (example === undefined) throw new Error(`docs/client.md has no example of a ${where}`);
  return example.replaceAll("https://almanac.example/", url).replaceAll(recipeKey, owner.open);
}

/** Bytes of an earlier night, under the path that they had. */
export async function bytesAfter(night: 1 | 2 | 3, path: string): Promise<Uint8Array> {
  const stored = await (await after(night)).site.read(path);
  if (stored === undefined) throw new Error(`${path} was not there after night ${night}`);
  return stored.body;
}

/** Shows the current pointer with other fields. Without a signer it keeps the signature that it had. */
export async function pointTo(world: World, change: object, signer?: KeyObject): Promise<void> {
  const { signature, ...pointer } = (await world.state()).pointer;
  const fields = { ...pointer, ...change };
  const kept = { signature, ...fields };
  world.lies.set(pointerPath, signer === undefined ? canonical(kept) : seal(fields, signer));
}

/** Signs any fields, like a signer who trusts his input. */
export function seal(fields: object, signer: KeyObject): Uint8Array {
  return canonical({ ...fields, signature: sign(null, canonical(fields), signer).toString("base64") });
}
