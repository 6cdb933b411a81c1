// The texts of the alerts that activities raise: after a run, after a publish, and when files are damaged. Each text gives the
// symptom, the impact on readers, and the command to run.
import { StateRefused } from "../publish/step/site-state.ts";
import { requestOf } from "../readings/request.ts";
import type { DamagedAnswer, PublishResult, RunProgress } from "../readings/run-messages.ts";
import { totalOf } from "../readings/tally.ts";
import { TemplateFault } from "../site/theme/filled.ts";
import type { ScrubFinding } from "../vault/scrub-note.ts";
import { changeSiteNotes } from "../vault/site-notes.ts";
import type { Vault } from "../vault/vault.ts";
import type { Dependencies } from "./dependencies.ts";

type Alerting = Pick<Dependencies, "alert" | "now">;

/** Growth of the quarantine that raises another alert: one set. */
const grownBy = 12;

/** Sends the alerts after a run, and pings the dead-man's switch after a nightly run that completed every language. */
export async function alertAboutRun(
  progress: RunProgress,
  { inQuarantine, once }: { readonly inQuarantine: number; readonly once: string },
  { alert, wentWell, configuration, vault }: Dependencies,
): Promise<void> {
  const lacking = lackingIn(progress);
  if (lacking.length > 0) {
    const text = `${progress.run} is incomplete: ${lacking.join("; ")}. Complete sets are published, the others keep the previous text, and the next run requests what is missing. Next: run \`almanac status\` to see the run, and \`almanac quarantine list\` to see the rejected responses.`;
    await alert({ kind: "edition-incomplete", text, once });
  }
  if (await isGrown(inQuarantine, vault)) {
    const text = `The quarantine has grown to ${inQuarantine} responses after ${progress.run}. Their sets keep the previous text. Next: run \`almanac quarantine list\`, which shows one remedy for all responses that were rejected alike.`;
    await alert({ kind: "quarantine-grown", text, once });
  }
  const isNight = progress.run.startsWith(`${configuration.site.id}-nightly-`);
  if (isNight && progress.state === "done" && Object.keys(progress.broken).length === 0) {
    await wentWell(progress.run);
  }
}

/** Faults of the run, as phrases. A cancelled run has none, because an operator wanted it to end. */
function lackingIn({ state, failure, skipped, languages, broken, refused, damaged = [] }: RunProgress) {
  if (state === "cancelled") return [];
  const count = totalOf(Object.values(languages)).skipped;
  const where = [...new Set(skipped.map(({ key }) => requestOf(key)?.language))]
    .filter((one) => one !== undefined)
    .sort();
  return [
    ...(state === "failed" ? [`it failed${failure === undefined ? "" : ` (${failure})`}`] : []),
    ...(count === 0
      ? []
      : [
          `${count} ${count === 1 ? "reading" : "readings"} rejected${where.length === 0 ? "" : ` in ${where.join(", ")}`}`,
        ]),
    ...(damaged.length === 0 ? [] : [damagedWords(damaged)]),
    ...Object.entries(broken).map(([language, reason]) => `${language} ended early (${reason})`),
    ...refused.map(({ operation }) => `${operation} rejected for every request (not in your subscription?)`),
  ];
}

/** True if the quarantine has grown by `grownBy` since the last alert. A smaller size is noted without an alert. */
async function isGrown(entries: number, { own }: Vault) {
  let grown = false;
  await changeSiteNotes(own, ({ quarantined }) => {
    grown = entries >= quarantined + grownBy;
    return grown || entries < quarantined ? { quarantined: entries } : undefined;
  });
  return grown;
}

const others = (all: readonly unknown[]) => (all.length === 1 ? "" : ` and ${all.length - 1} more`);
const keysOf = (damaged: readonly DamagedAnswer[]) => damaged.map(({ key }) => key).join(" ");

function damagedWords(damaged: readonly DamagedAnswer[]): string {
  const [first] = damaged;
  return `the stored response of ${first?.key}${others(damaged)} cannot be read (${first?.reason})`;
}

export async function alertAboutDamage(
  damaged: readonly DamagedAnswer[],
  { alert }: Alerting,
): Promise<void> {
  const text = `Damage in the vault: ${damagedWords(damaged)}. The set keeps the previous text, and the next run requests the readings that the service still offers. Next: run \`almanac verify --vault\`, which reads the whole vault and explains how to restore files from a backup.`;
  await alert({ kind: "damage-found", text, once: keysOf(damaged) });
}

/** Nothing is missing, but the disk may be failing. */
export async function alertAboutReplacement(
  damaged: readonly DamagedAnswer[],
  { alert }: Alerting,
): Promise<void> {
  const [first] = damaged;
  const text = `Damaged stored responses were requested again and replaced: ${first?.key}${others(damaged)}. Nothing is missing. Next: check the vault's disk; the vault keeps the damaged bytes under damaged/.`;
  await alert({ kind: "damage-found", text, once: `replaced ${keysOf(damaged)}` });
}

/** The damaged files that the background integrity check found. */
export async function alertAboutFindings(
  findings: readonly ScrubFinding[],
  { alert }: Alerting,
): Promise<void> {
  const [first] = findings;
  if (first === undefined) return;
  const text = `The background check found damaged files: ${first.store} ${first.path}${others(findings)}: ${first.seen}. Next: ${first.remedy}. \`almanac status\` lists all damaged files.`;
  await alert({ kind: "damage-found", text, once: findings.map(({ path }) => path).join(" ") });
}

/** The errors after which nothing is published until a person acts: each is reported once. */
export async function alertAboutPublish(error: unknown, { alert }: Alerting): Promise<void> {
  if (!(error instanceof StateRefused || error instanceof TemplateFault)) return;
  const kind = error instanceof StateRefused ? "state-refused" : "template-fault";
  await alert({ kind, text: `Nothing is published: ${error.message}`, once: error.message });
}

/** Readers keep old texts as long as a date stays: reported once a day. */
export async function alertAboutStaying(
  { staying = [] }: PublishResult,
  { alert, now }: Alerting,
): Promise<void> {
  if (staying.length === 0) return;
  const reasons = [...new Set(staying.map(({ reason }) => reason))].join(". ");
  const languages = staying.map(({ language }) => language).sort();
  const text = `Readers of ${languages.join(", ")} see no new date: ${reasons}.`;
  await alert({ kind: "date-ahead", text, once: `${now().toISOString().slice(0, 10)} ${languages.join()}` });
}

export async function alertAboutCredentials(error: unknown, { alert, now }: Alerting): Promise<void> {
  if (!(error instanceof Error) || error.name !== "CredentialsUnreadable") return;
  const text = `${error.message}. Until this is fixed, no requests can be sent. The run then continues by itself.`;
  const once = now().toISOString().slice(0, "2026-11-21T03".length);
  await alert({ kind: "credentials-unreadable", text, once });
}
