// The schedules of a site: the nightly run, publish every 15 minutes, and the daily scrub. Applying them is an upsert that
// preserves the operator's pauses.
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
import { WrongInstallation } from "../../vault/installation.ts";
import { memoOf } from "./runs.ts";
import {
  mainQueue,
  installationField,
  scheduleIds,
  publishId,
  workflowTypes,
} from "../../workflows/names.ts";

/** Catch-up window: if Temporal was down when a night was due, it still starts the run within this time, else the next night does. */
const nightlyCatchUp = "12h";
/** Every publish also publishes for the ones that were missed. */
const publishCatchUp = "1m";
/** Every scrub also covers the ones that were missed. */
const scrubCatchUp = "1h";

export async function applySchedules(
  client: Client,
  configuration: Configuration,
  installation?: string,
): Promise<void> {
  for (const options of schedulesFor(configuration, memoOf(installation))) await upsert(client, options);
}

/** Creates the schedules that Temporal lacks, as after the loss of its database, and returns their ids. */
export async function createMissingSchedules(
  client: Client,
  configuration: Configuration,
  installation?: string,
): Promise<string[]> {
  const created: string[] = [];
  for (const options of schedulesFor(configuration, memoOf(installation))) {
    try {
      await client.schedule.create(options);
      created.push(options.scheduleId);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    }
  }
  return created;
}

/** Throws if the schedules of this site's id belong to another installation. */
export async function requireOwnSchedules(client: Client, site: string, installation: string): Promise<void> {
  const other = otherInstallation(await describeSchedules(client, site), installation);
  if (other !== undefined)
    throw new WrongInstallation(`${otherOwnerWords(site, other)}. ${otherOwnerRemedy}`);
}

/** The other vault and site that the schedules start runs for, if they are not this installation's. */
export function otherInstallation(
  schedules: readonly ScheduleDescription[],
  installation: string | undefined,
): string | undefined {
  const installations = schedules.map(({ action }) => action.memo?.[installationField]);
  return installations
    .filter((one) => typeof one === "string")
    .find((one) => installation !== undefined && one !== installation);
}

export function otherOwnerWords(site: string, other: string): string {
  return `the schedules of ${site} on this Temporal belong to another installation (${other})`;
}

export const otherOwnerRemedy =
  "Give this site its own site.id in the configuration. If the other installation is gone, run `almanac schedule remove` first. " +
  "On the server of `almanac local`, that command takes the schedules over when its run ends";

export type ScheduleName = keyof typeof scheduleIds;
export const scheduleNames = ["nightly", "publish", "scrub"] as const satisfies readonly ScheduleName[];

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

/** The schedules there are, in the order of their names above. */
export async function describeSchedules(client: Client, site: string) {
  const found: ScheduleDescription[] = [];
  await toSchedules(client, site, scheduleNames, async (schedule) => {
    found.push(await schedule.describe());
  });
  return found;
}

function schedulesFor({ site, schedule }: Configuration, memo: Record<string, string>): ScheduleOptions[] {
  const [hour = 3, minute = 5] = schedule.nightly.split(":").map(Number);
  const start = (workflowType: string, workflowId: string, args: unknown[] = []) =>
    ({ type: "startWorkflow", workflowType, workflowId, taskQueue: mainQueue(site.id), args, memo }) as const;
  const overlap = ScheduleOverlapPolicy.SKIP; // a night that is still running goes on; the next one finds what is missing
  const ids = { nightly: scheduleIds.nightly(site.id), scrub: scheduleIds.scrub(site.id) };
  return [
    {
      scheduleId: ids.nightly,
      spec: { calendars: [{ hour, minute }], timezone: "UTC", jitter: "1m" },
      policies: { overlap, catchupWindow: nightlyCatchUp },
      action: start(workflowTypes.scheduled, ids.nightly, [{ site: site.id }]), // Temporal adds the time; the night itself is its child
    },
    {
      scheduleId: scheduleIds.publish(site.id),
      spec: { intervals: [{ every: "15m" }], jitter: "5s" },
      policies: { overlap, catchupWindow: publishCatchUp },
      action: start(workflowTypes.publish, publishId(site.id)),
    },
    {
      scheduleId: ids.scrub,
      spec: { calendars: [scrubTime(schedule)], timezone: "UTC", jitter: "1m" },
      policies: { overlap, catchupWindow: scrubCatchUp },
      action: start(workflowTypes.scrub, ids.scrub),
    },
  ];
}

/** Time of the scrub: halfway between a night's deadline and the next night. */
function scrubTime({ nightly, deadlineHours }: Configuration["schedule"]) {
  const [hour = 3, minute = 5] = nightly.split(":").map(Number);
  const afterHours = Math.floor((24 + Math.min(deadlineHours, 23)) / 2);
  return { hour: (hour + afterHours) % 24, minute };
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
