// Temporal clients for commands. A command uses the server that Temporal's standard variables or profile name, or else the
// server that `almanac local` runs for this folder.
import {
  Client,
  Connection,
  type ConnectionLike,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  ServiceError,
} from "@temporalio/client";
import type { NativeConnection } from "@temporalio/worker";
import { reportingWait } from "../../store/clock.ts";
import type { Environment } from "../settings/environment.ts";
import {
  type RenewedConnection,
  renewedConnection,
  type TemporalCredentials,
  type TemporalSettings,
  temporalSettings,
} from "./renewed-connection.ts";
import { readLocal } from "./temporal-server.ts";
import { type CallLimits, callLimits, repeating, type Repeats, fallsSilent } from "./patience.ts";

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
      `no Temporal server. Set TEMPORAL_ADDRESS (or TEMPORAL_PROFILE), or run \`almanac local\` in this folder`,
    );
  }
  return at(temporalSettings(environment));
}

/** Address and namespace are read once; credentials are read again, so that they can be rotated. */
function at(
  read: () => Pick<TemporalSettings, "address" | "namespace"> & {
    readonly credentials: Partial<TemporalCredentials>;
  },
) {
  const { address = "localhost:7233", namespace = "default", credentials } = read();
  const unreachable = (error: unknown): never => {
    const why = error instanceof Error ? error.message : String(error);
    throw new TemporalAway(
      `Temporal at ${address} does not answer: ${why}. Check TEMPORAL_ADDRESS, and that the server is running`,
      { cause: error },
    );
  };
  const { tls, apiKey } = credentials;
  const hasTls = tls !== undefined && tls !== null && tls !== false;
  const readCredentials = () => read().credentials;
  return {
    address,
    namespace,
    /** URL of the server if it is reached over TLS. */
    url: hasTls || apiKey !== undefined ? `https://${address}` : undefined,
    connect: () =>
      renewedConnection({
        read: readCredentials,
        open: (now) => connected({ ...now, address }).catch(unreachable),
      }),
    connectNative: async (): Promise<WorkerConnection> => {
      // Loaded lazily: it takes half a second, and commands that only query Temporal don't need it.
      const worker = await import("@temporalio/worker");
      return renewedConnection({
        read: readCredentials,
        open: (now) => worker.NativeConnection.connect({ ...now, address }).catch(unreachable),
      });
    },
  };
}

/** The library retries calls only while connecting; patience.ts retries later ones. */
async function connected(options: ConnectionOptions): Promise<Connection> {
  const usual = defaultGrpcRetryOptions();
  let isConnected = false;
  const retryableDecider: typeof usual.retryableDecider = (attempt, status) =>
    !isConnected && usual.retryableDecider(attempt, status);
  const interceptors = [makeGrpcRetryInterceptor({ ...usual, retryableDecider })];
  const connection = await Connection.connect({ ...options, connectTimeout: connectMs, interceptors });
  isConnected = true;
  return connection;
}

/**
 * Does the work with a client whose credentials are read again as long as it is open. If Temporal does not answer, that is
 * reported within seconds, and after a minute all calls fail. A call that is not answered, although others are, fails after two.
 */
export async function withTemporal<Result>(
  temporal: TemporalAddress,
  work: (client: Client) => Promise<Result>,
  limits: CallLimits = callLimits,
): Promise<Result> {
  const { address, namespace } = temporal;
  const name = `Temporal at ${address}`;
  const [ended, silent] = [new AbortController(), new AbortController()];
  const connection = await reportingWait(name, connectMs, () => temporal.connect());
  connection.watch();
  const away = (afterMs: number) =>
    new TemporalAway(
      `${name} has not answered for more than ${afterMs / 1000} s. Check it with \`almanac check\`, then run the command again`,
    );
  const watch = async () => {
    const { silentMs } = limits;
    if (await fallsSilent(name, connection.current, ended.signal, silentMs)) silent.abort(away(silentMs));
  };
  void watch();
  const repeats: Repeats = { ...limits, name, givenUp: silent.signal, unanswered: away };
  const client = new Client({ connection: alwaysCurrent(connection, repeats), namespace });
  try {
    return await work(client);
  } catch (error) {
    throw error instanceof ServiceError && error.cause instanceof TemporalAway ? error.cause : error;
  } finally {
    ended.abort();
    await connection.close();
  }
}

/** Each call uses the connection that is current when it begins; none begins once Temporal is given up. */
function alwaysCurrent({ current, close }: RenewedConnection<Connection>, repeats: Repeats): ConnectionLike {
  return {
    get workflowService() {
      return repeating(current(), repeats);
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
