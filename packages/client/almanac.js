// @ts-self-types="./almanac.d.ts"
// Reads and verifies the files that Almanac publishes: see docs/client.md.

export class AlmanacError extends Error {
  constructor(name, message) {
    super(message.replace(/\p{C}/gu, " ")); // it can quote the site
    this.name = name;
  }
}

const pathForm = /^(v1\/(schemas\/)?|(v1\/)?[a-z]{2,3}(-[a-z\d]+)*\/([a-z\d-]+\/)*)[a-z\d-]+\.[a-z\d]+$/;
const unsafePath = /.{200}|(^|\/)(con|prn|aux|nul|(com|lpt)\d)[/.]/;

/** Under v1/ or a language; safe as a name in file systems, addresses, templates and objects. */
export const isPublishedPath = (path) => pathForm.test(path) && !unsafePath.test(path);

export function createAlmanac(options) {
  const site = new Site(options);
  return {
    horoscope: (ask) => site.show(pathOf(ask, ask.period), `${ask.sign}`),
    horoscopes: (ask) => site.show(pathOf(ask, ask.period)),
    cards: (ask) => site.show(pathOf(ask, ask.operation)),
    pair: ({ language, sign1, sign2 }) =>
      site.show(`v1/${language}/love-compatibility/${sign1}-${sign2}.json`),
    words: ({ language }) => site.show(`v1/${language}/words.json`),
    document: (path) => site.show(path),
    state: (isWanted) => named(site.state(isWanted)),
  };
}

class Site {
  memory = new Map();
  manifests = {};

  constructor({ url, keys, storage, fetch = globalThis.fetch, now = Date.now, timeoutMs = 10_000 }) {
    const root = String(url).replace(/\/*$/, "/");
    const trusted = keys?.map((key) => key.replace(/-----[^-]+-----|\s/g, ""));
    Object.assign(this, { root, trusted, storage, fetch, now, timeoutMs });
  }

  /** Falls back to the last good one. */
  async show(path, sign) {
    const name = `${path} ${sign}`;
    try {
      // calls made together see one state
      const { version, key, parts } = await (this.looking ??= this.look().finally(() => delete this.looking));
      const document = await this.read(path, parts);
      const shown = { data: sign === undefined ? document : only(sign, document), version, key };
      await this.keep(name, shown);
      return { ...shown, stale: false };
    } catch (error) {
      const reason = reasonOf(error);
      const last = await this.kept(name);
      if (!last || reason.name === "Unsupported") throw reason;
      if (reason.name !== "NotPublished") return { ...last, stale: true, reason };
      await this.keep(name, null); // withdrawn: not shown again
      throw reason;
    }
  }

  /** The published state, or only the wanted parts. */
  async state(isWanted = () => true) {
    const { parts, ...about } = await this.look();
    const files = Object.create(null);
    let count = 0;
    for (const [, hash] of parts.filter(([part]) => isWanted(part))) {
      const part = await this.manifest(hash);
      for (const [path, { object, size, type }] of Object.entries(part.files)) {
        if (++count > 1e6) refuse("TooLarge", "a million files");
        if (isPublishedPath(path)) files[path] = { object, size, type };
      }
    }
    return { ...about, files, document: (path) => named(this.object(files, path)) };
  }

  async look() {
    if (!globalThis.crypto?.subtle) refuse("Unsupported", "no crypto.subtle: use https");
    const pointer = known(await this.get(pointerPath, 4096));
    const { version, manifest: hash, expires } = pointer;
    const key = this.trusted && (await signerOf(pointer, this.trusted));
    const at = this.now();
    let last = await this.kept("");
    // Without a key, a version proves only a plausible step, until older states have expired.
    if (!key && !(at - last?.at < 14 * dayMs)) last = { version: 0, at: Date.UTC(2026) };
    if (version < last?.version) refuse("RolledBack", `${version} after ${last.version}`);
    if (!(Date.parse(expires) > at)) refuse("Frozen", `expired ${expires}`);
    if (!this.manifests[hash]) this.manifests = {};
    const manifest = known(await this.manifest(hash, 2 ** 20)); // decades of nights
    if (manifest.version !== version) refuse("Mixed", `${version} names ${manifest.version}`);
    const parts = Object.entries(manifest.parts);
    if (key || version - last.version < 1e3 * (1 + (at - last.at) / dayMs))
      await this.keep("", { version, key, at });
    return { version, key, expires, parts };
  }

  async read(path, parts) {
    const [language] = path.replace("v1/", "").split("/");
    const [, year, month = "01"] = /\/(\d{4})-?(\d\d)?[-\d]*[/.]/.exec(path) ?? [];
    for (const group of [`${language}/${year ? `${year}-${month}` : "current"}`, "shared"]) {
      for (const [, hash] of parts.filter(([part]) => part.replace(/~\d+$/, "") === group).slice(0, 99)) {
        const { files } = await this.manifest(hash);
        if (Object.hasOwn(files, path)) return this.object(files, path);
      }
    }
    return refuse("NotPublished", path);
  }

  async object(files, path) {
    if (!isPublishedPath(path) || !Object.hasOwn(files, path)) refuse("NotPublished", path);
    const { object, size } = files[path];
    return requireSet(await this.get(`v1/objects/${object}.json`, Math.min(size, 2 ** 22), object, path));
  }

  async manifest(hash, most = 2 ** 18) {
    return (this.manifests[hash] ??= await this.get(`v1/manifests/${hash}.json`, most, hash));
  }

  /** A host with few files has no objects: the public path must have the same bytes. */
  async get(path, most, hash, publicPath) {
    const pieces = [];
    let size = 0;
    try {
      const { root, fetch, timeoutMs } = this;
      const init = { signal: AbortSignal.timeout(timeoutMs) };
      let answer = await fetch(root + path, init);
      if (!answer.ok && publicPath) answer = await fetch(root + publicPath, { ...init, cache: "no-cache" });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      const reader = answer.body.getReader();
      while (size <= most) {
        const { done, value } = await reader.read();
        if (done) break;
        pieces.push(value);
        size += value.length;
      }
      reader.cancel().catch(() => {});
    } catch ({ message }) {
      refuse("Unreachable", `${this.root}${path}: ${message}`);
    }
    if (size > most) refuse("TooLarge", path);
    const file = new Blob(pieces);
    if (path !== pointerPath && (await sha256(file)) !== hash) refuse("Mixed", path);
    return JSON.parse(await file.text(), (name, value) => (name === "__proto__" ? undefined : value));
  }

  /** Ignores keys that are not trusted now. */
  async kept(name) {
    try {
      const found = JSON.parse(
        this.memory.get(name) ?? (await this.storage.getItem(`almanac ${this.root}${name}`)),
      );
      return (!this.trusted || this.trusted.includes(found.key)) && found;
    } catch {}
  }

  async keep(name, value) {
    const { memory } = this;
    const text = JSON.stringify(value);
    memory.delete(name);
    memory.set(name, text);
    if (memory.size > 500) memory.delete(memory.keys().next().value);
    try {
      await this.storage.setItem(`almanac ${this.root}${name}`, text);
    } catch {} // none, full or forbidden
  }
}

const pointerPath = "v1/pointer.json";
const dayMs = 864e5;

const reasonOf = (error) =>
  error instanceof AlmanacError ? error : new AlmanacError("UnknownFormat", error.message);

const named = (promise) => promise.catch((error) => Promise.reject(reasonOf(error)));

function refuse(name, message) {
  throw new AlmanacError(name, message);
}

/** The period that contains a date. */
function pathOf({ language, date }, kind) {
  const day = kind === "weekly" && Date.parse(date) / dayMs;
  const sunday = day && new Date((day - ((day + 4) % 7)) * dayMs).toISOString().slice(0, 10);
  const key = sunday || date?.slice(0, { monthly: 7, yearly: 4 }[kind]);
  return `v1/${language}/${kind}/${key ?? "latest"}.json`;
}

function only(sign, { readings, withdrawn, ...data }) {
  delete data.$schema; // the set's schema
  if (Object.hasOwn(readings, sign)) return { ...data, reading: readings[sign] };
  return refuse("NotPublished", withdrawn?.includes(sign) ? `${sign} was withdrawn` : sign);
}

function known(file) {
  if (file.format === 1 && Number.isSafeInteger(file.version)) return file;
  return refuse("UnknownFormat", `format ${file.format}: take a newer almanac.js`);
}

/** The key that signed the rest. */
async function signerOf({ signature, ...rest }, trusted) {
  for (const key of /^[\w+/]{86}==$/.test(signature) ? trusted : []) {
    let made;
    try {
      made = await crypto.subtle.importKey("spki", bytesOf(atob(key)), "Ed25519", false, ["verify"]);
    } catch {
      refuse("Unsupported", "no Ed25519, or a wrong key");
    }
    if (await crypto.subtle.verify("Ed25519", made, bytesOf(atob(signature)), bytesOf(canonical(rest))))
      return key;
  }
  return refuse("Forged", "signed by none of the keys");
}

/** The name is a hash of the readings; a sign's own file has one. */
async function requireSet(document) {
  const { set, readings, reading } = document;
  for (const [name, it = {}] of Object.entries(readings ?? { reading })) {
    const words = [name, it.language, it.operation, it.period, it.sign, it.sign1, it.sign2];
    if (!/^[\w,-]+$/.test(words)) refuse("UnknownFormat", name); // pages are named by them
  }
  if (!set || reading?.family === "horoscope") return document;
  const hashes = await Promise.all(Object.values(readings ?? [reading]).map((one) => sha256(canonical(one))));
  if ((await sha256(hashes.sort().join("\n"))) === set) return document;
  return refuse("Mixed", `not of set ${set}`);
}

/** The form that is hashed and signed. */
function canonical(value) {
  const names = [""];
  JSON.stringify(value, (name, inner) => names.push(name) && inner);
  return JSON.stringify(value, names.sort());
}

const bytesOf = (ascii) => Uint8Array.from(ascii, (letter) => letter.charCodeAt(0));

async function sha256(data) {
  const hash = await crypto.subtle.digest("SHA-256", await new Blob([data]).arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
