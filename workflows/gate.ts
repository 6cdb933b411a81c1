// One edition's view of the gate for refused credentials: the first refusal sends a watcher, everybody else waits for
// it. The gate itself is a file in the vault (vault/credentials-gate.ts), so that every run and every worker sees it.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import type { RequestKey } from "../readings/request.ts";

export type Gates = ReturnType<typeof createGates>;

export function createGates(watch: (address: ServiceAddress, key: RequestKey) => Promise<void>) {
  const watching = new Map<ServiceAddress, Promise<void>>();
  return {
    /** Resolves when requests may go out to the address. */
    async open(address: ServiceAddress) {
      await watching.get(address);
    },
    /** A request that was refused, or not asked, tells that the gate is closed. */
    closed(address: ServiceAddress, key: RequestKey) {
      if (watching.has(address)) return;
      const watcher = watch(address, key).finally(() => watching.delete(address));
      watching.set(address, watcher);
    },
  };
}
