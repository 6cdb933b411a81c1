// Sandboxes of several worlds in one process, each on a port of its own.
import { z } from "zod";
import { type Sandbox, startSandbox } from "../../sandbox/server.ts";

const wish = z.object({ kind: z.enum(["start", "stop"]), id: z.number() });
const sandboxes = new Map<number, Sandbox>();

process.on("disconnect", () => process.exit());
process.on("message", (message) => {
  const wished = wish.parse(message);
  const doing = wished.kind === "start" ? begin(wished.id) : end(wished.id);
  doing.then(
    (value) => process.send?.({ id: wished.id, value }),
    (error: unknown) => process.send?.({ id: wished.id, error: String(error) }),
  );
});

async function begin(id: number) {
  const sandbox = await startSandbox();
  sandboxes.set(id, sandbox);
  const { origin, addresses, token, apiKey } = sandbox;
  return { origin, addresses, token, apiKey };
}

async function end(id: number): Promise<void> {
  await sandboxes.get(id)?.close();
  sandboxes.delete(id);
}
