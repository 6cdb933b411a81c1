// What a person accepted stands, whatever the sheet gates think of it.
import { expect, test } from "vitest";
import type { Capture } from "../../vault/capture.schema.ts";
import type { Dependencies } from "../../activities/dependencies.ts";
import { judgeSheet } from "../../activities/sheet-judgement.ts";
import { sha256 } from "../../vault/sha256.ts";
import { day, horoscopeData } from "../support/answers.ts";
import { composed } from "../support/composed.ts";

const sheet = `daily/${day}/en/daily-horoscope`;
const run = "almanac-nightly-2026-11-21";
const accepted = { by: "editor", at: "2026-11-21T12:00:00.000Z", why: "the service has one text for both" };

function world(): Dependencies {
  return composed().dependencies;
}

function captureOf(sign: string, more: Partial<Capture> = {}): Capture {
  const body = JSON.stringify({ success: 1, data: horoscopeData(["The same text for two signs."]) });
  return {
    format: 1,
    key: `${sheet}/${sign}`,
    address: "http://127.0.0.1/",
    receivedAt: "2026-11-21T03:05:00.000Z",
    tries: 1,
    run,
    bodyHash: sha256(new TextEncoder().encode(body)),
    body,
    notes: [],
    ...more,
  };
}

test("an accepted reading keeps its place; the one that is like it loses its own", async () => {
  const dependencies = world();
  await dependencies.vault.keep(captureOf("aries", { accepted }));
  await dependencies.vault.keep(captureOf("leo"));
  const judged = await judgeSheet({ sheet, run, last: false }, dependencies);
  expect(judged).toEqual({ again: [`${sheet}/leo`], setAside: [] });
  expect(await dependencies.vault.held("")).toEqual([`${sheet}/aries`]);
});

test("two accepted ones that are alike stand", async () => {
  const dependencies = world();
  await dependencies.vault.keep(captureOf("aries", { accepted }));
  await dependencies.vault.keep(captureOf("leo", { accepted }));
  expect(await judgeSheet({ sheet, run, last: true }, dependencies)).toEqual({ again: [], setAside: [] });
  expect(await dependencies.vault.held("")).toHaveLength(2);
});
