// The figures as a table for a terminal: a heading for each measure, a line for each who was measured.
import { z } from "zod";
import { type Line, type Outcome, outcomeSchema } from "./measures/measure.ts";
import { spreadOf } from "./rounds.ts";

export const resultsSchema = z.object({
  format: z.literal(1),
  measuredAt: z.iso.datetime(),
  node: z.string(),
  machine: z.object({ cores: z.number(), model: z.string(), memoryGb: z.number() }),
  /** Fraction of the requests and pages. Below 1 the run was a trial, and its figures don't count. */
  share: z.number(),
  outcomes: z.array(outcomeSchema),
});
export type Results = z.infer<typeof resultsSchema>;

const widths = { what: 34, unit: 11, figure: 9 } as const;

export function head({ machine, node, share }: Results): string {
  const words = `Almanac beside others, ${machine.cores} cores (${machine.model}), Node ${node.slice(1)}`;
  const trial = share < 1 ? `\na trial with a share of ${share} of the work: its figures are none` : "";
  const columns = ["median", "min", "max", "ratio"].map((word) => word.padStart(widths.figure)).join("");
  const said = "ratio: Almanac's figure over that line's, of the same round, the median of all rounds";
  return `${words}${trial}\n${said}\n${"".padEnd(widths.what + widths.unit)}${columns}`;
}

export function tableOf({ name, about, state, seconds, lines, failure }: Outcome): string {
  const title = `\n${about}  (${name}, ${seconds.toFixed(0)} s)`;
  if (state !== "measured") return `${title}\n  ${state}: ${failure ?? "nothing was said"}`;
  return [title, ...lines.map(lineOf)].join("\n");
}

/** How many of the aims hold, and which do not. */
export function verdictOn(outcomes: readonly Outcome[]): string {
  const aimed = outcomes.flatMap(({ name, lines }) => lines.map((line) => ({ name, ...line })));
  const all = aimed.filter(({ aim }) => aim !== undefined);
  const missed = all.filter(({ aim }) => aim?.holds === false);
  const names = missed.map(({ name, what, aim }) => `\n  missed: ${name}, ${what}: ${aim?.words}`);
  return [`${all.length - missed.length} of ${all.length} aims hold`, ...names].join("");
}

function lineOf({ what, unit, digits, figures, ratios, aim, note, missing, failed }: Line): string {
  const start = `  ${what.padEnd(widths.what - 2)}`;
  if (missing !== undefined) return `${start}not measured here: ${missing}`;
  const fault = failed === undefined ? [] : [`failed: ${failed.replaceAll(/\s+/g, " ").slice(0, 200)}`];
  if (figures.length === 0) return `${start}${fault.join("")}`;
  const { min, median, max } = spreadOf(figures);
  const columns = [median, min, max].map((figure) => figure.toFixed(digits).padStart(widths.figure)).join("");
  const ratio = ratios === undefined || ratios.length === 0 ? "" : spreadOf(ratios).median.toFixed(2);
  const verdict = aim === undefined ? [] : [`${aim.words}: ${aim.holds ? "holds" : "missed"}`];
  const more = [...verdict, ...(note === undefined ? [] : [note]), ...fault].join("; ");
  return `${start}${unit.padEnd(widths.unit)}${columns}${ratio.padStart(widths.figure)}  ${more}`.trimEnd();
}
