// `almanac schedule`: the site's schedules on Temporal, nightly run, publish and scrub.
import type { Client, ScheduleDescription, ScheduleHandle } from "@temporalio/client";
import {
  applySchedules,
  describeSchedules,
  requireOwnSchedules,
  type ScheduleName,
  scheduleNames,
  toSchedules,
} from "../worker/temporal/schedules.ts";
import { utcMinute } from "../readings/calendar.ts";
import { scheduleIds } from "../workflows/names.ts";
import { addSubcommand, type Define } from "./terminal/command.ts";
import { open, type Opening, requireOwnVault, withClient } from "../worker/opened-site.ts";
import { now } from "../worker/settings/environment.ts";
import { areSchedulesRemoved, changeSiteNotes } from "../vault/site-notes.ts";
import { ownInstallation } from "./terminal/run.ts";
import { oneOf } from "./terminal/options.ts";
import { type Lines, plainLine, printAs, styled } from "./terminal/output.ts";

/** Thrown if a command needs a schedule that does not exist. */
export class NoSchedule extends Error {
  override readonly name = "NoSchedule";
}

export const define: Define = (command) => {
  command.addHelpText("after", "\nExample: start the schedules:\n  almanac schedule apply");
  addSubcommand(command, "apply", "Create or update all schedules. A paused one stays paused")
    .option("--unless-removed", "Do nothing if you removed the schedules with `schedule remove`")
    .action(({ unlessRemoved = false }, self) =>
      onSite(self, async (client, opening) => {
        const { configuration, vault } = opening;
        const installation = await ownInstallation(opening, client);
        await requireOwnSchedules(client, configuration.site.id, installation);
        if (unlessRemoved && (await areSchedulesRemoved(vault.own))) return;
        await applySchedules(client, configuration, installation);
        await changeSiteNotes(vault.own, ({ schedulesRemovedAt }) =>
          schedulesRemovedAt === null ? undefined : { schedulesRemovedAt: null },
        );
      }),
    );
  addSubcommand(command, "show", "Show the next and last run of each schedule").action((_, self) =>
    onSite(self, async () => undefined),
  );
  addSubcommand(command, "pause", "Pause schedules until `resume`. Active runs continue")
    .argument("[schedule]", `Schedule: ${either}. Default: all`, named)
    .option("--reason <text>", "Reason, shown by `schedule show`")
    .action((names = scheduleNames, { reason = "by `almanac schedule pause`" }, self) =>
      change(self, names, (schedule) => schedule.pause(reason)),
    );
  addSubcommand(command, "resume", "Resume paused schedules")
    .argument("[schedule]", `Schedule: ${either}. Default: all`, named)
    .action((names = scheduleNames, _, self) =>
      change(self, names, (schedule) => schedule.unpause("by `almanac schedule resume`")),
    );
  addSubcommand(command, "trigger", "Start a run of one schedule now")
    .argument("[schedule]", `Schedule: ${either}. Default: nightly`, named)
    .action((names = ["nightly"], _, self) => change(self, names, (schedule) => schedule.trigger()));
  addSubcommand(command, "remove", "Remove all schedules, and keep workers from creating them again").action(
    (_, self) =>
      onSite(self, async (client, opening) => {
        const { configuration, vault } = opening;
        await requireOwnVault(opening);
        await changeSiteNotes(vault.own, () => ({ schedulesRemovedAt: now().toISOString() }));
        await toSchedules(client, configuration.site.id, scheduleNames, (schedule) => schedule.delete());
      }),
  );
};

/** The verb that was called, with the options of `schedule` as well. */
interface CalledVerb {
  readonly optsWithGlobals: () => { readonly json?: true };
}

const either = `${scheduleNames.slice(0, -1).join(", ")} or ${scheduleNames.at(-1)}`;

function named(name: string): readonly ScheduleName[] {
  return [oneOf("schedule", scheduleNames)(name)];
}

/** Does the work, then shows the state of the schedules. */
async function onSite(called: CalledVerb, work: (client: Client, opening: Opening) => Promise<void>) {
  const opening = await open({ toleratesNoAnswer: true }); // a pause needs Temporal only
  const { id: site } = opening.configuration.site;
  await withClient(opening, async (client) => {
    await work(client, opening);
    const schedules = (await describeSchedules(client, site)).map(facts);
    const none = `${site} has no schedules. \`almanac schedule apply\` creates them`;
    printAs(
      called.optsWithGlobals().json,
      { schedules },
      schedules.length === 0 ? none : schedules.map(lines),
    );
  });
}

async function change(
  called: CalledVerb,
  names: readonly ScheduleName[],
  act: (schedule: ScheduleHandle) => Promise<void>,
) {
  await onSite(called, async (client, { configuration }) => {
    const { id: site } = configuration.site;
    const done = await toSchedules(client, site, names, act);
    const missing = names.filter((name) => !done.includes(name)).map((name) => scheduleIds[name](site));
    if (missing.length === 0) return;
    throw new NoSchedule(`no schedule ${missing.join(" or ")}. \`almanac schedule apply\` creates it`);
  });
}

function facts({ scheduleId, state, info }: ScheduleDescription) {
  const { nextActionTimes, recentActions, runningActions } = info;
  return {
    schedule: scheduleId,
    paused: state.paused,
    note: state.paused ? state.note : undefined,
    next: state.paused ? [] : nextActionTimes.slice(0, 3),
    last: recentActions.at(-1)?.takenAt,
    running: runningActions.map(({ workflow }) => workflow.workflowId),
    taken: info.numActionsTaken,
    missed: info.numActionsMissedCatchupWindow,
    skipped: info.numActionsSkippedOverlap,
  };
}

function lines(of: ReturnType<typeof facts>): Lines {
  const { schedule, paused, note, next, last, running, taken, missed, skipped } = of;
  const why = note === undefined || note === "" ? "" : `: ${plainLine(note)}`;
  const times = next.map((at) => utcMinute(at.toISOString())).join(", ");
  const counts = `started: ${taken}, missed: ${missed}, skipped because one was running: ${skipped}`;
  return [
    styled("bold", schedule),
    paused ? styled("yellow", `  paused${why}`) : `  next  ${times}`,
    `  last  ${last === undefined ? "never" : utcMinute(last.toISOString())}; ${counts}`,
    running.map((id) => `  runs  ${id}`),
  ];
}
