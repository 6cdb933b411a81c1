// Sources of trusted dates: a time source, while its reading is recent, or an operator.
import { expect, test } from "vitest";
import { ClockAhead, renderArchive } from "../../publish/archive.ts";
import { publish, publishDue } from "../../publish/publish.ts";
import { rollback } from "../../publish/history/rollback.ts";
import { chooseState } from "../../publish/history/rollback-target.ts";
import { createTimeSource } from "../../vault/time-source.ts";
import { newSite, type PublishedSite } from "./support/published-site.ts";

const hourMs = 60 * 60_000;

/** English in New York: its day turns at five in the morning, UTC. The night is at noon of the 21st. */
async function published() {
  const site = newSite({ languages: ["en"] });
  await site.gather("2026-11-20", "2026-11-26");
  await site.night();
  let elapsedMs = 0;
  const timeSource = createTimeSource(() => elapsedMs);
  const dateShown = async () => Object(await site.json("v1/en/index.json")).date;
  return {
    site,
    timeSource,
    dateShown,
    pass: (hours: number) => void (elapsedMs += hours * hourMs),
    /** A publish by a worker with this clock. */
    publishAt: async (instant: string) => {
      site.setClock(instant);
      return publishDue({ ...site.publishing, timeSource });
    },
  };
}

const told = (date: string) => new Date(date).toUTCString();
const rendering = (site: PublishedSite) => ({
  languages: site.publishing.configuration.languages,
  evenMany: false,
});

test("without a time source, the clock is trusted, and any date that begins within 26 hours of one", async () => {
  const { timeSource, publishAt, dateShown } = await published();
  await publishAt("2026-11-22T12:00:00Z");
  expect(await dateShown()).toBe("2026-11-22");
  timeSource.record("https://service.example/base", told("2026-11-22T03:00:01Z")); // 26 hours before the 23rd begins
  expect((await publishAt("2026-11-23T05:10:00Z")).staying).toBeUndefined();
  expect(await dateShown()).toBe("2026-11-23");
  const { staying } = await publishAt("2026-11-24T05:10:00Z");
  expect(staying).toEqual([
    { language: "en", reason: expect.stringContaining("2026-11-22 03:00 UTC (service.example)") },
  ]);
  expect(await dateShown()).toBe("2026-11-23");
});

test("time elapsed since a time source's response counts, and a new process uses the stored response", async () => {
  const { site, timeSource, pass, publishAt, dateShown } = await published();
  const { store } = site.publishing.vault;
  timeSource.record("https://service.example", told("2026-11-21T12:00:00Z"));
  pass(30);
  await timeSource.save(store);
  expect((await publishAt("2026-11-23T12:00:00Z")).staying).toBeUndefined();
  expect(await dateShown()).toBe("2026-11-23");
  const begun = createTimeSource();
  expect((await begun.newest(store))?.at).toEqual(new Date("2026-11-22T18:00:00Z"));
  site.setClock("2027-11-23T12:00:00Z");
  expect((await publishDue({ ...site.publishing, timeSource: begun })).staying).toHaveLength(1);
});

test("a server without TLS, or without a time, is no time source", async () => {
  const { site, timeSource } = await published();
  for (const address of ["http://127.0.0.1:8080", "http://minio:9000", "no address"])
    timeSource.record(address, told("2026-11-21T12:00:00Z"));
  timeSource.record("https://service.example", "soon");
  expect(await timeSource.newest(site.publishing.vault.store)).toBeUndefined();
});

test("a night whose instant is far ahead does not count as a clock", async () => {
  const { site, timeSource, dateShown } = await published();
  timeSource.record("https://service.example", told("2026-11-22T12:00:00Z"));
  site.setClock("2026-11-22T12:00:00Z");
  const input = { run: "almanac-nightly", asOf: "2026-12-30T12:00:00.000Z", languages: ["en"] } as const;
  expect((await publish(input, { ...site.publishing, timeSource })).staying).toBeUndefined();
  expect(await dateShown()).toBe("2026-11-22");
});

test("an operator's confirmation of an unconfirmed date applies once", async () => {
  const { site, timeSource, publishAt, dateShown } = await published();
  timeSource.record("https://service.example", told("2026-11-21T12:00:00Z"));
  expect((await publishAt("2026-11-25T12:00:00Z")).staying).toHaveLength(1);
  const publishing = { ...site.publishing, timeSource };
  await expect(renderArchive(rendering(site), publishing)).rejects.toThrow(ClockAhead);
  expect(await dateShown()).toBe("2026-11-21");
  await renderArchive(rendering(site), { ...publishing, clockIsRight: true });
  expect(await dateShown()).toBe("2026-11-25");
  expect((await publishAt("2026-11-25T13:00:00Z")).staying).toBeUndefined();
  expect((await publishAt("2026-11-26T12:00:00Z")).staying).toHaveLength(1);
});

test("a rollback under a clock ahead pins a language to the confirmed date, and not until that clock's day", async () => {
  const { site, timeSource, publishAt } = await published();
  await publishAt("2026-11-22T12:00:00Z");
  timeSource.record("https://service.example", told("2026-11-22T12:00:00Z"));
  site.setClock("2027-12-26T12:00:00Z");
  const publishing = { ...site.publishing, timeSource };
  const to = await chooseState(undefined, { site: site.site, now: new Date("2026-11-22"), keepDays: 30 });
  const { pins } = await rollback({ to, evenMany: true, by: { by: "editor" } }, publishing);
  expect(pins).toMatchObject([{ language: "en", date: "2026-11-23" }]);
});

test("a clock ahead never puts a far future time into the pointer", async () => {
  const { site, timeSource, publishAt } = await published();
  timeSource.record("https://service.example", told("2026-11-21T12:00:00Z"));
  await publishAt("2027-12-26T12:00:00Z");
  const stored = await site.site.read("v1/pointer.json");
  const { expires } = JSON.parse(new TextDecoder().decode(stored?.body));
  expect(expires < "2026-12-07").toBe(true);
});

test("a clock set back never puts an expired time into the pointer, so no reader takes the site for frozen", async () => {
  const { site, timeSource, publishAt } = await published();
  timeSource.record("https://service.example", told("2026-11-21T12:00:00Z"));
  await publishAt("2025-10-17T12:00:00Z");
  const stored = await site.site.read("v1/pointer.json");
  const { expires } = JSON.parse(new TextDecoder().decode(stored?.body));
  expect(expires > "2026-12-04").toBe(true);
});
