import fc from "fast-check";
import { expect, test } from "vitest";
import { foreignPictures } from "../../packages/sandbox/foreign-pictures.ts";
import { Address } from "../../site/address.ts";
import { dataBlock, html, ownMarkup } from "../../site/html.ts";
import { pathOf } from "../../site/paths.ts";
import { anyText } from "../support/any-text.ts";

const hostile = fc.oneof(
  anyText(),
  fc.constantFrom(
    `"><script>alert(1)</script>`,
    `' onload='alert(1)`,
    "</title></style><img src=x onerror=alert(1)>",
    "<!--",
    "&lt;b&gt;",
    "{{constructor}}${7*7}<%= 7*7 %>",
    "javascript:alert(1)",
    "\u202Edrawkcab\u2066\u2067",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "]]>",
    "\u0000",
    "\uD800",
    "a".repeat(50_000),
  ),
);

function readBack(escaped: string): string {
  return escaped
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

test("no text escapes its element or its attribute, and none of it is lost", () => {
  fc.assert(
    fc.property(hostile, hostile, (text, attribute) => {
      const page = html`<p title="${attribute}">${text}</p>`.toString();
      const inAttribute = page.slice('<p title="'.length, page.indexOf('">'));
      const inText = page.slice(page.indexOf('">') + 2, -"</p>".length);
      expect(inAttribute).not.toMatch(/["<>]/);
      expect(inText).not.toMatch(/[<>]/);
      expect(readBack(inAttribute)).toBe(attribute);
      expect(readBack(inText)).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

test("adjacent texts, lists and nested templates stay separate as well", () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (texts) => {
      const items = texts.map((text) => html`<li title="${text}">${text}${text}</li>`);
      const list = html`<ul>${items}</ul>`.toString();
      const tags = list.replaceAll(/="[^"]*"|[^<>]+(?=<)/g, "");
      expect(tags).toBe(`<ul>${"<li title></li>".repeat(texts.length)}</ul>`);
    }),
    { numRuns: 500 },
  );
});

test("a template's result is used unchanged, lists are joined and nothing renders as nothing", () => {
  expect(html`<p>${["a & b", 2, undefined, false, html`<b>${"<"}</b>`]}</p>`.toString()).toBe(
    "<p>a &amp; b2<b>&lt;</b></p>",
  );
});

test("only one function marks our own markup, and text that looks like markup is escaped", () => {
  expect(html`<p>${ownMarkup("<i>x</i>")}${"<i>x</i>"}</p>`.toString()).toBe(
    "<p><i>x</i>&lt;i&gt;x&lt;/i&gt;</p>",
  );
});

test("href and src take only an address that was checked", () => {
  const address = Address.link("https://cards.example/a?b=1&c=2");
  expect(address).toBeDefined();
  expect(html`<a href="${address}">x</a>`.toString()).toBe(
    '<a href="https://cards.example/a?b=1&amp;c=2">x</a>',
  );
  expect(() => html`<a href="${"https://cards.example/"}">x</a>`).toThrow("only a checked URL");
  expect(() => html`<img src="${undefined}" alt="" />`).toThrow("only a checked URL");
});

test("no text escapes a data block, and JSON reads all of it back", () => {
  const outOfScript = fc.constantFrom(
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>",
    "\u2028",
    "&lt;",
  );
  fc.assert(
    fc.property(fc.oneof(hostile, outOfScript), hostile, (text, name) => {
      const block = dataBlock({ text, [`${name}.`]: [text] }).toString();
      const inside = /^<script type="application\/ld\+json">(.*)<\/script>$/s.exec(block)?.[1] ?? "";
      expect(inside).not.toMatch(/[<>&\u2028\u2029\u0000-\u001F]/);
      expect(JSON.parse(inside)).toEqual({ text, [`${name}.`]: [text] });
    }),
    { numRuns: 1000 },
  );
});

test("a template with a value where no escaping helps throws on its first use", () => {
  const value = "x";
  // Written with another tag name, so that no formatter makes them good.
  const tag = html;
  expect(() => tag`<p ${value}></p>`).toThrow("no value is safe after");
  expect(() => tag`<p class=${value}></p>`).toThrow("no value is safe after");
  expect(() => tag`<p onclick="${value}"></p>`).toThrow("no value is safe after");
  expect(() => tag`<p style="${value}"></p>`).toThrow("no value is safe after");
  expect(() => tag`<iframe srcdoc="${value}"></iframe>`).toThrow("no value is safe after");
  expect(() => tag`<a href="/x/${value}"></a>`).toThrow("no value is safe after");
  expect(() => tag`<script>${value}</script>`).toThrow("no value is safe after");
  expect(() => tag`<style>${value}</style>`).toThrow("no value is safe after");
  expect(() => tag`<p title='${value}'></p>`).toThrow("an unexpected '");
  expect(() => tag`<p title="${value}"`).toThrow("ends inside a tag");
});

test("links go by http and https, pictures by https from listed hosts, and by nothing else", () => {
  const allowed = (text: string, use: "link" | "image") =>
    (use === "link" ? Address.link(text) : Address.picture(text, ["cards.example"])) !== undefined;
  expect(allowed("https://cards.example/a.jpg", "image")).toBe(true);
  expect(allowed("http://cards.example/a.jpg", "image")).toBe(false);
  for (const foreign of [...foreignPictures, "http://[::1]/a.jpg", "http://127.0.0.1.cards.example/a.jpg"])
    expect([foreign, allowed(foreign, "image")]).toEqual([foreign, false]);
  expect(allowed("http://cards.example/", "link")).toBe(true);
  for (const text of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "//cards.example/a.jpg",
    pathOf({ row: "icon" }),
    "",
  ]) {
    expect([text, allowed(text, "link"), allowed(text, "image")]).toEqual([text, false, false]);
  }
});

test("every accepted address begins with an allowed scheme", () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.constantFrom("javascript:", "data:,")), (text) => {
      const link = Address.link(text);
      expect(link === undefined || /^https?:\/\//.test(link.href)).toBe(true);
    }),
  );
});
