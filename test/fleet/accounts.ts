// The accounts of a night: what was kept at each look, how often each of it had been asked by then, and how fast calls left.
import { setTimeout as delay } from "node:timers/promises";
import type { Fleet } from "./fleet.ts";
import { isStable, sandboxKey } from "../support/looks.ts";

export type Accounts = ReturnType<typeof createAccounts>;

interface Look {
  readonly kept: ReadonlySet<string>;
  readonly asked: Readonly<Record<string, { readonly calls: number }>>;
}

export function createAccounts({ vault, sandbox }: Pick<Fleet, "vault" | "sandbox">) {
  let before: Look | undefined;
  const again = new Set<string>();
  const late = new Set<string>();
  let mayBeLate = false;
  let queue: Promise<unknown> = Promise.resolve();

  async function lookNow() {
    const kept = new Set(await vault.held("")); // first: a call is counted before its answer is kept
    const { byRequest: asked, calls } = await sandbox.stats();
    for (const key of before?.kept ?? []) {
      if (!isStable(key)) continue; // the sandbox counts cards of all days as one
      const times = asked[sandboxKey(key)]?.calls;
      if (times !== before?.asked[sandboxKey(key)]?.calls) (mayBeLate ? late : again).add(key);
    }
    before = { kept, asked };
    return { kept: kept.size, calls };
  }

  /** Runs one after the other. */
  function look() {
    const next = queue.then(lookNow);
    queue = next.catch(() => undefined);
    return next;
  }

  return {
    look,
    /** Delivers calls that left earlier: through a cable that was cut, or from a frozen process. */
    async letLateOnesCome(work: () => Promise<unknown>): Promise<void> {
      await look();
      mayBeLate = true;
      await work();
      await delay(3_000); // TCP retransmits unacknowledged data
      await look();
      mayBeLate = false;
    },
    /** Stored readings that were requested again. */
    again: (): readonly string[] => [...again],
    /** Responses that arrived although the reading had been stored meanwhile. */
    late: (): readonly string[] => [...late],
  };
}
