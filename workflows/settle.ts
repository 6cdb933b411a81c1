// The only place where a failed request becomes a value. Cancellations, and errors that are no activity's failure, pass through.
import { ActivityFailure, ApplicationFailure, isCancellation } from "@temporalio/workflow";
import type { SetAside, SetAsideType } from "../readings/run-messages.ts";
import { failureTypes } from "../readings/failures.ts";
import type { RequestKey } from "../readings/request.ts";
import { failureReason } from "./failure-reason.ts";

/** `GateClosed` is no failure of the request: it was not asked. */
export type KnownType = SetAsideType | "GateClosed";
const knownTypes: readonly KnownType[] = [...failureTypes, "OutOfReach", "OverCeiling", "GateClosed"];

/** The declared type of a failed activity; a fault of our own costs its request, and no more. */
export function failureTypeOf(error: unknown): KnownType {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  const declared = cause instanceof ApplicationFailure ? cause.type : undefined;
  return knownTypes.find((type) => type === declared) ?? "Fault";
}

export function setAsideOf(key: RequestKey, type: SetAsideType, error: unknown): SetAside {
  const said = type === "Rejected" ? saidIn(error) : undefined;
  return { key, type, reason: failureReason(error).slice(0, 300), said };
}

/** The service's own words, which activities/temporal-failures.ts put into the failure. */
function saidIn(error: unknown): string | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const said: unknown = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return typeof said === "string" ? said : undefined;
}
