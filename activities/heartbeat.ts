// Runs an activity's work with a heartbeat: that is how a worker that died is missed, and how a cancellation arrives.
import { Context } from "@temporalio/activity";

/** Several within the shortest heartbeat time-out, 15 s. */
const everyMs = 4_000;

export async function beating<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const signal = context.cancellationSignal; // read here: inside a listener there is no context
  context.heartbeat();
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work(signal);
  } finally {
    clearInterval(timer);
  }
}
