// One row per command: its summary, and the file with its options. --help and docs/command-line.md are generated from the rows.
import { type CommandRow, type CommandRows, newCommand, newSilentCommand } from "./terminal/command.ts";

// oxfmt-ignore
export const commands: CommandRows = {
  init: { about: "a folder for a site of your own, by five answers", load: () => import("./init/init.ts") },
  plan: { about: "what would be asked, what it costs; no call", load: () => import("./plan.ts") },
  nightly: { about: "start a night, or attach to the one under way", load: () => import("./nightly.ts") },
  backfill: { about: "fill in what languages, operations or dates lack", load: () => import("./backfill.ts") },
  publish: { about: "publish what is due from the vault; no call", load: () => import("./publish.ts") },
  schedule: { about: "let the nightly run, publish and scrub start by themselves", load: () => import("./schedule.ts") },
  status: { about: "progress of the running or the last run", load: () => import("./status/status.ts") },
  quarantine: { about: "the quarantined answers: list, show, accept, retry", load: () => import("./quarantine.ts") },
  log: { about: "the published states, newest first", load: () => import("./log.ts") },
  rollback: { about: "back to an earlier state of the site; no call", load: () => import("./rollback.ts") },
  render: { about: "render and publish past editions again from the vault; no call", load: () => import("./render.ts") },
  withdraw: { about: "remove one published text, or restore it", load: () => import("./withdraw.ts") },
  verify: { about: "everything that is published against its hashes", load: () => import("./verify.ts") },
  repair: { about: "mend what is published", load: () => import("./repair.ts") },
  gc: { about: "remove what no kept state needs", load: () => import("./gc.ts") },
  backup: { about: "copy vault and site to another place, hash by hash", load: () => import("./backup.ts") },
  restore: { about: "put back from a backup what vault and site lack", load: () => import("./restore.ts") },
  why: { about: "what a page was made from, back to response, rules and run, or why it is not there", load: () => import("./why.ts") },
  rejudge: { about: "today's rules, readers and templates over every answer ever stored", load: () => import("./rejudge/rejudge.ts") },
  rehearse: { about: "this configuration through simulated nights, in seconds; no call", load: () => import("./rehearse/rehearse.ts") },
  check: { about: "configuration, credentials, Temporal, stores: each asked for real", load: () => import("./check.ts") },
  preview: { about: "the site as theme and configuration on the disk would make it; publishes nothing", load: () => import("./preview/preview.ts") },
  serve: { about: "look at the site as a browser would get it", load: () => import("./serve.ts") },
  upgrade: { about: "what another version would change here, before it is installed", load: () => import("./upgrade/upgrade.ts") },
  deploy: { about: "copy the published site for a host that takes a folder", load: () => import("./deploy.ts") },
  pull: { about: "a published site's JSON in a folder, checked, for whatever builds pages from files", load: () => import("./pull.ts") },
  reading: { about: "one call, checked, printed; nothing stored", load: () => import("./reading/reading.ts") },
  local: { about: "everything on this machine: a night is gathered, published and shown", load: () => import("./local/local.ts") },
  service: { about: "this machine runs the site for good: units for systemd, with a Temporal of its own", load: () => import("./service/service.ts") },
  worker: { about: "a worker, for production", silent: true, load: () => import("./worker.ts") },
  sandbox: { about: "the local reading service, with invented texts", load: () => import("./sandbox.ts") },
};

/** The command without arguments and options, which its file adds. */
export function newCommandOf(name: string, { about, silent }: CommandRow) {
  return silent === true ? newSilentCommand(name, about) : newCommand(name, about);
}
