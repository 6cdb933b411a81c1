// Facts about one text: its stored response, the rules that this passed, the run that requested it, and whether the
// published text is that response.
import { publishedReading, publishedAmong } from "../publish/state/published-files.ts";
import { isShownInDeck } from "../publish/render/withdrawn-texts.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { ruleNames, ruleOfNote, setRules } from "../readings/rules/rule.ts";
import { isFurtherDraw, type ReadingRequest, requestKey, requestsOf, setKey } from "../readings/request.ts";
import { dataPathOf, ownPaths } from "../site/paths.ts";
import type { StoredResponse } from "../vault/vault.ts";
import { loadSets } from "../vault/editions.ts";
import { layout } from "../vault/files.ts";
import { withoutBody } from "../vault/quarantine.ts";
import { reportAt } from "../vault/runs.ts";
import type { TextFacts, WhySources, SetFacts } from "./why-answer.ts";

/** `isWhole`: the set rules have judged the text's set and found nothing. */
export async function textFacts(
  request: ReadingRequest,
  isWhole: boolean,
  look: WhySources,
): Promise<TextFacts> {
  const key = requestKey(request);
  const data = dataPathOf(request);
  const stored = (await look.read([request]))[0]?.response;
  const isShown = await shows(request, look);
  const isDrawn = isShown && isFurtherDraw(request);
  const published = await shownReading(request, data, look);
  const shown = isDrawn ? stored?.receivedAt : published?.receivedAt;
  const superseded = await readSuperseded(key, look);
  const isSuperseded = superseded !== undefined && superseded.receivedAt === shown;
  const response = isSuperseded ? superseded : stored;
  const quarantined = await look.unlessNoted(layout.quarantined(key), () => look.vault.quarantined(key));
  return {
    key,
    data,
    isFrom: !isShown ? "nothing" : isSuperseded ? "superseded response" : originOf(response, shown),
    shownReceivedAt: shown,
    shownFrom: published?.shownFrom,
    response: response && factsOf(response, isSuperseded),
    rules: response && ruleResults(response, isWhole, look.configuration),
    run: response && (await runOf(response, look)),
    quarantined: quarantined && withoutBody(quarantined),
    withdrawn: look.withheld.note.withdrawn.find((one) => one.key === key),
  };
}

/** Notes a damaged file of the site like a damaged response; `almanac verify` reports the details. */
async function shownReading(request: ReadingRequest, data: string | undefined, look: WhySources) {
  if (data === undefined) return undefined;
  return look.unlessNoted(data, () => publishedReading(look.published, request));
}

async function readSuperseded(key: string, look: WhySources) {
  if (!look.superseded.has(key)) return undefined;
  return look.unlessNoted(layout.superseded(key), () => look.vault.superseded(key));
}

async function shows(request: ReadingRequest, { published, vault }: WhySources) {
  if (isFurtherDraw(request)) return isShownInDeck(request, published, vault);
  return (await publishedAmong(published, ownPaths(request))).length > 0;
}

/** Answers differ in the time at which they were received, which the published data contains too. */
function originOf(response: StoredResponse | undefined, shown: string | undefined) {
  if (shown === undefined) return "unknown";
  return response?.receivedAt === shown ? "stored response" : "another";
}

function factsOf({ body: _body, format: _format, ...facts }: StoredResponse, isSuperseded: boolean) {
  return { file: isSuperseded ? layout.superseded(facts.key) : layout.response(facts.key), ...facts };
}

/** The rules that a response has passed: all that its notes don't name. A person's acceptance skips those after the refusal. */
function ruleResults(
  { notes, accepted }: StoredResponse,
  isWhole: boolean,
  { quality: { rules } }: Configuration,
) {
  const noted = notes.flatMap((note) => {
    const rule = ruleOfNote(note);
    return rule === undefined ? [] : [{ rule, note, isWarning: isWarning(rule, rules) }];
  });
  if (accepted !== undefined) {
    return { passed: [], noted: [], waived: { ...accepted, note: notes[0] ?? "no reason was stored" } };
  }
  const passed = ruleNames.filter(
    (rule) => !noted.some((one) => one.rule === rule) && (isWhole || !setRules.some((one) => one === rule)),
  );
  return { passed, noted };
}

function isWarning(rule: string, rules: Configuration["quality"]["rules"]) {
  return Object.entries(rules).some(([name, level]) => name === rule && level === "warn");
}

async function runOf({ run: id, receivedAt }: StoredResponse, look: WhySources) {
  const report = await look.unlessNoted(`the report of ${id}`, () => reportAt(look.vault, id, receivedAt));
  return report === undefined ? { id } : { id, state: report.state, endedAt: report.endedAt };
}

// Facts about one set: the readings that the vault has of it, and whether it can be rendered now.

/** The requests of the set that is published, or held back, with this text. */
export function requestsOfSet(request: ReadingRequest): readonly ReadingRequest[] {
  const { operation, language, period } = request;
  const all = requestsOf(operation, language, period);
  return all.length === 0 ? [request] : all; // a pair, or a person's
}

export async function factsOfSet(requests: readonly ReadingRequest[], look: WhySources): Promise<SetFacts> {
  const { sets, passedOver, damaged } = await loadSets([requests], look.source, false);
  look.note(damaged);
  const [first] = requests;
  return {
    set: first === undefined ? "" : setKey(first),
    readings: (await heldOf(requests, look)).size,
    of: requests.length,
    ...(sets.length > 0 ? {} : { hindrance: passedOver[0]?.reason ?? "it is unreadable" }),
  };
}

/** The keys of the readings that the vault has and that can be read. */
export async function heldOf(
  requests: readonly ReadingRequest[],
  { read }: WhySources,
): Promise<Set<string>> {
  return new Set((await read(requests)).map(({ reading }) => requestKey(reading)));
}
