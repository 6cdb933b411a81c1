// Lists the sets to review, and records a person's decision on the texts that were listed.
import { type ReviewFilter, setsToReview, setToReview } from "../../insight/review-list.ts";
import { type SetState, textsToReview } from "../../insight/set-states.ts";
import { countChanges } from "../../publish/history/past-states.ts";
import { hashSeen, publishApproved, recordReview } from "../../publish/review.ts";
import { startOfDay, utcMinute } from "../../readings/calendar.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { requestKey } from "../../readings/request.ts";
import { decidedOn, reviewOutcomes, type ReviewDecision } from "../../readings/review.ts";
import type { Operation } from "../../readings/tables.ts";
import type { Attribution } from "../../vault/journal.ts";
import type { Publisher } from "../../worker/publisher.ts";
import { exitCodes, WrongUsage } from "../terminal/errors.ts";
import { changeResult, countsInWords, passedOverLines } from "../terminal/findings.ts";
import type { Ask } from "../terminal/interview.ts";
import { languagesIn, required, requirePart } from "../terminal/options.ts";
import { type CommandResult, counted, type Lines, say, sentence, tableLines } from "../terminal/output.ts";

/** The sets that a person names: one of them, or those of languages. */
type ReviewWish = ReviewFilter & { readonly set?: string };

export function wishIn(
  named: string,
  {
    dateIn,
    operations,
  }: Pick<ReviewFilter, "dateIn"> & { readonly operations?: readonly Operation[] | undefined },
  configuration: Configuration,
): ReviewWish {
  if (named.includes("/")) return { set: named.replace(/\/$/, "") };
  const part = { languages: languagesIn(named), ...(operations && { operations }) };
  requirePart(configuration, part);
  return { ...part, dateIn };
}

/** The document and the table of sets, with the hash of their texts as they are now. */
export function reviewLines(sets: readonly SetState[], configuration: Configuration) {
  const rows = sets.map((one) => rowOf(one, configuration));
  const seen = hashSeen(sets.flatMap(textsToReview));
  const cells = rows.map(({ set, state, texts, at }) => [set, state, texts.length, utcMinute(at)]);
  const count = rows.reduce((sum, { texts }) => sum + texts.length, 0);
  const lines: Lines =
    rows.length === 0
      ? "no text waits for review"
      : [
          tableLines(["set", "state", "texts", "midnight"], cells),
          `${counted(rows.length, "set")} with ${counted(count, "text")}. Hash for --seen: ${seen}`,
        ];
  return { document: { sets: rows, seen: rows.length === 0 ? null : seen }, lines };
}

function rowOf(set: SetState, configuration: Configuration) {
  const { state, review, reviews } = set;
  const texts = textsToReview(set);
  const [newest] = texts.toSorted((one, other) => (one.receivedAt < other.receivedAt ? 1 : -1));
  const zone = zoneOf(configuration, set.requests[0]?.language ?? "en");
  const date = newest && decidedOn(newest.reading, newest.receivedAt, zone);
  return {
    set: set.set,
    state: state === "waiting" && set.isPublished ? "waiting, published" : state,
    isPublished: set.isPublished,
    late: review.mode === "before" ? review.late : null,
    at: date === undefined ? "" : startOfDay(zone, date).toISOString(),
    texts: texts.map(({ reading }) => requestKey(reading)),
    rejections: [...new Set(reviews.values())]
      .filter(({ kind }) => kind === "reject")
      .map(({ by, at, reason }) => ({ by, at, reason })),
  };
}

interface Deciding {
  readonly kind: ReviewDecision;
  readonly wish: ReviewWish;
  readonly seen: string | undefined;
  readonly said: Attribution;
}

/** Shows the sets, asks, records the decision, and publishes approved sets that are due. */
export async function decide(
  { kind, wish, seen, said }: Deciding,
  ask: Ask | undefined,
  { publishing, written }: Publisher,
): Promise<CommandResult> {
  const { configuration } = publishing;
  if (kind === "reject")
    required(
      said.reason,
      'missing option --reason. Give a reason for the journal, such as --reason "wrong tone"',
    );
  const sets = await setsIn(wish, publishing);
  const { document, lines } = reviewLines(sets, configuration);
  const about = { kind, ...said, ...document };
  if (sets.length === 0) return { document: { ...about, version: null }, lines };
  if (seen !== undefined && seen !== document.seen)
    throw new WrongUsage(
      `a text or a decision has changed since the hash ${seen} was printed. Read the texts again, then use the hash that \`almanac review list\` prints`,
    );
  say(lines);
  if (ask === undefined)
    throw new WrongUsage("cannot ask for confirmation without a terminal. Read the texts, then add --yes");
  if (!(await ask(kind === "approve" ? "Approve these texts?" : "Reject these texts?")))
    return { document: { ...about, version: null }, lines: "nothing was changed", code: exitCodes.failed };
  const texts = sets.flatMap(textsToReview);
  await recordReview(kind, texts, said, publishing);
  const published =
    kind === "reject"
      ? []
      : await publishApproved(texts, publishing).catch((error: unknown) => {
          say("the approval is recorded, but not published. Fix the error, then run `almanac publish`");
          throw error;
        });
  const changes = published.flatMap((one) => one.changes);
  const passedOver = published.flatMap((one) => one.passedOver);
  const { version = null } = published.at(-1) ?? {};
  const isShown = sets.some(({ isPublished }) => isPublished);
  return changeResult(
    { ...about, version, passedOver },
    { changes, passedOver },
    written,
    written === undefined && [
      `${counted(sets.length, "set")} with ${counted(texts.length, "text")} ${reviewOutcomes[kind]} by ${said.by}`,
      kind === "approve" && changes.length === 0 && "they are published at midnight, or by the next publish",
      changes.length > 0 && [`published version ${version}`, `  ${countsInWords(countChanges(changes))}`],
      kind === "reject" &&
        sentence(
          isShown
            ? "the site still shows texts of these sets. To remove one: `almanac withdraw`. To replace one: `almanac correct`"
            : "they are not published unless you approve them: `almanac review approve`",
        ),
      passedOverLines(passedOver),
    ],
  );
}

/** A rejected set is approved only if it is named. */
async function setsIn(wish: ReviewWish, publishing: Publisher["publishing"]): Promise<SetState[]> {
  const input = { ...publishing, now: publishing.now() };
  if (wish.set === undefined)
    return (await setsToReview(wish, input)).filter(({ state }) => state !== "rejected");
  const found = await setToReview(wish.set, input);
  if (found === undefined)
    throw new WrongUsage(`"${wish.set}" is not a set. \`almanac review list\` lists the sets`);
  const { missing, set, reason } = found;
  if (missing.length > 0 || textsToReview(found).length === 0)
    throw new WrongUsage(`${set} is not complete: ${reason}. Run \`almanac why ${set}\``);
  return [found];
}
