// A browser reads a page's data block under the page's own policy, which no specification settles.
import { createServer } from "node:http";
import { text as readText } from "node:stream/consumers";
import { expect, test } from "vitest";
import { settings, textOf, wholeEdition, renderLanguage } from "../site/editions.ts";
import { openInBrowser } from "./support/browser.ts";
import { listen } from "../support/ends.ts";

test("a page's policy allows its data block, and blocks the same block as a script", async () => {
  const page = textOf(
    renderLanguage(wholeEdition("en", ["daily-tarot"]), settings),
    "en/daily-tarot/index.html",
  );
  const policy = /http-equiv="content-security-policy" content="([^"]+)"/.exec(page)?.[1] ?? "";
  const asScript = page.replace('<script type="application/ld+json">', "<script>");
  expect(asScript).not.toBe(page);
  const { promise: stopped, resolve: told } = Promise.withResolvers<string>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { method, url = "" } = request;
    asked.push(`${method} ${url}`);
    if (method === "POST") void readText(request).then(told);
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.setHeader("content-security-policy", `${policy};report-uri /stopped-on${url}`);
    if (url === "/data") response.setHeader("refresh", "0; url=/script");
    response.end(url === "/data" ? page : asScript);
  });
  const port = await listen(server);
  await openInBrowser(`http://127.0.0.1:${port}/data`);
  expect(JSON.parse(await stopped)).toMatchObject({
    "csp-report": { "effective-directive": "script-src-elem", "blocked-uri": "inline" },
  });
  expect(asked.filter((one) => one.startsWith("POST"))).toEqual(["POST /stopped-on/script"]);
  expect(asked.slice(0, 1)).toEqual(["GET /data"]);
});
