// The control endpoint, for tests and for the curious: faults, clock, latency, credentials, options and counts.
// It is never counted and never fails by rule.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { arm } from "./faults.ts";
import {
  armProfile,
  clockSetting,
  credentialsSetting,
  faultsSetting,
  generators,
  latencySetting,
  optionsSetting,
  profileSetting,
  startState,
  type StartSettings,
  type SandboxState,
} from "./settings.ts";
import { createStatistics } from "./statistics.ts";

type Env = { Bindings: HttpBindings };

export function controlRoutes(state: SandboxState, start: StartSettings): Hono<Env> {
  const routes = new Hono<Env>();

  routes.get("/stats", (context) => context.json(state.statistics.snapshot()));
  routes.delete("/stats", (context) => {
    state.statistics = createStatistics();
    return context.json({ done: true });
  });

  routes.get("/faults", (context) => context.json(state.faults.map(({ rule }) => rule)));
  routes.post("/faults", (context) =>
    set(context, faultsSetting, (rules) => {
      state.faults.push(...arm(rules));
    }),
  );
  routes.post("/profile", (context) =>
    set(context, profileSetting, ({ profile }) => {
      state.faults.push(...armProfile(profile));
    }),
  );
  routes.delete("/faults", (context) => {
    state.faults = [];
    return context.json({ done: true });
  });

  routes.post("/credentials", (context) =>
    set(context, credentialsSetting, ({ token, apiKey }) => {
      const { credentials } = state;
      state.credentials = { token: token ?? credentials.token, apiKey: apiKey ?? credentials.apiKey };
    }),
  );
  routes.post("/latency", (context) =>
    set(context, latencySetting, (latency) => {
      state.latency = { ...state.latency, ...latency };
    }),
  );
  routes.post("/clock", (context) =>
    set(context, clockSetting, (clock) => {
      state.clock = clock;
    }),
  );
  routes.post("/options", (context) =>
    set(context, optionsSetting, ({ translated, shape, seed }) => {
      if (translated !== undefined) state.options.translated = translated;
      if (shape !== undefined) state.options.shape = shape ?? undefined;
      if (seed !== undefined) Object.assign(state, generators(seed));
    }),
  );

  /** Everything as it was at the start, the counts too. */
  routes.post("/reset", (context) => {
    Object.assign(state, startState(start));
    return context.json({ done: true });
  });
  return routes;
}

async function set<S extends z.ZodType>(
  context: Context<Env>,
  schema: S,
  apply: (setting: z.output<S>) => void,
): Promise<Response> {
  let body: unknown;
  try {
    body = await context.req.json();
  } catch {
    return context.json({ error: `${context.req.path}: the body is not JSON` }, 400);
  }
  const read = schema.safeParse(body);
  if (!read.success)
    return context.json({ error: `${context.req.path}: ${z.prettifyError(read.error)}` }, 400);
  apply(read.data);
  return context.json({ done: true });
}
