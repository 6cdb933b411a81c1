// Which Temporal a command talks to: the one the standard environment or profile names, else the server that
// `almanac local` runs for this folder.
import { Client, Connection } from "@temporalio/client";
import { loadClientConnectConfig } from "@temporalio/envconfig";
import type { NativeConnection } from "@temporalio/worker";
import type { Environment } from "../settings/environment.ts";
import { readLocal } from "./temporal-record.ts";

/** Thrown when there is no Temporal to talk to: none is named, and none runs here. */
export class NoTemporal extends Error {
  override readonly name: string = "NoTemporal";
}

/** Thrown when the named Temporal does not answer, which may pass. */
export class TemporalAway extends NoTemporal {
  override readonly name = "TemporalAway";
}

export type TemporalAddress = ReturnType<typeof at>;

export async function temporalFor(environment: Environment, stateFolder: string): Promise<TemporalAddress> {
  const named = environment.temporalVariables.length > 0;
  const local = named ? undefined : await readLocal(stateFolder);
  if (local !== undefined) return at({ address: local.address }, "default");
  if (!named) {
    throw new NoTemporal(
      `no Temporal is named, and none runs for ${stateFolder}: set TEMPORAL_ADDRESS (or TEMPORAL_PROFILE), or start \`almanac local\` here`,
    );
  }
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return at(connectionOptions, namespace ?? "default");
}

type ConnectionOptions = NonNullable<Parameters<typeof NativeConnection.connect>[0]>;

function at(options: ConnectionOptions, namespace: string) {
  const address = options.address ?? "localhost:7233";
  const unreachable = (error: unknown): never => {
    const why = error instanceof Error ? error.message : String(error);
    throw new TemporalAway(
      `Temporal at ${address} does not answer: ${why}; check TEMPORAL_ADDRESS and that it runs`,
      { cause: error },
    );
  };
  const hasTls = options.tls !== undefined && options.tls !== null && options.tls !== false;
  return {
    address,
    namespace,
    /** Its address as one that is reached by TLS. */
    url: hasTls || options.apiKey !== undefined ? `https://${address}` : undefined,
    connect: async () => Connection.connect({ ...options, connectTimeout: "10s" }).catch(unreachable),
    connectNative: async () => {
      // Loaded here alone: a command that only asks Temporal needs no worker, which takes half a second to load.
      const worker = await import("@temporalio/worker");
      return worker.NativeConnection.connect(options).catch(unreachable);
    },
  };
}

/** A client with its connection; close it when done. */
export async function temporalClientFor(temporal: TemporalAddress): Promise<Client> {
  return new Client({ connection: await temporal.connect(), namespace: temporal.namespace });
}
