// The server of `almanac serve` and `almanac local`: the links of the pages lead somewhere.
import { expect, onTestFinished, test } from "vitest";
import { typeOf } from "../../site/edition.ts";
import { startPublishedServer } from "../../worker/site-server.ts";
import { always } from "../../store/store.ts";
import { openMemory } from "../support/memory.ts";

test("the site is served below the path of its URL, as its links expect", async () => {
  const site = openMemory();
  const path = "en/index.html";
  await site.write(path, new TextEncoder().encode("<p>front</p>"), { type: typeOf(path) }, always);
  const server = await startPublishedServer(site, 0, "https://press.example/stars");
  onTestFinished(() => server.close());
  expect(new URL(server.url).pathname).toBe("/stars/");
  const page = await fetch(new URL("/stars/en/", server.url));
  expect([page.status, await page.text()]).toEqual([200, "<p>front</p>"]);
  expect((await fetch(new URL("/en/", server.url))).status).toBe(404);
});
