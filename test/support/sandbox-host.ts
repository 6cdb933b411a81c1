// Sandboxes of several worlds in one process, each on a separate port.
import { type Sandbox, startSandbox } from "../../packages/sandbox/server.ts";
import { serve } from "./host.ts";

const sandboxes = new Map<number, Sandbox>();

serve(
  async ({ id }) => {
    const sandbox = await startSandbox();
    sandboxes.set(id, sandbox);
    const { origin, endpoints, token, apiKey } = sandbox;
    return { origin, endpoints, token, apiKey };
  },
  async (id) => {
    await sandboxes.get(id)?.close();
    sandboxes.delete(id);
  },
);
