// Waiting at the gate: whoever's turn it is asks one request, and the gate opens when the service answers, or takes it again.
// workflows/gate.ts sends a watcher for each edition; vault/address-gate.ts keeps the gate itself.
import { type ServiceAddress, serviceAddresses } from "../readings/service-addresses.ts";
import { isFailure, Unavailable } from "../readings/failures.ts";
import { serviceAddressOf } from "../readings/request-fields.ts";
import { requestOf, type RequestKey, WrongRequest } from "../readings/request.ts";
import { askAndKeep } from "./ask.ts";
import type { Dependencies } from "./dependencies.ts";
import { addressFiguresOf } from "../service/limits.ts";
import type { Probed } from "../vault/address-gate.ts";
import { awayWords, type GateNote, isClosed } from "../vault/gate-note.ts";
import { UnreadableFile } from "../vault/json.ts";

export interface WatchInput {
  readonly address: ServiceAddress;
  readonly run: string;
  /** A request that waits for the gate, and is the probe of what gives no answers. */
  readonly key: RequestKey;
}

export async function watchGate(
  { address, run, key }: WatchInput,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<void> {
  const { gate, log, alert, configuration } = dependencies;
  const request = requestOf(key);
  if (request === undefined) throw new WrongRequest(`"${key}" is no request key`);
  let works = false;
  const probeOf = (one: RequestKey) => probe(one, run, signal, dependencies);
  const { answerTimeoutMs } = addressFiguresOf(configuration, address);
  const watcher = {
    request,
    answerTimeoutMs,
    probe: async (closed: GateNote) => {
      if (closed.away !== undefined) return probeOf(key);
      // Where the refused request can no longer be asked, a request that waits takes its place as the probe; where that can't
      // either, the gate opens, and the next call serves as the probe.
      const probed = (await probeOf(closed.key)) ?? (await probeOf(key));
      works = probed?.isAnswered === true;
      return probed;
    },
    probed: (before: GateNote, after: GateNote) => tellOfAway(before, after, run, dependencies),
  };
  try {
    await gate.watch(watcher, signal);
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

/** Says once of each outage that it lasts, and when it is over. */
async function tellOfAway(
  before: GateNote,
  after: GateNote,
  run: string,
  { alert }: Dependencies,
): Promise<void> {
  const { address, closedAt, seen, probes } = after;
  const what = `${run}: the ${address} address`;
  const wasLong = before.isLong === true;
  if (wasLong && !isClosed(after)) {
    const text = `${what} answers again; the run goes on, there is nothing to do`;
    await alert({ kind: "service-back", text });
  }
  if (wasLong || after.isLong !== true || !isClosed(after)) return;
  const text = `${what} gives no answers${awayWords(after)} since ${closedAt} (${seen}); it was tried ${probes} times. Next: see whether the service is there; the run goes on by itself when it answers, until its deadline.`;
  await alert({ kind: "service-away", text });
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
 * Whether the service answered and took the credentials, whatever it thinks of the request; undefined when the request is not to
 * be asked any more: its answer came by another way, or its day is out of reach.
 */
async function probe(
  key: RequestKey,
  run: string,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<Probed | undefined> {
  const request = requestOf(key);
  if (request === undefined) return undefined;
  const { unstored, vault } = dependencies;
  const isAnswered = async () => unstored.has(key) || (await vault.soundCapture(key)) !== undefined;
  try {
    if (await isAnswered()) return undefined;
    const askedForMs = performance.now();
    const onSent = await dependencies.pacers[serviceAddressOf(request)].turn(signal);
    // A worker that asked nothing has no share of the rate: until it has one, others may have sent the next probe.
    if (await isAnswered()) return undefined;
    await askAndKeep(request, { key, run, tries: 1 }, { signal, onSent, askedForMs }, dependencies);
    await vault.release(key);
    await dependencies.gate.languages.fit(request, run);
    return { isAnswered: true, isFit: true };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WrongRequest || error instanceof UnreadableFile) return undefined;
    if (error instanceof Unavailable) return { isAnswered: false, retryAfterMs: error.retryAfterMs };
    // Refused again, or no answer at all: neither says that the credentials work.
    if (!isFailure(error) || error.type === "CredentialsRefused") return { isAnswered: false };
  }
  return { isAnswered: true };
}
