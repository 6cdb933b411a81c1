// @ts-self-types="./almanac-reading.d.ts"
// <almanac-reading>: a published reading in any page, checked by almanac.js. docs/client.md says how it is used; npm run element
// makes one small file of it, which is published. The article itself is made in reading-article.js.
import { createAlmanac } from "./almanac.js";
import { articleOf, chooserOf, make } from "./reading-article.js";
import { style } from "./reading-style.js";

const here = import.meta.url;
const signKey = "almanac-reading sign";
const minuteMs = 60_000;
const readers = {};
let styles, chosen;

// No attribute may be the name of a property: React and Vue would set that in its place.
export class AlmanacReading extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = "url keys operation period sign with date lang follow level no-storage".split(
    " ",
  );
  #turn;
  #timer;
  #shown;

  connectedCallback() {
    this.#begin();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#begin();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#turn = undefined;
  }

  /** Coalesces attributes that change together into one request. */
  #begin() {
    const turn = (this.#turn = {});
    clearTimeout(this.#timer);
    queueMicrotask(() => void this.#load(turn));
  }

  /** Shows the reading stored by the last visit at once or, if it is out of date, only while the site is slow to respond. */
  async #load(turn) {
    const isOver = () => turn !== this.#turn;
    if (isOver()) return;
    const [site, kept] = this.#readers();
    const seeking = this.#seek(site).catch((reason) => ({ reason }));
    const last = await this.#seek(kept).catch(() => {});
    const patience = new Promise((done) => setTimeout(done, this.#ageOf(last?.data) && 1_500));
    if (last?.data && !(await Promise.race([seeking, patience])) && !isOver()) this.#show(last);
    const found = await seeking;
    if (isOver()) return;
    this.#show(found);
    const dueMs = found.reason ? 0 : Date.parse(found.data?.nextAt) - Date.now();
    const nextMs = Math.min(Math.max(dueMs || 0, 10 * minuteMs), 2 ** 30);
    this.#timer = setTimeout(() => this.#begin(), nextMs + Math.random() * minuteMs);
    this.dispatchEvent(new CustomEvent("reading", { detail: found }));
  }

  /** Two clients: one that reads the site, shared by all elements of a page, and one that has only stored data. */
  #readers() {
    const [url, keys, mute] = this.#given("url", "keys", "no-storage");
    const options = { url: this.#root(), keys: keys?.split(/[\s,]+/), storage: mute ?? storage() };
    const fetch = async () => {
      throw Error();
    };
    return (readers[[url, keys, mute]] ??= [createAlmanac(options), createAlmanac({ ...options, fetch })]);
  }

  #root() {
    return new URL(this.getAttribute("url") ?? new URL("..", here), document.baseURI);
  }

  async #seek(almanac) {
    const [partner, date] = this.#given("with", "date");
    const operation = this.#operation();
    const language = await this.#language(almanac);
    const sign = this.#sign();
    const [, period] = /^(\w+)-horoscope$/.exec(operation) ?? [];
    const ask = { language, operation, period, date, sign, sign1: sign, sign2: partner };
    const isAsked = sign || !(period || partner) || !this.#follows("sign");
    const [found, words] = await Promise.all([
      isAsked && almanac[partner ? "pair" : period ? "horoscope" : "cards"](ask),
      almanac.words({ language }).then(
        ({ data }) => data,
        () => ({}), // without labels, the texts are shown without headings
      ),
    ]);
    return { ...found, words };
  }

  #given(...names) {
    return names.map((name) => this.getAttribute(name) ?? undefined);
  }

  #follows(what) {
    return this.matches(`[follow~=${what}]`);
  }

  #operation() {
    const [operation, period = "daily", partner] = this.#given("operation", "period", "with");
    return operation ?? (partner ? "love-compatibility" : `${period}-horoscope`);
  }

  #sign() {
    if (!this.#follows("sign")) return this.getAttribute("sign");
    return (chosen ??= storage()?.getItem(signKey)) || this.getAttribute("sign");
  }

  /** The first of the visitor's languages that has the reading, else the language of the surrounding page. */
  async #language(almanac) {
    const baseOf = (tag) => tag.split(/[-_]/)[0].toLowerCase();
    const usual = baseOf(this.closest("[lang]")?.lang || "en");
    if (!this.#follows("language")) return usual;
    const { languages } = (await almanac.document("v1/index.json")).data;
    const has = (one) =>
      languages.some(({ language, newest }) => language === one && newest[this.#operation()]);
    return navigator.languages.map(baseOf).find(has) ?? usual;
  }

  /** How many periods ago it was the current text; a requested date never counts as past. */
  #ageOf({ validFrom, validUntil } = {}) {
    const until = Date.parse(validUntil);
    const age = Math.ceil((Date.now() - until) / (until - Date.parse(validFrom)));
    return age > 0 && !this.hasAttribute("date") ? age : 0;
  }

  /** An error in a document leaves the current content. */
  #show({ data, words = {} }) {
    const about = {
      level: Number(this.getAttribute("level") ?? 2),
      age: this.#ageOf(data),
      root: this.#root(),
    };
    const shown = JSON.stringify([data, words, about, this.#follows("sign")]);
    if (shown === this.#shown) return; // somebody may be reading it
    this.#shown = shown;
    try {
      const article = data ? articleOf(data.reading, words, about) : make("slot");
      const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
      if (!styles) (styles = new CSSStyleSheet()).replaceSync(style);
      root.adoptedStyleSheets = [styles];
      root.querySelector("article,slot")?.remove();
      root.append(article);
      this.#showChooser(root, words);
    } catch {}
  }

  /** The chooser stays the same element, so it keeps the focus. */
  #showChooser(root, words) {
    const there = root.querySelector("label");
    if (there?.lang === words.language && this.#follows("sign")) return;
    there?.remove();
    if (this.#follows("sign") && words.signs)
      root.prepend(chooserOf(words, this.#sign(), (sign) => this.#choose(sign)));
  }

  /** Stores the sign on the visitor's device, if the page may store data, for all elements that follow it. */
  #choose(sign) {
    chosen = sign;
    try {
      if (!this.hasAttribute("no-storage")) localStorage.setItem(signKey, sign);
    } catch {}
    for (const one of document.querySelectorAll("almanac-reading[follow~=sign]"))
      one.attributeChangedCallback();
  }
}

/** Undefined if the page may not store data. */
function storage() {
  try {
    return localStorage;
  } catch {}
}

if (!globalThis.customElements?.get("almanac-reading"))
  globalThis.customElements?.define("almanac-reading", AlmanacReading);
