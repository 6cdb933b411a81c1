// The only place where a failed request becomes a value. Cancellations, and failures that are none of ours, pass.
import { ActivityFailure, ApplicationFailure, isCancellation } from "@temporalio/workflow";
import { type SetAside, type SetAsideType } from "../activities/contracts.ts";
import { failureTypes } from "../readings/failures.ts";
import { type RequestKey } from "../readings/request.ts";

/** `GateClosed` is no failure of the request: it was not asked. */
export type KnownType = SetAsideType | "GateClosed";
const knownTypes: readonly KnownType[] = [...failureTypes, "OutOfReach", "GateClosed"];

/** The declared type of a failure that the activities name, or undefined. */
export function knownTypeOf(error: unknown): KnownType | undefined {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) return undefined;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return undefined;
  return knownTypes.find((type) => type === cause.type);
}

export function setAsideOf(key: RequestKey, type: SetAsideType, error: unknown): SetAside {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return { key, type, reason: (cause instanceof Error ? cause.message : String(cause)).slice(0, 300) };
}
