// Reports to this process's endpoints that Temporal answers: an owner that can't reach Temporal lets another process take over.
import type { NativeConnection } from "@temporalio/worker";
import { type EndpointName, endpointNames } from "../readings/endpoint-names.ts";
import { type Clock, processClock, realMs } from "../store/clock.ts";
import type { Endpoint } from "../service/endpoint.ts";

const everyMs = 5_000;
const longestMs = 2_000;

/** Probes as worker/monitor/monitor.ts does, but only while the process owns an endpoint. Returns a function that ends the watch. */
export function watchTemporal(
  connection: () => NativeConnection,
  namespace: string,
  endpoints: Readonly<Record<EndpointName, Endpoint>>,
  clock: Clock = processClock,
): () => void {
  const look = async (): Promise<void> => {
    const owned = endpointNames.filter((name) => endpoints[name].state === "owner");
    if (owned.length === 0) return;
    const used = connection();
    await used.withDeadline(Date.now() + longestMs, () =>
      used.workflowService.describeNamespace({ namespace }),
    );
    for (const name of owned) endpoints[name].heardFromTemporal();
  };
  const looking = setInterval(() => void look().catch(() => undefined), realMs(clock, everyMs)); // silence is enough
  looking.unref();
  return () => clearInterval(looking);
}
