// What the activities close over; worker/compose.ts makes the real ones, tests swap the ports.
import { type Configuration } from "../readings/configuration.schema.ts";
import { type ServiceAddress } from "../readings/fields.ts";
import { type Store } from "../store/store.ts";
import { type Gate } from "./gate.ts";
import { type Service } from "./service.ts";
import { type Vault } from "./vault.ts";

/** Spaces the calls of one worker on one address. */
export interface Pacer {
  turn(signal: AbortSignal): Promise<void>;
}

/** Something that needs a person: what happened and what to do next. */
export interface Alert {
  readonly kind: "gate-closed" | "gate-opened";
  readonly text: string;
}

export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface Dependencies {
  readonly configuration: Configuration;
  readonly vault: Vault;
  readonly site: Store;
  readonly service: Service;
  readonly gate: Gate;
  readonly pacers: Readonly<Record<ServiceAddress, Pacer>>;
  readonly alert: (alert: Alert) => Promise<void>;
  readonly log: Log;
  /** The only clock: it decides between `today` and `tomorrow` at the moment of a call. */
  readonly now: () => Date;
}
