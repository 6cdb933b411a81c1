// Nothing is requested twice: the sandbox's counts of a night, compared with the vault's stored responses.
import { rowOf } from "../../readings/tables.ts";
import { isStable, sandboxKey } from "../support/looks.ts";
import { folders, layout } from "../../vault/files.ts";
import type { World } from "../support/night.ts";
import type { SandboxStatistics } from "../support/sandbox.ts";

/** Between two clocks of one machine. */
const slackMs = 100;

export interface Since {
  /** Keys that the night wanted. Among keys that the sandbox counts as one, an earlier season's is excluded. */
  readonly wanted: ReadonlySet<string>;
  readonly before: SandboxStatistics;
  /** The sandbox's zero on this machine's clock. */
  readonly originMs: number;
  readonly offsetMs: number;
  readonly asOf: Date;
}

export async function askedSince(
  { sandbox, vault }: World,
  { wanted, before, originMs, offsetMs, asOf }: Since,
) {
  const stats = await sandbox.stats();
  const counts = new Map<string, { answered: number; lastMs: number }>();
  for (const [name, { calls, answered, lastMs }] of Object.entries(stats.byRequest)) {
    const earlier = before.byRequest[name];
    if (calls > (earlier?.calls ?? 0))
      counts.set(name.replace(anyPerson, "$1"), { answered: answered - (earlier?.answered ?? 0), lastMs });
  }
  const answered = [...counts.values()].reduce((sum, count) => sum + count.answered, 0);
  let stored = 0;
  /** Asked for although their answer was stored; none may be. */
  const twice: string[] = [];
  const keptMs = new Map<string, number>();
  for await (const { key, modifiedAt } of vault.store.list(folders.responses))
    keptMs.set(key, modifiedAt.getTime());
  for (const key of await vault.held("")) {
    const count = counts.get(countedAs(key));
    const response = count === undefined ? undefined : await vault.response(key);
    if (count === undefined || response === undefined) continue;
    const receivedMs = Date.parse(response.receivedAt) - offsetMs;
    if (receivedMs + offsetMs >= asOf.getTime()) stored += 1;
    // The sandbox counts cards of all days as one, so only the sum of good responses is compared.
    const isMeant = isStable(key) && (wanted.has(key) || !key.startsWith("seasonal/"));
    // Not since it was received: while the vault takes nothing, a worker keeps it for itself, and another one asks again.
    const since = keptMs.get(layout.response(key)) ?? receivedMs;
    if (isMeant && originMs + count.lastMs > since + slackMs) twice.push(key);
  }
  /** Good answers that were not stored: under way when their worker died, or taken from their place by a set's rules. */
  const again = answered - stored;
  return { calls: stats.calls - before.calls, stored, again, twice };
}

/** The service knows neither seasons nor the dates of cards, and of the one person only a hash. */
function countedAs(key: string): string {
  if (isStable(key)) return sandboxKey(key);
  return key.replace(/^([a-z]+)\/[^/]+\//, "$1/always/").replace(anyPerson, "$1");
}

const anyPerson = /(which-animal-are-you-reading)\/.*$/;

/** The sandbox counts from its own start: this is when that was, by a call of which both clocks know. */
export async function originOf({ sandbox }: World): Promise<number> {
  let originMs = 0;
  for (let time = 0; time < 5; time += 1) {
    const form = new FormData();
    form.set("api_key", sandbox.apiKey);
    const beganMs = Date.now();
    await fetch(sandbox.endpoints.legacy + rowOf("daily-tarot-legacy").path, { method: "POST", body: form });
    const { byEndpoint } = await sandbox.stats();
    // A call arrives after it began: of several calls, the fastest is the best estimate.
    originMs = Math.max(originMs, beganMs - (byEndpoint.legacy.lastMs ?? 0));
  }
  return originMs;
}
