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

test("the address of a dated page that has left the site gives 410 with its language's page, and any other 404", async () => {
  const site = openMemory();
  for (const [path, text] of [
    ["en/410.html", "gone"],
    ["en/404.html", "unknown"],
  ] as const)
    await site.write(path, new TextEncoder().encode(text), { type: typeOf(path) }, always);
  const server = await startPublishedServer(site, 0);
  onTestFinished(() => server.close());
  const seen = async (address: string) => {
    const response = await fetch(new URL(address, server.url));
    return [response.status, await response.text()];
  };
  for (const address of ["daily/leo/2025-01-31/", "archive/leo/2025-01/", "newsletter/2025-01-31.html"])
    expect(await seen(`en/${address}`), address).toEqual([410, "gone"]);
  for (const address of ["daily/leo/2025-01-32-1/", "daily/leo/", "nothing/2025-01-31/"])
    expect(await seen(`en/${address}`), address).toEqual([404, "unknown"]);
});
