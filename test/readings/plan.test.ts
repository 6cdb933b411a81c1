import { describe, expect, it } from "vitest";
import { type Configuration, configurationSchema } from "../../readings/configuration.schema.ts";
import { languagesOf, signs } from "../../readings/tables.ts";
import { byUrgency, readersRank, type PlanLine } from "../../readings/plan-order.ts";
import { addDays } from "../../readings/calendar.ts";
import { makePlan, type Plan, type PlanInput } from "../../readings/plan.ts";
import { requestOf, setKey } from "../../readings/request.ts";
import { allRequests } from "../support/requests.ts";

const people = [{ id: "reader-1", fullName: "Given Family", birthDate: "1990-07-05" }];
const whole = configurationSchema.parse({ people });
const night = new Date("2026-11-21T03:05:00Z");

/** A vault that keeps every answer, as the plan sees it. */
class Vault {
  readonly keys = new Set<string>();

  plan(instant: Date, input: Partial<PlanInput> = {}): Plan {
    return makePlan({ configuration: whole, instant, held: (key) => this.keys.has(key), ...input });
  }

  keep(lines: readonly PlanLine[]): void {
    for (const { key } of lines) this.keys.add(key);
  }
}

function keys(lines: readonly PlanLine[]): string[] {
  return lines.map(({ key }) => key);
}

function later(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * 86_400_000);
}

function configured(input: Parameters<typeof configurationSchema.parse>[0]): Configuration {
  return configurationSchema.parse(input);
}

describe("night after night", () => {
  it("requests everything on the first night, and nothing on a second run of the same night", () => {
    const vault = new Vault();
    const first = vault.plan(night);
    expect(first.due.length).toBeGreaterThan(4500);
    expect(new Set(keys(first.due)).size).toBe(first.due.length);
    expect(first).toMatchObject({ held: 0, outOfReach: [], leftOut: [], waiting: [] });
    vault.keep(first.due);
    const second = vault.plan(night);
    expect(second.due).toEqual([]);
    expect(second.held).toBe(first.due.length);
  });

  it("requests tomorrow's texts and the pairs of the day on the next night, and nothing else", () => {
    const vault = new Vault();
    vault.keep(vault.plan(night).due);
    const next = vault.plan(later(night, 1));
    const kinds = Map.groupBy(next.due, ({ request }) => request.operation);
    expect(kinds.get("daily-horoscope")).toHaveLength(languagesOf("daily-horoscope").length * signs.length);
    expect(kinds.get("egyptian-prediction")).toHaveLength(languagesOf("egyptian-prediction").length);
    expect(kinds.get("daily-tarot-legacy")).toHaveLength(1);
    expect(kinds.get("love-compatibility")?.length).toBeGreaterThanOrEqual(21);
    expect(kinds.get("love-compatibility")?.length).toBeLessThanOrEqual(42);
    for (const operation of [
      "weekly-horoscope",
      "yearly-horoscope",
      "which-animal-are-you-reading",
    ] as const) {
      expect(kinds.has(operation)).toBe(false);
    }
    const ahead = next.due.filter(({ dueAt }) => dueAt > later(night, 1));
    expect(ahead).toEqual(next.due.filter(({ request }) => request.operation !== "love-compatibility"));
  });

  it("requests each text once in 400 nights and each pair once per season, and spreads pairs over all nights", () => {
    const configuration = configured({ languages: ["en", "uk", "ar", "hi"] });
    const vault = new Vault();
    const counts = new Map<string, number>();
    let mostPairs = 0;
    for (let day = 0; day < 400; day++) {
      const { due, outOfReach } = vault.plan(later(night, day), { configuration });
      expect(outOfReach).toEqual([]);
      vault.keep(due);
      for (const { request } of due) counts.set(setKey(request), (counts.get(setKey(request)) ?? 0) + 1);
      const pairs = due.filter(({ request }) => request.operation === "love-compatibility").length;
      if (day > 0) mostPairs = Math.max(mostPairs, pairs);
    }
    expect(mostPairs).toBeLessThanOrEqual(6);
    for (let date = "2026-11-22"; date < "2027-12-25"; date = addDays(date, 1)) {
      expect(counts.get(`daily/${date}/uk/daily-horoscope`)).toBe(12);
      expect(counts.get(`daily/${date}/ar/daily-tarot`)).toBe(1);
    }
    for (const season of ["2027-Q1", "2027-Q2", "2027-Q3"]) {
      expect(counts.get(`seasonal/${season}/hi/love-compatibility`)).toBe(144);
    }
    expect(counts.get("weekly/2027-03-28/ar/weekly-horoscope")).toBe(12);
    expect(counts.get("monthly/2027-02/uk/monthly-horoscope")).toBe(12);
    expect(counts.get("yearly/2027/en/yearly-horoscope")).toBe(12);
  });

  it("requests only the missing sign", () => {
    const vault = new Vault();
    vault.keep(vault.plan(night).due);
    vault.keys.delete("daily/2026-11-22/hi/daily-horoscope/leo");
    expect(keys(vault.plan(night).due)).toEqual(["daily/2026-11-22/hi/daily-horoscope/leo"]);
  });

  it("counts each language's operations so that every request stands in one place", () => {
    const vault = new Vault();
    const { due } = vault.plan(night);
    vault.keep(due.filter((_, place) => place % 3 === 0));
    const quarantined = (key: string) => (key.endsWith("leo") ? ("wait" as const) : undefined);
    const configuration = { ...whole, service: { ...whole.service, callsPerDay: 1000 } };
    const after = vault.plan(night, { configuration, quarantined });
    const sum = (field: "due" | "calls" | "held" | "outOfReach" | "waiting") =>
      after.rows.reduce((total, row) => total + row[field], 0);
    expect(after.rows).toHaveLength(allRequests.length);
    expect(sum("held")).toBe(after.held);
    expect(sum("calls")).toBe(1000);
    expect(sum("due")).toBe(after.due.length + after.leftOut.length);
    expect(sum("waiting")).toBe(after.waiting.length);
    expect(after.waiting.length).toBeGreaterThan(0);
    expect(sum("due") + after.held + after.waiting.length).toBe(due.length);
    const done = after.rows.map(({ doneAt }) => doneAt?.getTime() ?? 0);
    expect(Math.max(...done)).toBe(after.forecast.doneAt?.getTime());
  });
});

describe("the reason of a line", () => {
  const one = configured({
    languages: ["hi"],
    operations: ["love-compatibility"],
    pairs: [["leo", "aries"]],
  });
  const reasonsOf = (held: readonly string[], input: Partial<PlanInput> = {}) =>
    makePlan({ configuration: one, instant: night, held: (key) => held.includes(key), ...input }).due.map(
      ({ key, reason }) => `${key} ${reason}`,
    );
  const key = "seasonal/2026-Q4/hi/love-compatibility/leo-aries";

  it("is missing if nothing is stored, and expired if the pair's text is last season's", () => {
    const instant = new Date("2026-12-28T03:05:00Z");
    expect(reasonsOf([], { instant })).toEqual([`${key} missing`]);
    expect(reasonsOf([key.replace("Q4", "Q3")], { instant })).toEqual([`${key} expired`]);
    expect(reasonsOf([key], { instant })).toEqual([]);
  });

  it("is retried for quarantined requests that are due again; others wait and cost no call", () => {
    const instant = new Date("2026-12-28T03:05:00Z");
    expect(reasonsOf([], { instant, quarantined: () => "due" })).toEqual([`${key} retried`]);
    const { due, waiting, forecast } = makePlan({
      configuration: one,
      instant,
      held: () => false,
      quarantined: () => "wait",
    });
    expect(due).toEqual([]);
    expect(waiting.map(({ reason }) => reason)).toEqual(["waiting"]);
    expect(forecast.calls).toBe(0);
  });

  it("is out of reach for a backfill's dates that the service no longer or not yet gives", () => {
    const configuration = configured({
      languages: ["gu", "uk"],
      operations: ["daily-horoscope", "daily-tarot"],
    });
    const dates = { from: "2026-11-18", to: "2026-11-24" };
    const { due, outOfReach } = makePlan({ configuration, instant: night, held: () => false, dates });
    const datesOf = (lines: readonly PlanLine[], operation: string) => [
      ...new Set(
        lines.filter((line) => line.request.operation === operation).map((line) => line.request.period),
      ),
    ];
    expect(datesOf(due, "daily-horoscope").toSorted()).toEqual(["2026-11-20", "2026-11-21", "2026-11-22"]);
    expect(datesOf(outOfReach, "daily-horoscope")).toEqual([
      "2026-11-18",
      "2026-11-19",
      "2026-11-23",
      "2026-11-24",
    ]);
    expect(datesOf(due, "daily-tarot").toSorted()).toEqual(["2026-11-21", "2026-11-22"]);
    expect(new Set(outOfReach.map(({ reason }) => reason))).toEqual(new Set(["out of reach"]));
    expect(due.length + outOfReach.length).toBe(7 * (signs.length + 1));
  });
});

describe("the moments of a line", () => {
  it("are its deadline for readers, and the last time at which it can be requested, in the language's zone", () => {
    const { due } = new Vault().plan(night);
    const moments = (key: string) => {
      const line = due.find((one) => one.key === key);
      return [line?.dueAt.toISOString(), line?.lastMoment.toISOString()];
    };
    const now = night.toISOString();
    expect(moments("daily/2026-11-21/ja/daily-horoscope/leo")).toEqual([now, "2026-11-22T15:00:00.000Z"]);
    expect(moments("daily/2026-11-22/ja/daily-horoscope/leo")).toEqual([
      "2026-11-21T15:00:00.000Z",
      "2026-11-23T15:00:00.000Z",
    ]);
    expect(moments("daily/2026-11-22/ja/daily-tarot/reading")).toEqual([
      "2026-11-21T15:00:00.000Z",
      "2026-11-22T15:00:00.000Z",
    ]);
    expect(moments("weekly/2026-11-22/hi/weekly-horoscope/leo")).toEqual([
      "2026-11-21T18:30:00.000Z",
      "2026-12-05T18:30:00.000Z",
    ]);
    expect(moments("once/always/hi/which-animal-are-you-reading/reader-1")).toEqual([
      now,
      "9999-12-31T00:00:00.000Z",
    ]);
  });
});

describe("the order of a plan", () => {
  const { due } = new Vault().plan(night);

  it("is by deadline, then by due time, then by readers' interest", () => {
    for (const [place, line] of due.entries()) {
      const next = due[place + 1];
      if (next === undefined) break;
      const difference =
        byUrgency(line, next) || readersRank(line.request.operation) - readersRank(next.request.operation);
      expect(difference).toBeLessThanOrEqual(0);
    }
    expect(
      ["daily-horoscope", "weekly-horoscope", "wisdom-reading"].map((operation) => operation),
    ).toHaveLength(3);
  });

  it("keeps the lines of a set together", () => {
    const sets = due.map(({ request }) => (request.operation.endsWith("-horoscope") ? setKey(request) : ""));
    const changes = sets.filter((set, place) => set !== "" && set !== sets[place - 1]);
    expect(changes).toHaveLength(new Set(changes).size);
  });

  it("gives languages of the same urgency a set each in turn", () => {
    const midnight = "2026-11-22T18:30:00.000Z"; // in the Indian languages' time zone
    const cards = due.filter(
      ({ request, lastMoment }) =>
        readersRank(request.operation) === 2 && lastMoment.toISOString() === midnight,
    );
    expect(cards.slice(0, 8).map(({ request }) => request.language)).toEqual([
      "hi",
      "mr",
      "ta",
      "te",
      "ml",
      "kn",
      "gu",
      "hi",
    ]);
  });
});

describe("the day's ceiling on calls", () => {
  const capped = (callsPerDay: number) =>
    configured({ languages: ["en", "hi", "pt"], operations: whole.operations, service: { callsPerDay } });

  it("takes the first lines in order and reports the omitted ones", () => {
    const free = new Vault().plan(night, { configuration: configured({ languages: ["en", "hi", "pt"] }) });
    const { due, leftOut, forecast } = new Vault().plan(night, {
      configuration: capped(100),
      callsToday: 40,
    });
    expect(keys(due)).toEqual(keys(free.due).slice(0, 60));
    expect(keys(leftOut)).toEqual(keys(free.due).slice(60));
    expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(["over the ceiling"]));
    expect(forecast).toMatchObject({
      fits: false,
      leftOut: leftOut.length,
      changes: [{ setting: "service.callsPerDay", from: 100, to: 40 + free.due.length }],
    });
  });

  it("requests nothing once the day's calls are used up, even if the ceiling was exceeded", () => {
    for (const callsToday of [100, 140]) {
      expect(new Vault().plan(night, { configuration: capped(100), callsToday }).due).toEqual([]);
    }
  });

  it("applies to all runs of a day, and the next days catch up", () => {
    const vault = new Vault();
    const configuration = capped(150);
    const left: number[] = [];
    for (let day = 0; day < 12; day++) {
      let callsToday = 0;
      for (let run = 0; run < 3; run++) {
        const instant = later(night, day + run / 10);
        const { due, leftOut } = vault.plan(instant, { configuration, callsToday });
        vault.keep(due);
        callsToday += due.length;
        if (run === 2) left.push(leftOut.length);
      }
      expect(callsToday).toBeLessThanOrEqual(150);
    }
    expect(left[0]).toBeGreaterThan(300);
    expect(left.at(-1)).toBe(0);
  });
});

describe("planning is quick", () => {
  /** The best of some runs, in this process's own time: other tests want the processors too. */
  const bestOf = (runs: number, work: () => void) => {
    const times = Array.from({ length: runs }, () => {
      const start = process.cpuUsage();
      work();
      return process.cpuUsage(start).user / 1000;
    });
    return Math.min(...times);
  };

  it("plans a first night of all languages and operations in under 100 ms", () => {
    const timeMs = bestOf(8, () => new Vault().plan(night));
    console.log(`first night planned in ${timeMs.toFixed(1)} ms`);
    expect(timeMs).toBeLessThan(100);
  });

  it("plans 50,000 requests in under a second", () => {
    const dates = { from: "2026-10-01", to: "2026-12-31" };
    let lines = 0;
    const timeMs = bestOf(3, () => {
      const { due, outOfReach } = new Vault().plan(night, { dates });
      lines = due.length + outOfReach.length;
    });
    console.log(`${lines} requests planned in ${timeMs.toFixed(1)} ms`);
    expect(lines).toBeGreaterThan(50_000);
    expect(timeMs).toBeLessThan(1000);
  });
});

it("names every line so that its request can be read back from the key alone", () => {
  for (const { key, request } of new Vault().plan(night).due) expect(requestOf(key)).toEqual(request);
});
