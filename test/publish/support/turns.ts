// The scenarios of the crash tests that go through turn() itself: it reads captures and presses for real, in every run.
import { publishTurn } from "../../../publish/publish.ts";
import { firstDate, operationsIn, secondDate } from "./nights.ts";
import {
  allLanguages,
  type Before,
  empty,
  evening,
  lateEvening,
  night,
  once,
  type Scenario,
} from "./scenarios.ts";
import { captureOf } from "../../support/captures.ts";
import { bytes } from "../../support/stores.ts";
import { addDays } from "../../../readings/periods.ts";

const withCaptures: Before = async () => {
  const { site, vault } = await allLanguages();
  return { site, vault: new Map([...vault, ...captures()]) };
};
function captures(): [string, Uint8Array][] {
  return (["en", "de", "ar"] as const).flatMap((language) =>
    [firstDate, secondDate].flatMap((period) =>
      operationsIn(language).map((operation): [string, Uint8Array] => {
        const capture = captureOf(
          { operation, language, period },
          {},
          { receivedAt: `${addDays(period, -1)}T08:05:17.000Z` },
        );
        return [`captures/${capture.key}.json`, bytes(JSON.stringify(capture))];
      }),
    ),
  );
}
const aWeekEarlier = new Date("2026-11-13T21:10:00.000Z");

/** Of 14 days fewer than half are left. */
export const renewing: Scenario = {
  name: "renewing",
  before: once(empty, aWeekEarlier, night(firstDate, ["en", "de", "ar"])),
  at: new Date(evening.getTime() + 60_000),
  publishers: [publishTurn],
};

export const turning: Scenario = {
  name: "turn() from a vault of captures",
  before: withCaptures,
  at: lateEvening,
  publishers: [publishTurn],
  varies: ["asOf"],
};
