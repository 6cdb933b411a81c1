// Nights as Temporal would bring them through: the workflows' order of things in short, with the real activities. A run lives on
// when a machine dies; the activity that was under way is begun again, on any machine.
import { ApplicationFailure } from "@temporalio/common";
import type { createActivities } from "../../../activities/index.ts";
import { packKeys, unpackKeys } from "../../../readings/plan-order.ts";
import type { Language } from "../../../readings/tables.ts";
import { requestOf, type RequestKey, setKey } from "../../../readings/request.ts";
import type {
  BatchOutcome,
  BatchResult,
  Batch,
  EditionPlan,
  JudgedSet,
  RunPlan,
  RunProgress,
} from "../../../readings/run-messages.ts";
import { pick } from "../../../packages/sandbox/random.ts";
import { asActivity } from "./activity.ts";
import type { Strike, Task } from "./stage.ts";
import type { World } from "./world.ts";

type Activities = ReturnType<typeof createActivities>;

export interface NightInput {
  readonly kind: "nightly" | "backfill";
  readonly asOf: string;
  readonly languages?: readonly Language[];
  readonly from?: string;
  readonly to?: string;
}

export interface NightEnd {
  /** Requests that were planned. */
  readonly planned: number;
  readonly skipped: readonly RequestKey[];
  /** Reason why a publish failed. */
  readonly unpublished: readonly Error[];
}

const mostTries = 12;
/** Failures of an attempt that had nothing to do: another process has the endpoint or the site. */
const waits = new Set(["NotOwner", "BreakerOpen", "HeldUp", "LeaseHeld"]);
const mostWaits = 500;
const mostJudgements = 3;
const mostAsked = 3;
/** After so long Temporal takes a machine for dead. */
const heartbeatMs = 30_000;
const mainMs = 15 * 60_000;

/** An activity, retried until it succeeds or fails permanently. */
class Run {
  readonly world: World;
  readonly name: string;
  readonly start: string;
  readonly startedAt: string;
  #begun = 0;

  constructor(world: World, name: string) {
    this.world = world;
    this.name = name;
    this.start = `start-${world.stage.steps}-${world.stage.upTo(1_000)}`;
    this.startedAt = new Date(world.stage.atMs).toISOString();
  }

  async activity<Result>(
    what: string,
    work: (activities: Activities, task: Task) => Promise<Result>,
    { lastsMs = mainMs, isShared = false } = {},
  ): Promise<Result> {
    const { stage, workers } = this.world;
    const activity = `${what}-${(this.#begun += 1)}`;
    const beat = { details: undefined };
    let failure: unknown;
    let waited = 0;
    for (let attempt = 1; attempt - waited <= mostTries; attempt += 1) {
      const machine = pick(stage.random, workers);
      const name = `${this.name} ${activity} (${attempt}) on ${machine.name}`;
      const strike = attempt - waited < mostTries / 2 ? this.#strike() : undefined;
      const given = { activity, attempt, run: this.name, start: this.start, atMs: stage.atMs, beat };
      const settings = {
        name,
        machine,
        strike,
        lastsMs,
        isShared,
        run: this.name,
        activity: `${this.start}/${activity}`,
      };
      const ended = await this.world.task(settings, ({ activities, task }) =>
        asActivity({ ...given, startToCloseMs: lastsMs }, () => work(activities, task)),
      );
      if (ended.kind === "done") {
        if (!(await this.#isForgotten(settings.activity))) return ended.value;
        [attempt, waited, beat.details] = [0, 0, undefined];
        continue;
      }
      if (ended.kind === "dead") {
        if (ended.how === "given up") this.world.marks.reach("an attempt given up that went on");
        await stage.sleep(stage.upTo(heartbeatMs));
        failure = new Error(`${name} died`);
        continue;
      }
      failure = ended.error;
      if (!(failure instanceof ApplicationFailure)) throw failure;
      if (failure.nonRetryable) throw failure;
      const { type, nextRetryDelay } = failure;
      if (type === "NotOwner") this.world.marks.reach("a batch that a standby refused");
      if (!waits.has(type ?? "") || waited >= mostWaits) continue;
      waited += 1;
      await stage.sleep(typeof nextRetryDelay === "number" ? nextRetryDelay : stage.upTo(heartbeatMs));
    }
    throw failure;
  }

  /** Temporal's database is restored to an earlier state, or an operator resets the run: completed work starts again. */
  async #isForgotten(activity: string): Promise<boolean> {
    const { stage, isTroubled, marks, reference } = this.world;
    if (!isTroubled || !stage.chance(0.05)) return false;
    reference.forgot(activity);
    await stage.sleep(stage.upTo(heartbeatMs));
    marks.reach("an activity that Temporal forgot");
    return true;
  }

  #strike(): Strike | undefined {
    const { stage, isTroubled } = this.world;
    return isTroubled && stage.chance(0.25) ? stage.strike() : undefined;
  }
}

export async function night(world: World, name: string, input: NightInput): Promise<NightEnd> {
  const run = new Run(world, name);
  const { kind, ...request } = input;
  const plan = await run.activity("plan", ({ plan: make }) =>
    make({ run: name, start: run.start, kind, request }),
  );
  if (plan.leftOut > 0) world.marks.reach("a ceiling that was reached");
  const editions = await Promise.all(plan.editions.map((edition) => gather(run, edition, plan)));
  const unpublished: Error[] = [];
  await publishAll(run, plan, input, unpublished);
  await run.activity("report", ({ report }) => report(progressOf(run, plan, input, editions)));
  const planned = plan.editions.reduce((sum, { tally }) => sum + plannedIn(tally), 0);
  return { planned, skipped: editions.flatMap(({ skipped }) => skipped), unpublished };
}

async function publishAll(
  run: Run,
  plan: RunPlan,
  { asOf }: NightInput,
  unpublished: Error[],
): Promise<void> {
  const { stage } = run.world;
  const isTogether = stage.chance(0.6);
  const batches = isTogether ? [plan.languages] : plan.languages.map((language) => [language]);
  for (const [index, languages] of batches.entries()) {
    const batch = { run: run.name, asOf, languages, last: index === batches.length - 1 };
    try {
      await run.activity("publish", ({ publish }, task) => {
        task.languages = languages;
        return publish(batch);
      });
    } catch (error) {
      unpublished.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

interface Gathered {
  readonly language: Language;
  readonly unanswered: number;
  readonly skipped: readonly RequestKey[];
}

async function gather(run: Run, edition: EditionPlan, plan: RunPlan): Promise<Gathered> {
  const asking = new Asking(run, plan);
  for (let page = 0; page < edition.pages; page += 1) {
    const batches = await run.activity("page", ({ planPage }) => planPage({ plan: edition.plan, page }));
    for (const batch of batches) await asking.batch(batch);
  }
  return { language: edition.language, unanswered: asking.unanswered, skipped: asking.skipped };
}

class Asking {
  readonly #run: Run;
  readonly #plan: RunPlan;
  unanswered = 0;
  readonly skipped: RequestKey[] = [];

  constructor(run: Run, plan: RunPlan) {
    this.#run = run;
    this.#plan = plan;
  }

  async batch(batch: Batch): Promise<void> {
    const keys = unpackKeys(batch.keys);
    const { outcomes, judged } = await this.#ask(batch, keys, 0, false);
    for (const [index, key] of keys.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined) await this.#goOn(batch, key, outcome, true);
    }
    const [first] = keys.map(requestOf);
    if (first !== undefined && "sign" in first) await this.#judge(setKey(first), batch, judged);
  }

  async #ask(
    batch: Batch,
    keys: readonly RequestKey[],
    triesBefore: number,
    isExtra: boolean,
  ): Promise<BatchResult> {
    const { isFirst } = batch;
    const isFresh = batch.isFresh && triesBefore === 0 && !isExtra;
    const input = { format: 1, run: this.#run.name, keys: packKeys(keys), width: 12 } as const;
    const lastsMs = this.#plan.limits.translator.startToCloseMs;
    const { stage, marks, reference } = this.#run.world;
    const begunMs = stage.atMs;
    try {
      const result = await this.#run.activity(
        `batch ${keys[0]}`,
        ({ callBatch }) => callBatch({ ...input, isFresh, isFirst, triesBefore, isExtra }),
        { lastsMs, isShared: true },
      );
      for (const [index, key] of keys.entries()) {
        const isHeld = result.outcomes[index]?.kind === "held";
        if (isHeld && reference.wasAskedByAnother(key, this.#run.name, begunMs))
          marks.reach("a call that two runs shared");
      }
      return result;
    } catch (error) {
      const failed = { kind: "failed", type: "Fault", reason: String(error), tries: triesBefore } as const;
      return { format: 1, outcomes: keys.map(() => failed) };
    }
  }

  async #goOn(batch: Batch, key: RequestKey, first: BatchOutcome, isPlanned: boolean): Promise<void> {
    const { marks } = this.#run.world;
    let asked = 1;
    for (let outcome = first, round = 0; ;) {
      if (outcome.kind === "held") marks.reach("an answer that was held already");
      if (outcome.kind !== "failed") return;
      const { type, tries } = outcome;
      if (type === "OverCeiling") marks.reach("a ceiling that was reached");
      if (type === "OverCeiling" || type === "Fault" || type === "OutOfReach" || round > mostTries) {
        this.unanswered += isPlanned && asked === 1 ? 1 : 0;
        return void this.skipped.push(key);
      }
      if (type === "NotRequested") await this.#run.world.stage.sleep(outcome.pauseMs ?? 0);
      else round += 1;
      if (type !== "NotRequested" && type !== "Unavailable" && (asked += 1) > mostAsked)
        return void this.skipped.push(key);
      const extra = !isPlanned || asked > 1;
      outcome = (await this.#ask(batch, [key], tries, extra)).outcomes[0] ?? outcome;
    }
  }

  async #judge(set: string, batch: Batch, first: JudgedSet | undefined): Promise<void> {
    let judged = first;
    let lost: JudgedSet["lost"];
    for (let judgement = 1; ; judgement += 1) {
      const last = judgement === mostJudgements;
      const given = { set, run: this.#run.name, last, lost };
      judged ??= await this.#run.activity("judge", ({ judgeSet }) => judgeSet(given));
      this.skipped.push(...judged.skipped.map(({ key }) => key));
      if (judged.again.length === 0) return;
      lost = judged.lost ?? lost;
      for (const key of judged.again) {
        const { outcomes } = await this.#ask(batch, [key], 0, true);
        if (outcomes[0] !== undefined) await this.#goOn(batch, key, outcomes[0], false);
      }
      judged = undefined;
    }
  }
}

function plannedIn(tally: EditionPlan["tally"]): number {
  return Object.values(tally).reduce((sum, { planned }) => sum + planned, 0);
}

function progressOf(
  { name, startedAt }: Run,
  plan: RunPlan,
  { asOf }: NightInput,
  gathered: readonly Gathered[],
): RunProgress {
  const languages = Object.fromEntries(
    plan.editions.map(({ language, tally }) => {
      const unanswered = gathered.find((one) => one.language === language)?.unanswered ?? 0;
      const [operation, counts] = Object.entries(tally)[0] ?? [];
      return [
        language,
        operation === undefined || counts === undefined
          ? tally
          : { ...tally, [operation]: { ...counts, unanswered } },
      ];
    }),
  );
  return {
    run: name,
    startedAt,
    asOf,
    state: "done",
    planned: plan.editions.reduce((sum, { tally }) => sum + plannedIn(tally), 0),
    held: plan.held,
    outOfReach: plan.outOfReach,
    leftOut: plan.leftOut,
    languages,
    skipped: [],
    refused: [],
    broken: {},
    published: [],
  };
}
