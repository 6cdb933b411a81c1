// The alert rules as the Prometheus operator takes them: those of deploy/monitoring/rules.yaml, word for word, within its own kind.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const fileAt = (path: string) => fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url));
const made = fileAt("kubernetes-monitoring/rules.yaml");

const head = `# The rules of deploy/monitoring/rules.yaml for the Prometheus operator. \`npm run reference\` makes this file of that one.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: almanac
spec:
`;

export async function prometheusRule(): Promise<string> {
  const text = await readFile(fileAt("monitoring/rules.yaml"), "utf8");
  const groups = text.slice(text.indexOf("groups:\n"));
  return head + groups.replace(/^(?=.)/gm, "  ");
}

export async function writePrometheusRule(): Promise<void> {
  await writeFile(made, await prometheusRule());
}
