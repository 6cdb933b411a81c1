// One edition's view of the gates of its addresses: the first request that is held sends a watcher, everybody else waits for
// it. The gate itself is a file in the vault (vault/address-gate.ts), so that every run and every worker sees it.
import type { Operation } from "../readings/operations.ts";
import { type ReadingRequest, requestKey, type RequestKey } from "../readings/request.ts";
import { serviceAddressOf } from "../readings/request-fields.ts";
import type { ServiceAddress } from "../readings/service-addresses.ts";

export type Gates = ReturnType<typeof createGates>;

/** An edition has one language, so that a gate holds either one operation of it or all that it asks of an address. */
type Held = ServiceAddress | Operation;

export function createGates(watch: (address: ServiceAddress, key: RequestKey) => Promise<void>) {
  const watching = new Map<Held, Promise<void>>();

  function heldBy(request: ReadingRequest): Held | undefined {
    return [serviceAddressOf(request), request.operation].find((held) => watching.has(held));
  }

  return {
    heldBy,
    /** Resolves when the request may go out. */
    async open(request: ReadingRequest): Promise<void> {
      for (let held = heldBy(request); held !== undefined; held = heldBy(request)) await watching.get(held);
    },
    /** A request that was not asked, or not heard, tells that the gate is closed, if only to its operation. */
    closed(request: ReadingRequest, operation: Operation | undefined) {
      const address = serviceAddressOf(request);
      const held = operation ?? address;
      if (watching.has(held)) return;
      const watcher = watch(address, requestKey(request)).finally(() => watching.delete(held));
      watching.set(held, watcher);
    },
  };
}
