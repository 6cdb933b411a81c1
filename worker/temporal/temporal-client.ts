// Which Temporal a command talks to: the one the standard environment or profile names, else the server that
// `almanac local` runs for this folder.
import {
  Client,
  Connection,
  type ConnectionLike,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  ServiceError,
} from "@temporalio/client";
import type { NativeConnection } from "@temporalio/worker";
import { reportingWait } from "../../store/waits.ts";
import type { Environment } from "../settings/environment.ts";
import { type RenewedConnection, renewedConnection } from "./renewed-connection.ts";
import { readLocal } from "./temporal-record.ts";
import { fallsSilent, patienceMs } from "./silent-server.ts";
import { type TemporalCredentials, type TemporalSettings, temporalSettings } from "./temporal-settings.ts";

/** Thrown when there is no Temporal to talk to: none is named, and none runs here. */
export class NoTemporal extends Error {
  override readonly name: string = "NoTemporal";
}

/** Thrown when the named Temporal does not answer, which may pass. */
export class TemporalAway extends NoTemporal {
  override readonly name = "TemporalAway";
}

/** The workers' connection. */
export type WorkerConnection = RenewedConnection<NativeConnection, Partial<TemporalCredentials>>;

const connectMs = 10_000;

export type TemporalAddress = ReturnType<typeof at>;

export async function temporalFor(environment: Environment, stateFolder: string): Promise<TemporalAddress> {
  const named = environment.temporalVariables.length > 0;
  const local = named ? undefined : await readLocal(stateFolder);
  if (local !== undefined)
    return at(() => ({ address: local.address, namespace: "default", credentials: {} }));
  if (!named) {
    throw new NoTemporal(
      `no Temporal is named, and none runs for ${stateFolder}: set TEMPORAL_ADDRESS (or TEMPORAL_PROFILE), or start \`almanac local\` here`,
    );
  }
  return at(temporalSettings(environment));
}

/** What is named at the start stays; its credentials are read again. */
function at(
  read: () => Pick<TemporalSettings, "address" | "namespace"> & {
    readonly credentials: Partial<TemporalCredentials>;
  },
) {
  const { address = "localhost:7233", namespace = "default", credentials } = read();
  const unreachable = (error: unknown): never => {
    const why = error instanceof Error ? error.message : String(error);
    throw new TemporalAway(
      `Temporal at ${address} does not answer: ${why}; check TEMPORAL_ADDRESS and that it runs`,
      { cause: error },
    );
  };
  const { tls, apiKey } = credentials;
  const hasTls = tls !== undefined && tls !== null && tls !== false;
  const readCredentials = () => read().credentials;
  return {
    address,
    namespace,
    /** Its address as one that is reached by TLS. */
    url: hasTls || apiKey !== undefined ? `https://${address}` : undefined,
    connect: (givenUp: AbortSignal) =>
      renewedConnection({
        read: readCredentials,
        open: (now) =>
          Connection.connect({
            ...now,
            address,
            connectTimeout: connectMs,
            interceptors: [makeGrpcRetryInterceptor(retryingUntil(givenUp))],
          }).catch(unreachable),
      }),
    connectNative: async (): Promise<WorkerConnection> => {
      // Loaded here alone: a command that only asks Temporal needs no worker, which takes half a second to load.
      const worker = await import("@temporalio/worker");
      return renewedConnection({
        read: readCredentials,
        open: (now) => worker.NativeConnection.connect({ ...now, address }).catch(unreachable),
      });
    },
  };
}

/**
 * Does the work with a client whose credentials are read again as long as it is open. If Temporal does not answer, that is
 * reported within seconds, and after a minute all calls fail.
 */
export async function withTemporal<Result>(
  temporal: TemporalAddress,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { address, namespace } = temporal;
  const name = `Temporal at ${address}`;
  const [ended, silent] = [new AbortController(), new AbortController()];
  const connection = await reportingWait(name, connectMs, () => temporal.connect(silent.signal));
  connection.watch();
  const away = new TemporalAway(
    `${name} has not answered for more than ${patienceMs / 1000} s; see that it runs (almanac check), then run the command again`,
  );
  const watch = async () => {
    if (await fallsSilent(name, connection.current, ended.signal)) silent.abort(away);
  };
  void watch();
  const client = new Client({ connection: alwaysCurrent(connection, silent.signal), namespace });
  try {
    return await client.withAbortSignal(silent.signal, () => work(client));
  } catch (error) {
    throw silent.signal.aborted && error instanceof ServiceError ? away : error;
  } finally {
    ended.abort();
    await connection.close();
  }
}

/** The library's own repetitions: a call that waits for its next one does not hear that it is cancelled. */
function retryingUntil(givenUp: AbortSignal) {
  const usual = defaultGrpcRetryOptions();
  const retryableDecider: typeof usual.retryableDecider = (attempt, status) =>
    !givenUp.aborted && usual.retryableDecider(attempt, status);
  return { ...usual, retryableDecider };
}

/** Each call goes by the connection that is the current one when it begins; none begins once Temporal is given up. */
function alwaysCurrent(
  { current, close }: RenewedConnection<Connection>,
  givenUp: AbortSignal,
): ConnectionLike {
  return {
    get workflowService() {
      givenUp.throwIfAborted();
      return current().workflowService;
    },
    get operatorService() {
      return current().operatorService;
    },
    plugins: [],
    close,
    ensureConnected: () => current().ensureConnected(),
    withDeadline: (deadline, act) => current().withDeadline(deadline, act),
    withMetadata: (metadata, act) => current().withMetadata(metadata, act),
    withAbortSignal: (signal, act) => current().withAbortSignal(signal, act),
  };
}
