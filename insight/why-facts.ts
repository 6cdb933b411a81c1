// The facts of an answer of `almanac why`, and their sources: the published state, the withheld texts, and the vault. A file that
// can't be read becomes a fact, and the answer is made without it.
import { publishedReading } from "../publish/state/published-files.ts";
import { createPartReader } from "../publish/state/parts.ts";
import { readState } from "../publish/state/state.ts";
import { utcMinute } from "../readings/calendar.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { type ReadingRequest, requestKey, requestOf } from "../readings/request.ts";
import { ruleNames, ruleOfNote, setRules } from "../readings/rules/rule.ts";
import { dataPathOf } from "../site/paths.ts";
import { type Store, inParallel } from "../store/store.ts";
import { type Review, correctionsOf, allCorrections, type Correction } from "../vault/text-decisions.ts";
import { type Damaged, layout, UnreadableFile } from "../vault/files.ts";
import { reportAt } from "../vault/runs.ts";
import { shownReader } from "../vault/stored-readings.ts";
import type { Quarantined, StoredResponse, Vault } from "../vault/vault.ts";
import { readWithheld, type Withheld } from "../vault/withheld.ts";
import { editOf, staleAmong, textsOf } from "../readings/corrections.ts";

/** A line of the answer, as a person reads it and as `--json` has it. */
export interface Fact {
  /** The label of the line, such as `shows`, `reason`, `next` or `response`. */
  readonly about: string;
  /** A name to copy, such as a path, a request key or a run; for a reason, its kind. */
  readonly is?: string;
  /** The name of a text or a page that the path is made of. */
  readonly name?: string;
  readonly at?: string;
  readonly words?: string;
}

/** The reason why a text or path is not there and, if there is one, the next step: a command, or an event that happens by itself. */
export type Reason = readonly [reason: Fact, ...next: Fact[]];

export function because(is: string, words: string, next?: string): Reason {
  return [{ about: "reason", is, words }, ...(next === undefined ? [] : [{ about: "next", words: next }])];
}

export interface WhyInput {
  readonly configuration: Configuration;
  readonly vault: Vault;
  readonly site: Store;
  readonly now: Date;
}

export type WhySources = Awaited<ReturnType<typeof openSources>>;

export async function openSources(input: WhyInput) {
  const { vault, site } = input;
  const damaged = new Map<string, string>();
  const note = (found: readonly Damaged[]) => {
    for (const { file, reason } of found) damaged.set(file, damaged.get(file) ?? reason);
  };
  const state = await readState(site);
  const withheld = await readWithheld(vault.own);
  const stored = await shownReader({ vault, withheld });
  return {
    ...input,
    state,
    published: { site, manifest: state?.manifest, reader: createPartReader(site) },
    withheld,
    /** The reasons why files can't be read. */
    damaged,
    note,
    stored,
    read: async (requests: readonly ReadingRequest[]) => {
      const found = await stored(requests);
      note(found.damaged);
      return found.stored;
    },
    /** Undefined where the file is damaged or of another form, which is noted. */
    async unlessNoted<Result>(file: string, read: () => Promise<Result>) {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        note([{ file, reason: error.message }]);
        return undefined;
      }
    },
  };
}

// The facts about one text: its stored response, the rules that this passed, the run that requested it, and whether the
// published text is that response.

/** A text as the vault and the site have it. */
type Text = Awaited<ReturnType<typeof readText>>;

export async function readText(request: ReadingRequest, look: WhySources) {
  const { vault } = look;
  const key = requestKey(request);
  const data = dataPathOf(request);
  const [inVault] = await look.read([request]);
  const stored = inVault?.response;
  // A damaged file of the site is noted like a damaged response; `almanac verify` reports the details.
  const shown = await look.unlessNoted(data ?? key, () => publishedReading(look.published, request));
  // Shown until another response has its place.
  const superseded = await look.unlessNoted(layout.superseded(key), () => vault.superseded(key));
  const isSuperseded = superseded !== undefined && superseded.receivedAt === shown?.receivedAt;
  const response = isSuperseded ? superseded : stored;
  return {
    key,
    data,
    shown,
    response,
    inVault,
    isSuperseded,
    // Answers differ in the time at which they were received, which the published data contains too.
    isOther: shown !== undefined && shown.receivedAt !== response?.receivedAt,
    isUnreadable: look.damaged.has(layout.response(key)),
    isWithdrawn: look.withheld.isWithdrawn(key),
    quarantined: await look.unlessNoted(layout.quarantined(key), () => vault.quarantined(key)),
  };
}

/** One of the texts on a path, in one fact. */
export function summaryOf(text: Text): Fact {
  const { key, data, response } = text;
  const name = key.slice(key.lastIndexOf("/") + 1);
  const made = { about: "made of", is: data ?? key, name } as const;
  if (response === undefined) return { ...made, words: verdictOn(text) };
  const { receivedAt, run } = response;
  return { ...made, at: receivedAt, words: `${attemptsOf(response)}, ${run}, ${verdictOn(text)}` };
}

function verdictOn({ isWithdrawn, response, isUnreadable, isOther, quarantined }: Text) {
  if (isWithdrawn) return "withdrawn";
  if (response === undefined) {
    if (isUnreadable) return "unreadable";
    return quarantined === undefined ? "not in the vault" : "quarantined";
  }
  if (isOther) return "the site shows another response";
  if (response.accepted !== undefined) return `accepted by ${response.accepted.by}`;
  const notes = response.notes.filter((note) => ruleOfNote(note) !== undefined).length;
  return notes === 0 ? "passed" : `passed, ${notes} ${notes === 1 ? "note" : "notes"}`;
}

function attemptsOf({ tries }: StoredResponse) {
  return `${tries} ${tries === 1 ? "attempt" : "attempts"}`;
}

/** The details of a text. `isWhole`: the set rules have judged the text's set and found nothing. */
export async function factsOfText(text: Text, isWhole: boolean, look: WhySources): Promise<Fact[]> {
  const { key, data, shown, response, quarantined } = text;
  const facts: Fact[] = [{ about: "reading", is: key, words: data }];
  if (shown?.shownFrom !== undefined) facts.push({ about: "shown from", at: shown.shownFrom });
  facts.push(...(await correctionFacts(text, look)));
  facts.push(...originOf(text));
  if (response === undefined)
    facts.push({ about: "response", words: text.isUnreadable ? "unreadable" : "none in the vault" });
  else {
    const { receivedAt: at, run, address } = response;
    const report = await look.unlessNoted(`the report of ${run}`, () => reportAt(look.vault, run, at));
    const ended = report === undefined ? "" : `; ${report.state} at ${utcMinute(report.endedAt)}`;
    facts.push(
      { about: "response", is: text.isSuperseded ? layout.superseded(key) : layout.response(key) },
      { about: "received", at, words: `after ${attemptsOf(response)}` },
      { about: "from", is: address },
      { about: "run", is: run, words: `also the workflow ID${ended}` },
      ...rulesOf(response, isWhole, look.configuration),
    );
  }
  if (quarantined !== undefined) {
    const words = `another response: ${refusalWords(quarantined)}. \`almanac quarantine show ${key}\` shows it`;
    facts.push({ about: "quarantined", at: quarantined.at, words });
  }
  return facts;
}

/** The corrections that readers see, and those that no longer apply. */
async function correctionFacts({ key, shown, inVault }: Text, { withheld }: WhySources): Promise<Fact[]> {
  const edits = await correctionsOf(key, withheld);
  const reading = shown?.reading ?? inVault?.reading;
  const texts = reading && textsOf(reading);
  const facts = (reading?.corrected?.fields ?? []).flatMap((field): Fact[] => {
    const edit = editOf(field, texts?.get(field) ?? [], edits);
    return edit === undefined
      ? []
      : [{ about: "corrected", is: field, at: edit.at, words: `by ${edit.by}: ${edit.reason}` }];
  });
  for (const stale of inVault === undefined ? [] : staleAmong(inVault.reading, edits)) {
    const { seen, remedy } = staleWords(stale);
    facts.push(
      { about: "stale", is: stale.field, at: stale.at, words: seen },
      { about: "next", words: remedy },
    );
  }
  return facts;
}

/** Explains why the published text is not the response now stored in the vault. */
function originOf({ isSuperseded, isOther, isUnreadable, shown, response }: Text): Fact[] {
  if (isSuperseded) {
    const words = "a set rule rejected the response below; it is shown until another response replaces it";
    return [{ about: "superseded", words }];
  }
  if (!isOther || isUnreadable) return [];
  const seen = `the site shows a response of ${utcMinute(shown?.receivedAt ?? "")} that is no longer in the vault`;
  const becomes = response === undefined ? "it stays published" : "the next publish shows the one below";
  return [{ about: "differs", words: `${seen}: ${becomes}` }];
}

/** The rules that a response has passed: all that its notes don't name. A person's acceptance skips those after the refusal. */
function rulesOf(
  { notes, accepted }: StoredResponse,
  isWhole: boolean,
  configuration: Configuration,
): Fact[] {
  if (accepted !== undefined) {
    const { by, at, why } = accepted;
    return [
      { about: "rules", words: `rejected it: ${notes[0] ?? "no reason was stored"}` },
      { about: "waived", words: `by ${by} at ${utcMinute(at)}: ${why}` },
    ];
  }
  const noted = notes.filter((note) => ruleOfNote(note) !== undefined);
  const found = new Set<string | undefined>([...notes.map(ruleOfNote), ...(isWhole ? [] : setRules)]);
  const passed = ruleNames.filter((rule) => !found.has(rule));
  const levels = new Map<string | undefined, string>(Object.entries(configuration.quality.rules));
  return [
    { about: "rules", words: `passed: ${passed.join(", ")}` },
    ...noted.map((note): Fact => {
      const warns = levels.get(ruleOfNote(note)) === "warn" ? " (the configuration only warns)" : "";
      return { about: "noted", words: note + warns };
    }),
  ];
}

/** `by editor at 2026-11-21 08:00 UTC` */
export function reviewWords({ by, at, reason }: Review): string {
  return `by ${by} at ${utcMinute(at)}${reason === undefined ? "" : `: ${reason}`}`;
}

/** `Unfit (short): data.prediction.travel has 3 letters, fewer than 25` */
export function refusalWords({ type, rule, reason }: Quarantined): string {
  return `${type}${rule === undefined ? "" : ` (${rule})`}: ${reason}`;
}

// Stale corrections: the vault has another response than the one that a person corrected. The person decides again.

/** The stale corrections of all texts. `since`: a date; texts of periods that ended earlier are left out. */
export async function staleCorrections(vault: Vault, withheld: Withheld, since = ""): Promise<Correction[]> {
  const read = await shownReader({ vault });
  const found = await inParallel(await allCorrections(withheld), async ([key, edits]) => {
    const request = requestOf(key);
    if (request === undefined || request.period < since.slice(0, request.period.length)) return [];
    return (await read([request])).stored.flatMap(({ reading }) => staleAmong(reading, edits));
  });
  return found.flat();
}

export function staleWords({ key, field, by }: Correction) {
  return {
    seen: `the correction of ${field} in ${key} by ${by} no longer applies, because the service has sent another text`,
    remedy: `run \`almanac correct ${key} --field ${field} --reason ...\` to correct the new text, or add --undo to keep it`,
  };
}
