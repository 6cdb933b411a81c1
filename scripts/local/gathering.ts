// The servers and runs of `almanac local`: first a backfill, which is a night for named languages, for those that can be read here,
// then the night for all. Both publish as usual, and the night reuses the responses that the backfill stored.
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@temporalio/client";
import { waitingNow } from "../../insight/review-list.ts";
import type { Language } from "../../readings/tables.ts";
import type { RunProgress } from "../../readings/run-messages.ts";
import { groupsIn, createPartReader, languageOf } from "../../publish/state/parts.ts";
import { readState } from "../../publish/state/state.ts";
import { addressOf } from "../../site/address.ts";
import { pathOf } from "../../site/paths.ts";
import type { Store } from "../../store/store.ts";
import { totalsOf } from "../terminal/progress.ts";
import { spawnSandboxProcess } from "../../packages/sandbox/spawn.ts";
import { Secret } from "../../service/secret.ts";
import { drainMs, openTemporal, startLocal } from "../../worker/local.ts";
import type { Opening } from "../../worker/opened-site.ts";
import type { Closing } from "../../worker/shutdown.ts";
import { RunUnderWay, startBackfill, startNightly, type StartedRun } from "../../worker/temporal/runs.ts";
import { applySchedules } from "../../worker/temporal/schedules.ts";
import { type ExitCode, exitCodes } from "../terminal/errors.ts";
import { counted, figureOf, type Lines, printJson, say, sentence } from "../terminal/output.ts";
import { warningLines } from "../terminal/findings.ts";
import { endLines, exitCodeOf } from "../terminal/run-words.ts";
import { followToEnd } from "../terminal/run.ts";
import { firstLanguages, systemLocale } from "../terminal/options.ts";
import { now } from "../../worker/settings/environment.ts";

/** Time limit of the first backfill: enough even at 30 s per response. If a language is unreachable, the night starts after this. */
const longestFirstMs = 10 * 60_000;

/** Time within which the end of a process is noticed, even on a busy machine. */
const deathNoticedMs = 2_000;

/** State of the running processes, as needed to stop them. */
export interface UnderWay {
  /** Kills the process that would otherwise keep running. */
  kill: () => void;
  /** Last known progress of the gathering run. */
  progress: RunProgress | undefined;
  /** Whether the Temporal server died: its clients then can't be closed gracefully. */
  isTemporalGone: boolean;
}

/** Thrown if the Temporal server of `almanac local` died. */
class LocalTemporalDied extends Error {
  override readonly name = "LocalTemporalDied";
}

export interface LocalEnd {
  readonly code: ExitCode;
  /** Message if Ctrl-C or the end of the worker interrupted the night. */
  readonly stopped?: () => Promise<Lines>;
}

export interface LocalOptions {
  readonly once?: true | undefined;
  readonly languages?: Language[] | undefined;
  readonly rate?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly port?: number | undefined;
  readonly json?: true | undefined;
}

interface Wish {
  readonly options: LocalOptions;
  /** URL of the local site; undefined with --once. */
  readonly url: string | undefined;
  readonly underWay: UnderWay;
}

export async function gatherHere(opening: Opening, wish: Wish, closing: Closing): Promise<LocalEnd> {
  const { options, url, underWay } = wish;
  const temporal = await openTemporal(opening, say, closing);
  underWay.kill = () => temporal.kill();
  const gone = temporal.died.then((how): never => {
    underWay.isTemporalGone = true;
    say(
      `the local Temporal server stopped at ${now().toISOString()}. Stopping: waiting up to ${drainMs / 1000} s for calls in flight`,
    );
    throw new LocalTemporalDied(
      `${how}. Run \`almanac local\` again: it continues the run, and requests no stored reading again`,
    );
  });
  gone.catch(() => undefined); // raced below; until then it is no unhandled rejection
  /** Reports the server's death instead of a call's error: the call often fails before the end of the process is noticed. */
  const unlessGone = <Result>(work: Promise<Result>): Promise<Result> =>
    Promise.race([work, gone]).catch(async (error: unknown) => {
      await Promise.race([gone, delay(deathNoticedMs)]);
      throw error;
    });
  const service = opening.service ?? (await openSandbox(closing));
  const starting = startLocal({ ...opening, service }, temporal, say, closing);
  const { workers, client, leaving, installation } = await unlessGone(starting);
  if (url !== undefined) say(`Temporal UI: ${temporal.uiUrl}`);
  let isStopped = false;
  const stop = async (): Promise<undefined> => {
    await Promise.race([closing.stopped, workers.done]);
    isStopped = true;
  };
  const stopped = stop();
  const follow: Following["follow"] = async (run, isEnough = () => false) => {
    say(run.attached ? `attached to ${run.id}` : `started ${run.id}`);
    const watched = { ...run, result: () => Promise.race([run.result(), gone]) };
    const progress = await followToEnd(watched, opening.vault, (seen) => {
      underWay.progress = seen;
      return isStopped || isEnough();
    });
    return isStopped ? undefined : progress;
  };
  const gathering = client.withAbortSignal(leaving, () =>
    nights(client, opening, wish, { installation, follow }),
  );
  gathering.catch(() => undefined); // it fails where it is left behind
  const ended = await unlessGone(Promise.race([gathering, stopped]));
  if (ended === undefined)
    return { code: exitCodes.failed, stopped: () => stoppedLines(underWay.progress, opening) };
  if (options.json === true) printJson(ended);
  await tellEnd(ended, opening, wish);
  if (url !== undefined) {
    await unlessGone(applySchedules(client, opening.configuration, installation));
    say("schedules started. Press Ctrl-C to stop");
    await Promise.race([stopped, gone]);
  }
  return { code: exitCodeOf(ended) };
}

interface Following {
  readonly installation: string;
  /** Undefined if it was stopped in the meantime. */
  readonly follow: (run: StartedRun, isEnough?: () => boolean) => Promise<RunProgress | undefined>;
}

async function nights(
  client: Client,
  { configuration, site: store }: Opening,
  { options: { languages }, url }: Wish,
  { installation, follow }: Following,
): Promise<RunProgress | undefined> {
  const { id: site } = configuration.site;
  const wanted = languages ?? configuration.languages;
  const first = url === undefined ? [] : firstLanguages(wanted, systemLocale());
  // With one language there is something to look at, and the night gathers the rest.
  if (url !== undefined && first.length > 0 && (await shownAmong(first, store)).length === 0) {
    const untilMs = performance.now() + longestFirstMs;
    say(`gathering ${namesInWords(first)} first, then the other languages. To limit them, use --languages`);
    const run = await startBackfill(client, site, { languages: first }, now(), installation);
    if ((await follow(run, () => performance.now() > untilMs)) === undefined) return undefined;
    const shown = await shownAmong(first, store);
    say(shown.length > 0 && "first pages published:", addressLines(shown, url));
  }
  const start = () => startNightly(client, site, { languages }, now(), installation);
  try {
    return await follow(await start());
  } catch (error) {
    if (!(error instanceof RunUnderWay) || error.other === undefined) throw error;
    // Only this command can finish that run, and the responses that it stores are not requested again.
    say(`waiting for the end of an active run with ${error.other.requested}`);
    if ((await follow(error.other.run)) === undefined) return undefined;
    return follow(await start());
  }
}

async function tellEnd(ended: RunProgress, opening: Opening, { options, url }: Wish) {
  const { site, location, configuration } = opening;
  const wanted = options.languages ?? configuration.languages;
  const system = new Intl.Locale(systemLocale()).language;
  const own = wanted.length > 3 ? wanted.filter((language) => language === system) : wanted;
  const waiting = await waitingNow({ ...opening, now: now() });
  say(endLines(ended), waiting && warningLines(waiting), await madeLines(site));
  if (url === undefined) say("to see the site: `npx almanac serve`");
  else say(`the site:    ${url}`, addressLines(await shownAmong(own, site), url));
  say(nextLines(location.kind));
}

async function openSandbox(closing: Closing) {
  const sandbox = await spawnSandboxProcess(["--faces"]);
  closing.add("the sandbox", () => sandbox.close());
  say("no credentials set: using the sandbox. Its texts are invented and stay under .almanac/sandbox/");
  const credentials = { token: new Secret(sandbox.token), apiKey: new Secret(sandbox.apiKey) };
  return { endpoints: sandbox.endpoints, credentials: async () => credentials };
}

// The messages.

/** The languages among these whose front page exists. */
async function shownAmong(languages: readonly Language[], site: Store): Promise<Language[]> {
  const pages = await Promise.all(
    languages.map((language) => site.read(pathOf({ row: "frontPage", language }))),
  );
  return languages.filter((_, index) => pages[index] !== undefined);
}

/** `German and English` */
function namesInWords(languages: readonly Language[]): string {
  const names = new Intl.DisplayNames("en", { type: "language" });
  return new Intl.ListFormat("en").format(languages.map((language) => names.of(language) ?? language));
}

/** A line for each language with the address of its front page. */
function addressLines(languages: readonly Language[], url: string): Lines {
  return languages.map(
    (language) => `  ${namesInWords([language])}: ${url}${addressOf(pathOf({ row: "frontPage", language }))}`,
  );
}

/** Counts of the published pages, languages and other files, from the manifest. */
async function madeLines(site: Store): Promise<Lines> {
  const state = await readState(site);
  if (state === undefined) return "nothing is published yet";
  const reader = createPartReader(site);
  const paths = (
    await Promise.all(groupsIn(state.manifest).map((group) => reader.files(state.manifest, group)))
  ).flatMap((files) => Object.keys(files));
  const languages = new Set(paths.map(languageOf).filter((language) => language !== undefined));
  const pages = paths.filter((path) => path.endsWith(".html")).length;
  const others = figureOf(paths.length - pages);
  return sentence(
    `the site has ${counted(pages, "page")} in ${counted(languages.size, "language")}, and ${others} other files: data, feeds, pictures`,
  );
}

function nextLines(kind: "sandbox" | "service"): Lines {
  const real =
    kind === "sandbox"
      ? "these texts are invented. For real ones, set the service's URLs, READING_SERVICE_TOKEN and READING_SERVICE_API_KEY in .env"
      : "`npx almanac plan` lists the requests of a run and its duration, `npx almanac service install --print` shows a permanent installation";
  return [
    sentence(
      "next: to change the name, languages or appearance of the site, edit almanac.config.ts and theme/. `npx almanac preview` shows the result while you edit",
    ),
    sentence(real, "      "),
  ];
}

/** Message after Ctrl-C during a night; without progress, nothing had begun. */
async function stoppedLines(
  progress: RunProgress | undefined,
  { configuration, site }: Opening,
): Promise<Lines> {
  const shown = await shownAmong(configuration.languages, site);
  const { planned, done, skipped } = totalsOf(Object.values(progress?.languages ?? {}));
  return [
    planned > 0 && `stored ${figureOf(done - skipped)} of ${counted(planned, "reading")} of this run`,
    shown.length > 0 && sentence(`published ${namesInWords(shown)}. To see it: \`npx almanac serve\``),
    "run the same command to continue. Stored readings are not requested again",
  ];
}
