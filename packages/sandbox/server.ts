// A local service with the whole interface: three endpoints on one port of this machine, and a control endpoint.
// Its texts are invented: nothing that it says may reach a real site.
import { createServer, type Server } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { type EndpointName, operationNames, rowOf } from "../../readings/tables.ts";
import { controlRoutes } from "./control.ts";
import { faceAt } from "./faces.ts";
import { answerCall } from "./service.ts";
import { type StartSettings, startState, type SandboxState } from "./settings.ts";
import { sendJson } from "./wire.ts";

export interface SandboxOptions extends StartSettings {
  /** The port; a free one when absent. */
  readonly port?: number;
}

export interface Sandbox {
  readonly origin: string;
  readonly endpoints: Readonly<Record<EndpointName, string>>;
  readonly token: string;
  readonly apiKey: string;
  /** Aborts running responses and frees the port. */
  close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const state = startState(options);
  const { token, apiKey } = state.credentials;
  const listener = getRequestListener(routesOf(state, options).fetch, { overrideGlobalObjects: false });
  // Idle connections are kept longer than any client keeps them, so no call meets a connection that is being closed.
  const server = createServer(
    { keepAliveTimeout: 120_000 },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  const port = await listen(server, options.port ?? 0);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    endpoints: {
      english: `${origin}/english`,
      translator: `${origin}/translator`,
      legacy: `${origin}/legacy`,
    },
    token,
    apiKey,
    close: () => close(server),
  };
}

function routesOf(state: SandboxState, start: StartSettings) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  for (const operation of operationNames) {
    const { endpoint: place, path } = rowOf(operation);
    const endpoints: EndpointName[] = place === "legacy" ? ["legacy"] : ["english", "translator"];
    for (const endpoint of endpoints) {
      app.all(`/${endpoint}${path}`, async (context) => {
        await answerCall(state, endpoint, operation, context.env);
        return RESPONSE_ALREADY_SENT;
      });
    }
  }
  app.get("/pictures/*", (context) => {
    const face = faceAt(context.req.path.slice("/pictures/".length));
    if (face === undefined) return context.notFound();
    return context.body(new Uint8Array(face), 200, { "content-type": "image/png" });
  });
  app.route("/control", controlRoutes(state, start));
  app.notFound((context) => {
    const msg = `not found: ${context.req.method} ${context.req.path}`;
    return context.json({ success: 2, msg }, 404);
  });
  app.onError((error, context) => {
    console.error("the sandbox failed at", context.req.path, error);
    const { outgoing } = context.env;
    if (!outgoing.headersSent)
      sendJson(outgoing, 500, JSON.stringify({ success: 0, msg: "the sandbox failed" }));
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      reject(new Error(`the sandbox cannot listen on 127.0.0.1:${port}: ${error.message}`, { cause: error }));
    });
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("the sandbox has no port"));
      else resolve(address.port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
