// Free ports for the units that `almanac service install` writes: Temporal's own page is on the port 1,000 above Temporal's.
import { freePorts } from "../../worker/temporal/ports.ts";

const pageAfter = 1_000;
const tries = 100;

/** Temporal's port, with room for its page, and the port that a worker's health is asked on. */
export async function freeServicePorts(): Promise<{ port: number; monitorPort: number }> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const [port = 0, monitorPort = 0] = await freePorts([undefined, undefined]);
    const [page] = await freePorts([port + pageAfter]);
    if (page === port + pageAfter && monitorPort !== page) return { port, monitorPort };
  }
  throw new Error(`no two free ports of 127.0.0.1 that are ${pageAfter} apart in ${tries} tries`);
}
