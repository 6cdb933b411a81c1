// `almanac quarantine`: the responses that failed validation, for a person to judge. No Temporal, and no call.
import { planFor } from "../insight/plan.ts";
import { minuteOf, utcMinute } from "../readings/calendar.ts";
import { type ReadingRequest, requestKey, type RequestKey, requestOf } from "../readings/request.ts";
import { refusedAlikeAfter } from "../readings/gather-rules.ts";
import type { Attribution } from "../vault/journal.ts";
import type { Quarantined, Vault } from "../vault/vault.ts";
import { readingFrom, rejectionDespite } from "../vault/stored-readings.ts";
import { remedyFor } from "../vault/call-notes.ts";
import {
  accept,
  storedResponseOf,
  offencesIn,
  quarantine,
  quarantinedAt,
  requireReadable,
  retry,
  withoutBody,
} from "../vault/quarantine.ts";
import { open, type Opening, requireOwnVault } from "../worker/opened-site.ts";
import { now } from "../worker/settings/environment.ts";
import { nearestName } from "../worker/settings/nearest-name.ts";
import { nightlyId } from "../workflows/names.ts";
import { readingLines } from "./reading/print.ts";
import { addAttribution, addSubcommand, type Define } from "./terminal/command.ts";
import { exitCodes, WrongUsage } from "./terminal/errors.ts";
import { type Ask, asking } from "./terminal/interview.ts";
import { attributionIn, required } from "./terminal/options.ts";
import { rejectedRemedy } from "./terminal/run-words.ts";
import {
  type CommandResult,
  counted,
  type Lines,
  plainLine,
  printAs,
  printResult,
  say,
  sentence,
  styled,
  tableLines,
} from "./terminal/output.ts";

export const define: Define = (command) => {
  addSubcommand(command, "list", "List the responses in quarantine, with reasons").action(async (_, self) => {
    const entries = await quarantine((await requireOwnVault(await open())).vault);
    const document = { quarantined: entries.map(withoutBody) };
    printAs(self.optsWithGlobals().json, document, quarantineLines(entries));
  });
  addSubcommand(command, "show", "Show one response, with its text as readers would see it")
    .argument("<key>", "Request key, such as daily/2026-11-21/hi/daily-horoscope/leo")
    .action(async (key, _, self) => {
      const entry = await entryAt((await requireOwnVault(await open())).vault, key);
      printAs(self.optsWithGlobals().json, entry, entryLines(entry));
    });
  const accepting = "Show why a response was rejected, ask for confirmation, and accept it";
  addAttribution(addSubcommand(command, "accept", accepting))
    .argument("<key>", "Request key, such as daily/2026-11-21/hi/daily-horoscope/leo")
    .option("--yes", "Accept without asking. Read the text first with `almanac quarantine show`")
    .action(async (key, { yes = false, ...said }, self) => {
      const opening = await requireOwnVault(await open());
      const acceptance = { ...attributionIn(said, opening.environment), at: now() };
      printResult(self.optsWithGlobals().json, await acceptAnswer(opening, key, acceptance, asking(yes)));
    });
  const retrying = "Delete a response, so that the next run requests it again";
  addAttribution(addSubcommand(command, "retry", retrying))
    .argument("<key>", "Request key, such as daily/2026-11-21/hi/daily-horoscope/leo")
    .action(async (key, said, self) => {
      const opening = await requireOwnVault(await open());
      const discarding = { ...attributionIn(said, opening.environment), at: now() };
      printResult(self.optsWithGlobals().json, await retryAnswer(opening, key, discarding));
    });
  command.addHelpText(
    "after",
    `
Example: read a rejected response, then accept it:
  almanac quarantine list
  almanac quarantine show daily/2026-11-21/hi/daily-horoscope/leo
  almanac quarantine accept daily/2026-11-21/hi/daily-horoscope/leo --reason "short, but complete"`,
  );
};

interface Judgement extends Attribution {
  readonly at: Date;
}

/** Shows an answer's rule violations, and stores it if the person confirms. */
export async function acceptAnswer(
  { configuration, vault }: Pick<Opening, "configuration" | "vault">,
  key: RequestKey,
  { reason, by, at }: Judgement,
  ask: Ask | undefined,
): Promise<CommandResult> {
  const entry = await entryAt(vault, key);
  const accepted = {
    by,
    at: at.toISOString(),
    why: required(
      reason,
      `missing option --reason. Give a reason for the record: \`almanac quarantine accept ${key} --reason "..."\``,
    ),
  };
  const response = requireReadable(storedResponseOf(entry, accepted));
  const rejection = await rejectionDespite(response, vault, configuration.quality.rules);
  say(
    entry.key,
    offencesIn(entry).map(({ reason: offence, paragraphs }) => {
      const excerpt = excerptOf(offence, paragraphs);
      return [offence, excerpt !== "" && sentence(excerpt, "  ")];
    }),
    rejection !== undefined && sentence(`if you accept it, its set is still not published: ${rejection}`),
  );
  if (ask === undefined) {
    throw new WrongUsage(
      `cannot ask for confirmation without a terminal. Read the text with \`almanac quarantine show ${key}\`, then add --yes`,
    );
  }
  if (!(await ask("Publish this text anyway, without its markup?"))) {
    return {
      document: { key, accepted: null },
      lines: `${key} is not accepted and stays in quarantine`,
      code: exitCodes.failed,
    };
  }
  await accept(vault, entry, accepted);
  const lines =
    rejection === undefined
      ? `${key} accepted by ${accepted.by}. The next publish includes it with its set`
      : [
          `${key} accepted by ${accepted.by}, but its set is still not published: ${rejection}`,
          sentence(`next: ${rejectedRemedy(key)}`),
        ];
  return { document: { key, accepted, rejection }, lines };
}

/** Discards an answer, so that it is requested again. */
export async function retryAnswer(
  opening: Pick<Opening, "configuration" | "vault" | "site">,
  key: RequestKey,
  { at, ...by }: Judgement,
): Promise<CommandResult> {
  await entryAt(opening.vault, key);
  await retry(opening.vault, key, { ...by, at: at.toISOString() });
  const request = requestOf(key);
  const due = request !== undefined && (await isDueAgain(opening, request, at));
  const narrowed =
    request === undefined ? "" : ` --languages ${request.language} --operations ${request.operation}`;
  const lines = due
    ? `${key} removed from quarantine. The next run requests it again: \`almanac nightly\` starts one`
    : `${key} removed from quarantine, but no nightly run requests it. If the service still offers it, \`almanac backfill${narrowed} --from ... --to ...\` requests it`;
  return { document: { key, due }, lines };
}

async function entryAt(vault: Vault, key: RequestKey): Promise<Quarantined> {
  const entry = await quarantinedAt(vault, key);
  if (entry !== undefined) return entry;
  const nearest = nearestName(key, await vault.inQuarantine(""));
  const what = requestOf(key) === undefined ? "a request key" : "in quarantine";
  throw new WrongUsage(`"${key}" is not ${what}`, nearest, {
    allowed: "`almanac quarantine list` lists the keys",
  });
}

/** Whether the next night would send a request again, according to its plan. */
async function isDueAgain(
  opening: Pick<Opening, "configuration" | "vault" | "site">,
  request: ReadingRequest,
  at: Date,
): Promise<boolean> {
  const asOf = at.toISOString();
  const only = { languages: [request.language], operations: [request.operation] };
  const run = nightlyId(opening.configuration.site.id, asOf.slice(0, 10));
  const { due, leftOut } = await planFor(
    { run, kind: "nightly", request: { asOf, ...only } },
    { ...opening, now: () => at },
  );
  const key = requestKey(request);
  return [...due, ...leftOut].some((line) => line.key === key);
}

function quarantineLines(entries: readonly Quarantined[]): Lines {
  if (entries.length === 0) return "the quarantine is empty";
  const rows = entries.map(({ key, type, rule = "", tries, at, reason }) => [
    key,
    type,
    rule,
    tries,
    minuteOf(at),
    plainLine(reason),
  ]);
  return [
    tableLines(["request", "type", "rule", "tries", "when (UTC)", "reason"], rows),
    `${entries.length} in quarantine. \`almanac quarantine show <request>\` shows the text of one`,
    alikeLines(entries),
  ];
}

/** A line for each language in which one rule refused a set's worth of answers or more: they share one remedy. */
function alikeLines(entries: readonly Quarantined[]): string[] {
  const groups = Map.groupBy(entries, ({ key, rule = "" }) => `${requestOf(key)?.language ?? ""} ${rule}`);
  return [...groups].flatMap(([name, { length }]) => {
    const [language = "", rule = ""] = name.split(" ");
    if (length < refusedAlikeAfter || language === "" || rule === "") return [];
    return [`${language}: ${length} rejected by the rule "${rule}". Next: ${remedyFor(rule)}`];
  });
}

export function entryLines(entry: Quarantined): readonly Lines[] {
  const { key, type, rule, reason, at, tries, run, address } = entry;
  return [
    styled("bold", key),
    `${rule === undefined ? type : `${type} (${rule})`}: ${plainLine(reason)}`,
    plainLine(`requested ${counted(tries, "time")} by ${run}, last at ${utcMinute(at)}, from ${address}`),
    "",
    textLines(entry),
  ];
}

const mostShown = 240;
const before = 80;

/** The words quoted in the reason, with their context; if it quotes none, the beginning of the text. */
function excerptOf(reason: string, paragraphs: readonly string[]): string {
  const quoted = /“([^”]{1,40})/.exec(reason)?.[1]?.trim() ?? "";
  const paragraph = paragraphs.find((one) => one.includes(quoted)) ?? paragraphs[0] ?? "";
  const from = quoted === "" ? 0 : Math.max(0, paragraph.indexOf(quoted) - before);
  const shown = paragraph.slice(from, from + mostShown);
  return `${from > 0 ? "…" : ""}${shown}${from + mostShown < paragraph.length ? "…" : ""}`;
}

/** The text as a reader would see it; the original answer if it can't be parsed. */
function textLines(entry: Quarantined): Lines {
  if (entry.body === undefined) return ["no response was stored"];
  try {
    return readingLines(readingFrom(storedResponseOf(entry)).reading, []);
  } catch {
    return [
      "it cannot be parsed as a reading. The raw response:",
      ...entry.body.split(/\r?\n/).map(plainLine),
    ];
  }
}
