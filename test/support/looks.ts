// Inspections after a night: stored responses with their echoes, the published paths, alerts, Temporal's histories.
import type { WorkflowExecutionInfo } from "@temporalio/client";
import { z } from "zod";
import type { Store } from "../../store/store.ts";
import type { StoredResponse } from "../../vault/vault.ts";
import { createPartReader, groupsIn } from "../../publish/state/parts.ts";
import { readState } from "../../publish/state/state.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { familyOf } from "../../readings/tables.ts";
import { requestOf } from "../../readings/request.ts";
import { mainQueue, publishId, workflowTypes } from "../../workflows/names.ts";
import type { publish } from "../../workflows/scheduled.ts";
import { clockMovedBy } from "./noon.ts";
import type { World } from "./night.ts";
import { until } from "./until.ts";

/** No rate limit below the sandbox's speed; the slots of the three endpoints limit the calls in flight. */
export const slots = { english: 8, translator: 8, legacy: 2 };
export const allSlots = slots.english + slots.translator + slots.legacy;
export const quickService: NonNullable<ConfigurationInput["service"]> = {
  ratePerSecond: { english: 100, translator: 100, legacy: 100 },
  concurrency: slots,
  // On a busy machine a response takes seconds, and must not be requested again.
  answerTimeoutSeconds: { english: 30, translator: 30, legacy: 30 },
};

export async function responsesIn({ vault }: Pick<World, "vault">): Promise<Map<string, StoredResponse>> {
  const responses = new Map<string, StoredResponse>();
  for (const key of await vault.held("")) {
    const response = await vault.response(key);
    if (response !== undefined) responses.set(key, response);
  }
  return responses;
}

/** The sandbox's key for a request, which has no season. */
export function sandboxKey(key: string): string {
  return key.replace(/^seasonal\/[^/]+/, "seasonal/always");
}

export function isStable(key: string): boolean {
  const operation = requestOf(key)?.operation;
  return operation !== undefined && ["horoscope", "pair"].includes(familyOf(operation));
}

const body = z.object({ success: z.literal(1), data: z.record(z.string(), z.unknown()) });
export function dataOf(response: StoredResponse): Record<string, unknown> {
  return body.parse(JSON.parse(response.body)).data;
}

export async function pathsOn(site: Store): Promise<Map<string, string>> {
  const state = await readState(site);
  const paths = new Map<string, string>();
  if (state === undefined) return paths;
  const reader = createPartReader(site);
  for (const group of groupsIn(state.manifest)) {
    const files = await reader.files(state.manifest, group);
    for (const [path, { object }] of Object.entries(files)) paths.set(path, object);
  }
  return paths;
}

/** Number of such alerts by the workers. */
export async function alerts(
  world: World,
  kind: "credentials-refused" | "credentials-accepted",
): Promise<number> {
  return (await world.log()).split(`"alert":"${kind}"`).length - 1;
}

/** Every run that this world's queue has seen, once there are so many: Temporal's list lags behind on a busy machine. */
export async function workflowsOf({ client, id }: World, least = 1): Promise<WorkflowExecutionInfo[]> {
  const query = `TaskQueue = "${mainQueue(id)}"`;
  return until(`a list of ${least} workflows`, async () => {
    const found = await Array.fromAsync(client.workflow.list({ query }));
    return found.length >= least && found;
  });
}

export async function historiesOf(world: World, least?: number) {
  const fetched = (await workflowsOf(world, least)).map(async ({ workflowId, runId }) => {
    const history = await world.client.workflow.getHandle(workflowId, runId).fetchHistory();
    return { workflowId, history };
  });
  return Promise.all(fetched);
}

/** Every payload in a history, in any of its events, as the bytes that Temporal stores. */
export function payloadsIn(value: unknown): Buffer[] {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return [];
  const found = "data" in value && value.data instanceof Uint8Array ? [Buffer.from(value.data)] : [];
  return [...found, ...Object.values(value).flatMap(payloadsIn)];
}

/** The sandbox's own and the worker's clock, moved alike; Temporal's stays. Call it before the worker starts. */
export async function moveClock(world: World, to: string): Promise<void> {
  const offsetMs = Date.parse(to) - Date.now();
  Object.assign(world.env, clockMovedBy(offsetMs));
  await world.sandbox.clock({ offsetMs });
}

/** If a test shows that an event does not happen, some time has to pass. */
export { setTimeout as letPass } from "node:timers/promises";

/** Publishes as the schedule does. */
export function runPublish({ client, id }: World) {
  return client.workflow.execute<typeof publish>(workflowTypes.publish, {
    workflowId: publishId(id),
    taskQueue: mainQueue(id),
    args: [],
    workflowIdConflictPolicy: "USE_EXISTING",
  });
}
