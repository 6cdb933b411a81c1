import fc from "fast-check";
import { expect, test } from "vitest";
import { endpointNames } from "../../readings/tables.ts";
import { mostTogether } from "../../readings/plan-order.ts";
import { beatEveryMs } from "../../activities/heartbeat.ts";
import {
  type EndpointFigures,
  getEndpointFigures,
  attemptMsFor,
  heartbeatMs,
  longestAttemptMs,
  usableConcurrency,
  startToCloseMsFor,
  timeoutsOf,
  windowFor,
} from "../../service/limits.ts";
import { type Configuration, configurationSchema } from "../../readings/configuration.schema.ts";
import { parseConfiguration } from "../../worker/settings/configuration.ts";
import { WrongConfiguration } from "../../worker/settings/configuration-problems.ts";

const perEndpoint = <T>(figure: fc.Arbitrary<T>) =>
  fc.record({ english: figure, translator: figure, legacy: figure });

/** Anything the schema takes, the odd corners more often than not. */
const anyService = fc.record({
  ratePerSecond: perEndpoint(
    fc.oneof(fc.double({ min: 0.01, max: 1000, noNaN: true }), fc.constantFrom(0.01, 0.1, 1, 5, 1000)),
  ),
  concurrency: perEndpoint(fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constantFrom(1, 8, 32, 1000))),
  answerTimeoutSeconds: perEndpoint(
    fc.oneof(fc.double({ min: 1, max: 600, noNaN: true }), fc.constantFrom(1, 30, 90, 600)),
  ),
});
const anyDeadlineHours = fc.oneof(
  fc.double({ min: 0.01, max: 48, noNaN: true }),
  fc.constantFrom(0.01, 0.1, 6, 48),
);

/**
 * connect < answer < an attempt, with both waits at their longest and some time to store the answer < deadline. The attempt at
 * a batch is two rounds longer, behind the calls of the batch before it.
 */
function expectNested(configuration: Configuration): void {
  const deadlineMs = configuration.schedule.deadlineHours * 3_600_000;
  const timeouts = timeoutsOf(configuration);
  for (const endpoint of endpointNames) {
    const figures = getEndpointFigures(configuration, endpoint);
    const { connectMs, answerMs } = timeouts[endpoint];
    // The rate limiter releases one per interval: the last of all places waits for every other one.
    const pacerMs = usableConcurrency(figures) * (1000 / figures.ratePerSecond);
    const attemptMs = attemptMsFor(figures);
    const batchMs = startToCloseMsFor(figures);
    const batchPacerMs = pacerMs + (mostTogether * 1000) / figures.ratePerSecond;
    expect(connectMs).toBeGreaterThan(0);
    expect(connectMs).toBeLessThan(answerMs);
    expect(pacerMs + answerMs + 5_000).toBeLessThan(attemptMs);
    expect(attemptMs).toBeLessThan(deadlineMs);
    expect(batchPacerMs + 3 * answerMs + 5_000).toBeLessThan(batchMs);
  }
}

test("the default configuration's timeouts nest: connect < answer < attempt < deadline", () => {
  const configuration = parseConfiguration({}, "the default");
  expectNested(configuration);
  expect(longestAttemptMs(configuration)).toBe(5_000 + (32 + 24) * 200 + 10_000 + 90_000 + 10_000);
});

test("any configuration's timeouts nest, or it is refused because of its deadline", () => {
  let refused = 0;
  let nested = 0;
  fc.assert(
    fc.property(anyService, anyDeadlineHours, (service, deadlineHours) => {
      const given = { service, schedule: { deadlineHours } };
      try {
        expectNested(parseConfiguration(given, "this one"));
        nested += 1;
      } catch (error) {
        if (!(error instanceof WrongConfiguration)) throw error;
        refused += 1;
        expect(error.message).toMatch(/schedule\.deadlineHours: .* Set it to ([\d.]+) or more/);
        // The suggested value is enough, and a hundredth less is not.
        const enough = Number(/Set it to ([\d.]+)/.exec(error.message)?.[1]);
        if (enough > 48) return;
        expectNested(parseConfiguration({ service, schedule: { deadlineHours: enough } }, "fixed"));
        expect(deadlineHours).toBeLessThan(enough);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(refused).toBeGreaterThan(20);
  expect(nested).toBeGreaterThan(200);
});

test("a worker has at most as many slots as its rate can fill within a response timeout", () => {
  fc.assert(
    fc.property(anyService, (service) => {
      const configuration = configurationSchema.parse({ service });
      for (const endpoint of endpointNames) {
        const figures = getEndpointFigures(configuration, endpoint);
        const places = usableConcurrency(figures);
        const callsInATimeout = (figures.ratePerSecond * figures.answerTimeoutMs) / 1000;
        expect(places).toBeGreaterThanOrEqual(1);
        expect(places).toBeLessThanOrEqual(figures.concurrency);
        expect(places - 1).toBeLessThan(callsInATimeout); // exact: adding one may be rounded
        // And no fewer: a night with the slowest responses runs as fast as rate and concurrency allow.
        expect(places).toBeGreaterThanOrEqual(Math.min(figures.concurrency, callsInATimeout));
      }
    }),
  );
});

const anyFigures: fc.Arbitrary<EndpointFigures> = fc.record({
  ratePerSecond: fc.constantFrom(0.1, 5, 100, 1000),
  concurrency: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 12 })),
  answerTimeoutMs: fc.constantFrom(1_000, 30_000, 90_000),
});
const anyLatency = fc.oneof(fc.integer({ min: 1, max: 90_000 }), fc.constantFrom(1, 1_000, 27_000, 90_000));

test("the windows of a run's editions fill every slot together, and no edition holds much more than its share", () => {
  const requests = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 26 });
  fc.assert(
    fc.property(anyFigures, requests, anyLatency, (figures, counts, latencyMs) => {
      const total = counts.reduce((sum, count) => sum + count, 0);
      const places = usableConcurrency(figures);
      const bounds = counts.map((count) => windowFor(figures, count / total, latencyMs));
      const windows = bounds.map((one) => one.requests - one.size); // one batch more waits
      expect(windows.reduce((sum, window) => sum + window, 0)).toBeGreaterThanOrEqual(places);
      for (const [at, window] of windows.entries()) {
        expect(window).toBeGreaterThanOrEqual(1);
        expect(window).toBeLessThan((places * (counts[at] ?? 0)) / total + 1 + places / 16);
      }
    }),
  );
  const english = getEndpointFigures(configurationSchema.parse({}), "english");
  expect(windowFor(english, 1, 1_000).requests).toBe(32); // twice the places, four and a batch: by itself on its endpoint, it keeps them all busy
});

test("a batch goes out in two rounds at most, on no more slots than there are, and in 40 s unless it is one request", () => {
  const share = fc.oneof(fc.double({ min: 0.001, max: 1, noNaN: true }), fc.constant(1));
  fc.assert(
    fc.property(anyFigures, share, anyLatency, (figures, own, latencyMs) => {
      const places = usableConcurrency(figures);
      const { requests, size, width } = windowFor(figures, own, latencyMs);
      expect(width).toBeGreaterThanOrEqual(1);
      expect(width).toBeLessThanOrEqual(places);
      expect(width).toBeLessThanOrEqual(Math.max(requests, places / 5));
      expect(size).toBeGreaterThanOrEqual(1);
      expect(size).toBeLessThanOrEqual(Math.min(mostTogether, 2 * width));
      if (size > 1) expect((size * 1000) / figures.ratePerSecond + latencyMs).toBeLessThanOrEqual(40_000);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ["english", 1, 1_000, { size: 12, width: 8 }],
  ["translator", 1, 27_000, { size: 12, width: 32 }],
  ["translator", 1 / 25, 27_000, { size: 12, width: 6 }],
  ["translator", 1 / 25, 40_001, { size: 1, width: 6 }],
] as const)(
  "of the default %s endpoint, at a share of %d and %d ms an answer, a batch has %o",
  (...given) => {
    const [endpoint, share, latencyMs, batch] = given;
    const figures = getEndpointFigures(configurationSchema.parse({}), endpoint);
    expect(windowFor(figures, share, latencyMs)).toMatchObject(batch);
  },
);

test("a missed heartbeat is noticed long before an attempt ends, and one late heartbeat is not enough", () => {
  expect(heartbeatMs).toBeLessThan(longestAttemptMs(parseConfiguration({}, "the default")));
  expect(heartbeatMs).toBeGreaterThanOrEqual(3 * beatEveryMs); // by itself; with others it beats twice (activities/heartbeat.ts)
});
