// In-memory state of a machine's worker until it dies: its leases, its endpoints with the calls in flight, and responses that could
// not be stored. Its leases reach the vault without the scheduler: test/store/lease-simulation.test.ts simulates those.
import { noopMetricMeter } from "@temporalio/common";
import { createMetrics } from "../../../activities/metrics.ts";
import type { Came, Dependencies, StoredAnswer } from "../../../activities/dependencies.ts";
import type { Configuration } from "../../../readings/configuration.schema.ts";
import type { EndpointName } from "../../../readings/tables.ts";
import { Breaker } from "../../../service/breaker.ts";
import { Endpoint } from "../../../service/endpoint.ts";
import { getEndpointFigures, mapEndpoints } from "../../../service/limits.ts";
import { MergedCalls } from "../../../service/merged-calls.ts";
import type { Clock } from "../../../store/clock.ts";
import type { Lease } from "../../../store/held-lease.ts";
import { Leases } from "../../../store/lease.ts";
import type { Store } from "../../../store/store.ts";
import { layout } from "../../../vault/files.ts";
import { through } from "../../support/stores.ts";

export interface WorkerSettings {
  readonly name: string;
  readonly configuration: Configuration;
  readonly vault: Store;
  readonly monotonicMs: () => number;
  readonly wallMs: () => number;
  /** Makes a call to a store that may take its time. */
  readonly landed: <Answer>(make: () => Promise<Answer>) => Promise<Answer>;
  readonly onTaken: (endpoint: EndpointName, lease: Lease) => void;
}

export const silentMetrics = createMetrics(noopMetricMeter);
const silent = { info: () => undefined, warn: () => undefined };

export class PlayedWorker implements Clock {
  readonly unstored = new Map<string, Came>();
  readonly takenOn = new Map<string, string>();
  readonly merged = new MergedCalls<StoredAnswer>();
  readonly leases: Leases;
  readonly endpoints: Dependencies["endpoints"];
  /** The leases of endpoints that it took last, with the played time of the taking. */
  readonly owned = new Map<EndpointName, { readonly lease: Lease; readonly atMs: number }>();
  isDead = false;
  readonly #settings: WorkerSettings;

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
    const { configuration, vault, name, landed, onTaken } = settings;
    const store = through(vault, (_, make) => (this.isDead ? never() : landed(make)));
    this.leases = new Leases({ store, where: name, log: silent, clock: this });
    this.endpoints = mapEndpoints(
      (endpoint) =>
        new Endpoint({
          name: endpoint,
          leaseKey: layout.lease(endpoint),
          purpose: "the model",
          figures: getEndpointFigures(configuration, endpoint),
          leases: this.leases,
          openBreaker: async (lease) => {
            this.owned.set(endpoint, { lease, atMs: this.monotonicMs() });
            onTaken(endpoint, lease);
            return new Breaker({ clock: this, chance: () => 0.5 });
          },
          log: silent,
        }),
    );
  }

  monotonicMs(): number {
    return this.#settings.monotonicMs();
  }

  wallMs(): number {
    return this.#settings.wallMs();
  }

  after(ms: number, then: () => void): () => void {
    const timer = setTimeout(() => this.isDead || then(), Math.ceil(ms));
    return () => clearTimeout(timer);
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
