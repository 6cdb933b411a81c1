// The alerts as the documentation and the Prometheus operator have them: the rows of activities/alert-kinds.ts, which workers send,
// and the rules of deploy/monitoring/rules.yaml, which Prometheus raises.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { alertKinds } from "../../activities/alert-kinds.ts";
import { anchorOf, pages, plainHeading } from "../site/menu.ts";
import { table } from "./markdown.ts";

const fileAt = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const rulesFile = fileAt("deploy/monitoring/rules.yaml");
const docsRoot = "https://almanac.example/docs/";

const alertRule = z.object({
  alert: z.string(),
  labels: z.object({ severity: z.enum(["page", "ticket"]) }),
  annotations: z.strictObject({
    summary: z.string().min(1),
    description: z.string().min(1),
    next: z.string().min(1),
    runbook_url: z.string().startsWith(docsRoot),
  }),
});
const recordRule = z.object({ record: z.string() });
const ruleFile = z.object({
  groups: z.tuple([z.object({ rules: z.array(z.union([alertRule, recordRule])) })]),
});

/** The alerts of Prometheus, each with its symptom, its impact, a command and a runbook. */
export async function alertRules(): Promise<z.infer<typeof alertRule>[]> {
  const { groups } = ruleFile.parse(parse(await readFile(rulesFile, "utf8")));
  return groups[0].rules.filter((rule) => "alert" in rule);
}

/** Every alert with its runbook, as `troubleshooting.md#clock-is-wrong`; undefined if no action is needed. */
export async function runbooks(): Promise<(readonly [alert: string, runbook: string | undefined])[]> {
  const rules = (await alertRules()).map(({ alert, annotations }) => {
    const [folder = "", anchor] = annotations.runbook_url.slice(docsRoot.length).split("#");
    const file = pages.get(folder) ?? `docs/${folder}`;
    return [alert, `${file.replace(/^docs\//, "")}#${anchor}`] as const;
  });
  const kinds = Object.entries(alertKinds).map(([kind, { runbook }]) => [kind, runbook] as const);
  return [...rules, ...kinds];
}

/** For docs/monitoring.md: the alerts that workers send. */
export function kindsTable(): string {
  const rows = Object.entries(alertKinds).map(([kind, { when, again }]) => [`\`${kind}\``, when, again]);
  return table(["kind", "condition", "repeated"], rows);
}

/** For docs/monitoring.md: the alerts that Prometheus raises. */
export async function rulesTable(): Promise<string> {
  const rows = (await alertRules()).map(({ alert, labels, annotations }) => [
    `\`${alert}\``,
    conditionIn(annotations.description),
    labels.severity,
  ]);
  return table(["alert", "condition", "severity"], rows);
}

/** The first sentence of an alert's description; the rest is the impact. */
function conditionIn(description: string): string {
  return description.replace(/(?<=[^.]\.) .*$/s, "");
}

/** For docs/troubleshooting.md: all alerts by their runbooks. */
export async function runbooksTable(): Promise<string> {
  const groups = Map.groupBy(await runbooks(), ([, runbook]) => runbook);
  const rows = await Promise.all(
    [...groups].map(async ([runbook, alerts]) => [
      alerts.map(([alert]) => `\`${alert}\``).join(", "),
      runbook === undefined ? "none: the problem is over" : await linkTo(runbook),
    ]),
  );
  return table(["alert", "runbook"], rows);
}

async function linkTo(runbook: string): Promise<string> {
  const heading = await headingOf(runbook);
  if (heading === undefined) throw new Error(`docs/ has no heading for the runbook ${runbook}`);
  return `[${heading}](${runbook.replace(/^troubleshooting\.md/, "")})`;
}

/** The heading of a runbook; undefined if its page does not have it. */
export async function headingOf(runbook: string): Promise<string | undefined> {
  const [page = "", anchor = ""] = runbook.split("#");
  const text = await readFile(fileAt(`docs/${page}`), "utf8");
  const headings = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = ""]) => plainHeading(heading));
  return headings.find((heading) => anchorOf(heading) === anchor);
}

const operatorHead = `# The rules of deploy/monitoring/rules.yaml for the Prometheus operator. \`npm run reference\` makes this file of that one.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: almanac
spec:
`;

/** The same rules, word for word, as the Prometheus operator takes them. */
export async function prometheusRule(): Promise<string> {
  const text = await readFile(rulesFile, "utf8");
  return operatorHead + text.slice(text.indexOf("groups:\n")).replace(/^(?=.)/gm, "  ");
}

export async function writePrometheusRule(): Promise<void> {
  await writeFile(fileAt("deploy/kubernetes-monitoring/rules.yaml"), await prometheusRule());
}
