// The command line: one row a command. Its file is loaded only when that command is called for, so that --help is quick.
import { Command } from "@commander-js/extra-typings";
import packageJson from "../package.json" with { type: "json" };
import { type Define, helpFormat, newCommand, newSilentCommand, output } from "./terminal/command.ts";
import { isDone } from "./terminal/errors.ts";
import { printFailure } from "./terminal/output.ts";

interface CommandRow {
  readonly about: string;
  /** It has no document for --json. */
  readonly silent?: true;
  readonly load: () => Promise<{ readonly define: Define }>;
}

// oxfmt-ignore
const commands: Readonly<Record<string, CommandRow>> = {
  plan: { about: "what would be asked, what it costs; no call", load: () => import("./plan/plan.ts") },
  nightly: { about: "start a night, or attach to the one under way", load: () => import("./nightly.ts") },
  backfill: { about: "fill in what languages, operations or dates lack", load: () => import("./backfill.ts") },
  turn: { about: "publish what is due from the vault; no call", load: () => import("./turn.ts") },
  schedule: { about: "let the nightly run, the turn and the patrol start by themselves", load: () => import("./schedule.ts") },
  status: { about: "progress of the running or the last run", load: () => import("./status/status.ts") },
  quarantine: { about: "the answers set aside: list, show, accept, retry", load: () => import("./quarantine/quarantine.ts") },
  log: { about: "the published states, newest first", load: () => import("./log.ts") },
  rollback: { about: "back to an earlier state of the site; no call", load: () => import("./rollback.ts") },
  press: { about: "press and publish past editions again from the vault; no call", load: () => import("./press.ts") },
  withdraw: { about: "take one published text away, or bring it back", load: () => import("./withdraw/withdraw.ts") },
  verify: { about: "everything that is published against its hashes", load: () => import("./verify.ts") },
  repair: { about: "mend what is published", load: () => import("./repair.ts") },
  gc: { about: "remove what no kept state needs", load: () => import("./gc.ts") },
  backup: { about: "copy vault and site to another place, hash by hash", load: () => import("./backup.ts") },
  restore: { about: "put back from a backup what vault and site lack", load: () => import("./restore.ts") },
  why: { about: "what a page was made from, back to answer, gates and run, or why it is not there", load: () => import("./why/why.ts") },
  rejudge: { about: "today's rules, readers and templates over every answer ever kept", load: () => import("./rejudge/rejudge.ts") },
  rehearse: { about: "this configuration through simulated nights, in seconds; no call", load: () => import("./rehearse/rehearse.ts") },
  check: { about: "configuration, credentials, Temporal, stores: each asked for real", load: () => import("./check.ts") },
  preview: { about: "the site as theme and configuration on the disk would make it; publishes nothing", load: () => import("./preview/preview.ts") },
  serve: { about: "look at the site as a browser would get it", load: () => import("./serve.ts") },
  pull: { about: "a published site's JSON in a folder, checked, for whatever builds pages from files", load: () => import("./pull.ts") },
  reading: { about: "one call, checked, printed; nothing stored", load: () => import("./reading/reading.ts") },
  local: { about: "everything on this machine: a night is gathered, published and shown", load: () => import("./local/local.ts") },
  worker: { about: "a worker, for production", silent: true, load: () => import("./worker.ts") },
  sandbox: { about: "the local reading service, with invented texts", load: () => import("./sandbox.ts") },
};

const words = process.argv.slice(2);

// `almanac reading --list | head` closes the pipe early, which is no fault. What has more to close than itself, such as
// `almanac local 2>&1 | head`, is told to stop as by a signal.
let isReadOn = true;
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (isReadOn && !process.emit("SIGTERM", "SIGTERM")) process.exit();
    isReadOn = false;
  });
}

try {
  const program = await programFor(words);
  await program.parseAsync();
} catch (error) {
  if (!isDone(error)) {
    process.exitCode = printFailure(error, {
      json: words.includes("--json"),
      verbose: words.includes("--verbose"),
    });
  }
}

/** All commands for --help to list, and the one that these words name with its options. */
async function programFor(given: readonly string[]) {
  const program = new Command("almanac")
    .description(packageJson.description)
    .version(packageJson.version, "--version", "print the version")
    .helpOption("--help", "show this help; after a command, the command's own")
    .exitOverride()
    .configureOutput(output)
    .configureHelp(helpFormat)
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 done, with something set aside",
    );
  const [first, second] = given.filter((word) => !word.startsWith("-"));
  const named = first === "help" ? second : first;
  for (const [name, { about, silent, load }] of Object.entries(commands)) {
    const command = silent === true ? newSilentCommand(name, about) : newCommand(name, about);
    if (name === named) (await load()).define(command);
    program.addCommand(command);
  }
  return program;
}
