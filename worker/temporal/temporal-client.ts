// Which Temporal a command talks to: the one the standard environment or profile names, else the server that
// `almanac local` runs for this folder.
import { Client, Connection, type ConnectionLike } from "@temporalio/client";
import type { NativeConnection } from "@temporalio/worker";
import type { Environment } from "../settings/environment.ts";
import { type RenewedConnection, renewedConnection } from "./renewed-connection.ts";
import { readLocal } from "./temporal-record.ts";
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
    connect: () =>
      renewedConnection({
        read: readCredentials,
        open: (now) => Connection.connect({ ...now, address, connectTimeout: "10s" }).catch(unreachable),
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

/** A client with its connection, whose credentials are read again as long as it is open; close it when done. */
export async function temporalClientFor(temporal: TemporalAddress): Promise<Client> {
  const connection = await temporal.connect();
  connection.watch();
  return new Client({ connection: alwaysCurrent(connection), namespace: temporal.namespace });
}

/** Each call goes by the connection that is the current one when it begins. */
function alwaysCurrent({ current, close }: RenewedConnection<Connection>): ConnectionLike {
  return {
    get workflowService() {
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
