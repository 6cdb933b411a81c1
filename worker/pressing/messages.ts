// What a worker and the process that presses for it tell each other.
import { z } from "zod";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { PressInput } from "../../readings/run-messages.ts";
import type { StoreSettings } from "../../store/kinds.ts";
import type { SiteLocation } from "../settings/location.ts";

/** The worker's own settings, so that the process presses what the worker would. */
export interface PressSettings {
  readonly configuration: Configuration;
  readonly place: Pick<SiteLocation, "vault" | "site">;
  readonly s3: StoreSettings;
  readonly fingerprint: string;
  readonly workings: string | undefined;
  /** Whether pictures may come from this machine, too. */
  readonly isSandbox: boolean;
}

export interface PressOrder {
  readonly settings: PressSettings;
  readonly input: PressInput;
  readonly now: Date;
}

const store = z.enum(["vault", "site"]);

export type SaidByProcess = z.infer<typeof saidByProcess>;
export const saidByProcess = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("printed"), printed: z.int(), of: z.int() }),
  z.object({
    kind: z.literal("log"),
    level: z.enum(["info", "warn", "error"]),
    facts: z.looseObject({}),
    message: z.string(),
  }),
  z.object({ kind: z.literal("put"), store, sizeBytes: z.int() }),
  z.object({ kind: z.literal("storeFailed"), store, doing: z.enum(["read", "write", "list", "remove"]) }),
  z.object({ kind: z.literal("alert"), text: z.string(), once: z.string().optional() }),
  z.object({ kind: z.literal("done") }),
  z.object({ kind: z.literal("failed"), name: z.string(), message: z.string() }),
]);
