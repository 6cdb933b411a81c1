// The note of a credentials gate: credentials-gate.ts closes and opens it, gate-alarm.ts looks which one an alarm was raised for.
import { z } from "zod";
import { type ServiceAddress, serviceAddresses } from "../readings/service-addresses.ts";
import { layout } from "./layout.ts";

/** The note is there while an address refuses the credentials. */
export const gateSchema = z.object({
  address: z.enum(serviceAddresses),
  closedAt: z.iso.datetime(),
  run: z.string(),
  /** The refused request, which is also the probe. */
  key: z.string(),
  seen: z.string(),
  probes: z.int().min(0),
  nextProbeAt: z.iso.datetime(),
});
export type ClosedGate = z.infer<typeof gateSchema>;

/** A damaged note is a closed gate that a person has to remove. */
export function gateNote(address: ServiceAddress) {
  return { key: layout.gate(address), schema: gateSchema, empty: undefined, isNeeded: true };
}
