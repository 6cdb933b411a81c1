// The two schedules of a site: the nightly run, and the turn every quarter of an hour. Applying them is an upsert that
// keeps a pause the operator made.
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from "@temporalio/client";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { scheduleIds, taskQueue, turnId, workflowTypes } from "../../workflows/names.ts";

/** A worker that was away this long over the start of a night still runs it; older ones are left to the next night. */
const nightlyCatchUp = "12h";
/** Every turn does the work of those that were missed. */
const turnCatchUp = "1m";

export async function applySchedules(client: Client, configuration: Configuration): Promise<void> {
  for (const options of schedulesFor(configuration)) await upsert(client, options);
}

export type ScheduleName = keyof typeof scheduleIds;
export const scheduleNames = ["nightly", "turn"] as const satisfies readonly ScheduleName[];

/** Pauses, resumes, triggers, removes or describes the schedules that are there, and returns their names. */
export async function toSchedules(
  client: Client,
  site: string,
  names: readonly ScheduleName[],
  act: (handle: ScheduleHandle) => Promise<void>,
): Promise<ScheduleName[]> {
  const done: ScheduleName[] = [];
  for (const name of names) {
    try {
      await act(client.schedule.getHandle(scheduleIds[name](site)));
      done.push(name);
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    }
  }
  return done;
}

/** The schedules there are, in the order nightly, turn. */
export async function describeSchedules(client: Client, site: string) {
  const found: ScheduleDescription[] = [];
  await toSchedules(client, site, scheduleNames, async (schedule) => {
    found.push(await schedule.describe());
  });
  return found;
}

function schedulesFor({ site, schedule }: Configuration): ScheduleOptions[] {
  const [hour = 3, minute = 5] = schedule.nightly.split(":").map(Number);
  return [
    {
      scheduleId: scheduleIds.nightly(site.id),
      spec: { calendars: [{ hour, minute }], timezone: "UTC", jitter: "1m" },
      policies: {
        overlap: ScheduleOverlapPolicy.SKIP, // a night that is still running goes on; the next one finds what is missing
        catchupWindow: nightlyCatchUp,
      },
      action: {
        type: "startWorkflow",
        workflowType: workflowTypes.scheduled,
        workflowId: scheduleIds.nightly(site.id), // Temporal adds the time; the night itself is its child
        taskQueue: taskQueue(site.id, "main"),
        args: [{ site: site.id }],
      },
    },
    {
      scheduleId: scheduleIds.turn(site.id),
      spec: { intervals: [{ every: "15m" }], jitter: "5s" },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: turnCatchUp },
      action: {
        type: "startWorkflow",
        workflowType: workflowTypes.turn,
        workflowId: turnId(site.id),
        taskQueue: taskQueue(site.id, "main"),
        args: [],
      },
    },
  ];
}

async function upsert(client: Client, options: ScheduleOptions) {
  try {
    await client.schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { scheduleId: _id, ...rest } = options;
    await client.schedule
      .getHandle(options.scheduleId)
      .update((before) => ({ ...rest, action: rest.action, state: before.state }));
  }
}
