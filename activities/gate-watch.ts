// Waiting at the gate: whoever's turn it is asks the refused request again, and the gate opens when the service takes it.
// workflows/gate.ts sends a watcher for each edition; vault/credentials-gate.ts keeps the gate itself.
import { type ServiceAddress, serviceAddresses } from "../readings/service-addresses.ts";
import { isFailure } from "../readings/failures.ts";
import { serviceAddressOf } from "../readings/request-fields.ts";
import { requestOf, type RequestKey, WrongRequest } from "../readings/request.ts";
import { askAndKeep } from "./ask.ts";
import type { Dependencies } from "./dependencies.ts";
import { UnreadableFile } from "../vault/json.ts";

export interface WatchInput {
  readonly address: ServiceAddress;
  readonly run: string;
  /** A request that waits for the gate. */
  readonly key: RequestKey;
}

export async function watchGate(
  { address, run, key }: WatchInput,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<void> {
  const { gate, log, alert } = dependencies;
  let works = false;
  // Where the refused request can no longer be asked, a request that waits takes its place as the probe; where that can't
  // either, the gate opens, and the next call serves as the probe.
  const tryIt = async (refused: RequestKey) => {
    const taken =
      (await probe(refused, run, signal, dependencies)) ?? (await probe(key, run, signal, dependencies));
    works = taken === true;
    return taken ?? true;
  };
  try {
    await gate.watch(address, tryIt, signal);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    log.error(
      { address },
      `${error.message}; it is taken away: where it was right, the next call closes it anew`,
    );
    await gate.open(address);
  }
  if (!works || !(await gate.allOpen())) return;
  await alert({
    kind: "gate-opened",
    text: `${run}: the credentials work again; the run goes on, there is nothing to do`,
  });
}

/** Opens all gates at the word of an operator who knows that the credentials work. */
export async function openGate(run: string, { gate, alert }: Dependencies): Promise<void> {
  const opened: string[] = [];
  for (const address of serviceAddresses) {
    if (await gate.open(address)) opened.push(address);
  }
  if (opened.length === 0) return;
  await gate.allOpen(); // what is said here is enough
  const text = `${run}: the gate of ${opened.join(" and ")} was opened by hand`;
  await alert({ kind: "gate-opened", text });
}

/**
 * True when the service took the credentials, whatever it thinks of the request; undefined when the request is not to be
 * asked any more: its answer came by another way, or its day is out of reach.
 */
async function probe(
  key: RequestKey,
  run: string,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<boolean | undefined> {
  const request = requestOf(key);
  if (request === undefined) return undefined;
  try {
    if (dependencies.unstored.has(key)) return undefined;
    if ((await dependencies.vault.capture(key)) !== undefined) return undefined;
    const onSent = await dependencies.pacers[serviceAddressOf(request)].turn(signal);
    await askAndKeep(request, { key, run, tries: 1 }, { signal, onSent }, dependencies);
    await dependencies.vault.release(key);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WrongRequest || error instanceof UnreadableFile) return undefined;
    // Refused again, or no answer at all: neither says that the credentials work.
    if (!isFailure(error) || error.type === "CredentialsRefused" || error.type === "Unavailable")
      return false;
  }
  return true;
}
