// Counts calls, repeats, and the peak rate of each endpoint. Times are performance.now() of this process, taken when a call's
// headers arrive, so neither bodies nor responses affect the rate.
import { type EndpointName, endpointNames } from "../../readings/tables.ts";
import type { RequestKey } from "../../readings/request.ts";

interface EndpointCount {
  calls: number;
  firstMs: number | null;
  lastMs: number | null;
  /** Most calls within one sliding second, including its end and excluding its start. */
  peakInSlidingSecond: number;
  inFlightPeak: number;
}

interface RequestCount {
  calls: number;
  /** Good readings sent completely: HTTP 200, `success` 1 and no fault. */
  answered: number;
  firstMs: number;
  lastMs: number;
}

interface StatisticsSnapshot {
  readonly calls: number;
  readonly byEndpoint: Record<EndpointName, EndpointCount>;
  /** Good responses to requests that had already had one. */
  readonly repeats: number;
  /** Counts by request key; if the service can't know the period, as with cards, it is `always`. */
  readonly byRequest: Record<RequestKey, RequestCount>;
  /** Counts by HTTP status; `none` for a call without a response. */
  readonly byStatus: Record<string, number>;
}

/** One call while it is being answered. */
interface Arrival {
  /** Reports the request, once it is known to be valid. */
  isFor(key: RequestKey): void;
  /** Ends the call; `good` if its response was a good reading, sent completely. */
  ended(status: number | undefined, good: boolean): void;
}

export interface Statistics {
  arrive(endpoint: EndpointName, atMs?: number): Arrival;
  snapshot(): StatisticsSnapshot;
}

export function createStatistics(): Statistics {
  const endpoints = { english: endpointTally(), translator: endpointTally(), legacy: endpointTally() };
  const byRequest = new Map<RequestKey, RequestCount>();
  const byStatus = new Map<string, number>();
  let repeats = 0;

  function arrive(endpoint: EndpointName, atMs = performance.now()): Arrival {
    const tally = endpoints[endpoint];
    let request: RequestCount | undefined;
    tally.arrive(atMs);
    return {
      isFor(key) {
        request = byRequest.get(key) ?? { calls: 0, answered: 0, firstMs: atMs, lastMs: atMs };
        request.calls += 1;
        request.lastMs = atMs;
        byRequest.set(key, request);
      },
      ended(status, good) {
        tally.leave();
        const name = status === undefined ? "none" : String(status);
        byStatus.set(name, (byStatus.get(name) ?? 0) + 1);
        if (!good || request === undefined) return;
        if (request.answered > 0) repeats += 1;
        request.answered += 1;
      },
    };
  }

  function snapshot(): StatisticsSnapshot {
    return {
      calls: endpointNames.reduce((sum, name) => sum + endpoints[name].count.calls, 0),
      byEndpoint: {
        english: endpoints.english.count,
        translator: endpoints.translator.count,
        legacy: endpoints.legacy.count,
      },
      repeats,
      byRequest: Object.fromEntries(byRequest),
      byStatus: Object.fromEntries(byStatus),
    };
  }

  return { arrive, snapshot };
}

function endpointTally() {
  const count: EndpointCount = {
    calls: 0,
    firstMs: null,
    lastMs: null,
    peakInSlidingSecond: 0,
    inFlightPeak: 0,
  };
  let inFlight = 0;
  let recent: number[] = [];
  let oldest = 0;

  function arrive(atMs: number): void {
    count.calls += 1;
    count.firstMs ??= atMs;
    count.lastMs = atMs;
    inFlight += 1;
    count.inFlightPeak = Math.max(count.inFlightPeak, inFlight);
    recent.push(atMs);
    while (atMs - (recent[oldest] ?? atMs) >= 1000) oldest += 1;
    count.peakInSlidingSecond = Math.max(count.peakInSlidingSecond, recent.length - oldest);
    if (oldest > 10_000) {
      recent = recent.slice(oldest); // keeps one second of calls instead of a whole night's
      oldest = 0;
    }
  }

  return { count, arrive, leave: () => (inFlight -= 1) };
}
