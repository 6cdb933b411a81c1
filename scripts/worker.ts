// `almanac worker`: a worker for production, until it is told to stop.
import { flushCompileCache } from "node:module";
import { createLog, installRuntime } from "../worker/logs.ts";
import { placeFor } from "../worker/place.ts";
import { temporalFor } from "../worker/temporal-client.ts";
import { Closing } from "./closing.ts";
import type { Define } from "./command.ts";
import { NotSetUp } from "./errors.ts";
import { open } from "./opening.ts";
import { say } from "./output.ts";
import { sayStopping, sayUnclosed, startWorking } from "./working.ts";

export const define: Define = (command) => {
  command.action(async () => {
    await work();
  });
};

async function work(): Promise<void> {
  const { environment, configuration, stateFolder } = await open();
  const { place, service } = placeFor(environment, stateFolder);
  if (service === undefined) {
    throw new NotSetUp(
      "a worker asks a real service: set READING_SERVICE_URL, READING_SERVICE_TRANSLATOR_URL, READING_SERVICE_TOKEN and READING_SERVICE_API_KEY (`almanac sandbox` prints some to try with)",
    );
  }
  const log = createLog(undefined);
  installRuntime(log);
  const closing = new Closing(() => undefined, sayStopping);
  try {
    const { connectNative, namespace, address } = await temporalFor(environment, stateFolder);
    const connection = await connectNative();
    const now = movedClock(environment.testClockOffsetMs);
    const parts = { environment, configuration, place, service, log, connection, namespace, now };
    const workers = await startWorking(parts, closing);
    flushCompileCache(); // it is kept at an orderly end only, and a worker may be killed
    say(`working for ${configuration.site.id} at ${address}`);
    await Promise.race([closing.stopped, workers.done]);
  } finally {
    await closing.all(sayUnclosed);
  }
}

function movedClock(offsetMs: number | undefined): (() => Date) | undefined {
  if (offsetMs === undefined) return undefined;
  say(`a test's clock: moved by ${offsetMs} ms (ALMANAC_TEST_CLOCK_OFFSET_MS)`);
  return () => new Date(Date.now() + offsetMs);
}
