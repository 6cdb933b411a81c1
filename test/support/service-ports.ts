// Ports for the units that `almanac service install` writes: Temporal's own page is on the port 1,000 above Temporal's. A test's
// machine is down for seconds at a time and comes back on the same ports, so no other test may draw them meanwhile.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePorts } from "../../worker/temporal/ports.ts";

/** Below 20,000, where freePorts draws from, and below 32,768, where those of outgoing connections begin. */
const firstPort = 10_000;
const pageAfter = 1_000;
const monitorAfter = 2_000;
const tries = 100;

/** Temporal's port, with room for its page, and the port that a worker's health is asked on. */
export async function freeServicePorts(): Promise<{ port: number; monitorPort: number }> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const port = firstPort + Math.floor(Math.random() * pageAfter);
    const wishes = [port, port + pageAfter, port + monitorAfter];
    const granted = await freePorts(wishes);
    if (granted.join() === wishes.join() && isFirstOfRun(port))
      return { port, monitorPort: port + monitorAfter };
  }
  throw new Error(
    `no free ports of 127.0.0.1 in ${tries} tries: ${firstPort} and the two 1,000 apart above it`,
  );
}

/** Whether no other process of this test run has drawn that port. */
function isFirstOfRun(port: number): boolean {
  const folder = process.env["ALMANAC_TEST_RUN"];
  if (folder === undefined) return true;
  mkdirSync(folder, { recursive: true });
  try {
    mkdirSync(join(folder, `port-${port}`));
    return true;
  } catch {
    return false;
  }
}
