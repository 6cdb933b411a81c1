// One row per command: its summary, and the file with its options. --help and docs/command-line.md are generated from the rows.
import { type CommandRow, type CommandRows, newCommand, newSilentCommand } from "./terminal/command.ts";

// oxfmt-ignore
export const commands: CommandRows = {
  init: { about: "Create a site project", load: () => import("./init/init.ts") },
  plan: { about: "List the requests of the next run, with its duration and whether it fits", load: () => import("./plan.ts") },
  nightly: { about: "Start the nightly run, or attach to the running one", load: () => import("./nightly.ts") },
  backfill: { about: "Request missing readings of languages, operations or dates", load: () => import("./backfill.ts") },
  publish: { about: "Publish languages whose date has changed, from the vault", load: () => import("./publish.ts") },
  schedule: { about: "Manage the schedules of nightly runs, publishes and checks", load: () => import("./schedule.ts") },
  status: { about: "Show the progress of the running or last run", load: () => import("./status/status.ts") },
  quarantine: { about: "Review responses that failed validation", load: () => import("./quarantine.ts") },
  log: { about: "List the published versions, newest first", load: () => import("./log.ts") },
  rollback: { about: "Return the site to an earlier version", load: () => import("./rollback.ts") },
  render: { about: "Rebuild pages and data from the vault, and publish them", load: () => import("./render.ts") },
  withdraw: { about: "Remove one published text, or restore it", load: () => import("./withdraw.ts") },
  verify: { about: "Check every published file against its hash", load: () => import("./verify.ts") },
  repair: { about: "Repair the published site", load: () => import("./repair.ts") },
  gc: { about: "Delete files that no kept version needs", load: () => import("./gc.ts") },
  backup: { about: "Copy vault and site to a backup location", load: () => import("./backup.ts") },
  restore: { about: "Restore missing files of vault and site from a backup", load: () => import("./restore.ts") },
  why: { about: "Trace a page to its source response, or explain why it is missing", load: () => import("./why.ts") },
  revalidate: { about: "Apply today's validation rules and templates to all stored responses", load: () => import("./revalidate/revalidate.ts") },
  rehearse: { about: "Simulate nights with this configuration, in seconds", load: () => import("./rehearse/rehearse.ts") },
  check: { about: "Verify configuration, credentials, Temporal and storage", load: () => import("./check.ts") },
  preview: { about: "Preview the site with the theme and configuration on disk", load: () => import("./preview/preview.ts") },
  serve: { about: "Serve the published site on this machine", load: () => import("./serve.ts") },
  upgrade: { about: "Show what another version of Almanac would change", load: () => import("./upgrade/upgrade.ts") },
  deploy: { about: "Copy the published site for a static host", load: () => import("./deploy.ts") },
  pull: { about: "Download and verify a published site's JSON, for site generators", load: () => import("./pull.ts") },
  reading: { about: "Request one reading, validate it and print it", load: () => import("./reading/reading.ts") },
  local: { about: "Gather, publish and serve a site on this machine", load: () => import("./local/local.ts") },
  service: { about: "Run the site permanently on this machine, with systemd", load: () => import("./service/service.ts") },
  worker: { about: "Run a production worker", silent: true, load: () => import("./worker.ts") },
  sandbox: { about: "Run a local reading service with invented texts", load: () => import("./sandbox.ts") },
};

/** The command without arguments and options, which its file adds. */
export function newCommandOf(name: string, { about, silent }: CommandRow) {
  return silent === true ? newSilentCommand(name, about) : newCommand(name, about);
}
