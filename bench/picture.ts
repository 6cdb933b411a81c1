// Draws the figures for docs/performance.md: one bar per contender and measure, readable in light and dark schemes.
import type { Line, Outcome } from "./measures/measure.ts";
import { spreadOf } from "./rounds.ts";
import type { Results } from "./table.ts";

const width = 1000;
const margin = 24;
const barLeft = 260;
const barRight = 600;
const remarkLeft = 720;
const lineHeight = 22;

// The reader's own choice of light or dark decides, as on the published pages.
const style = `
  text { font: 13px system-ui, sans-serif; fill: #1d2430; }
  .title { font-weight: 600; } .quiet { fill: #5b6472; font-size: 12px; }
  .ground { fill: #ffffff; } .bar { fill: #a9b2c0; } .ours { fill: #3d5a98; } .spread { stroke: #1d2430; stroke-width: 1.2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9ef; } .quiet { fill: #9aa4b4; }
    .ground { fill: #12161d; } .bar { fill: #566072; } .ours { fill: #88a6e8; } .spread { stroke: #e6e9ef; }
  }`;

export function picture(results: Results, command = "npm run bench"): string {
  const parts: string[] = [];
  let top = margin + 40;
  for (const outcome of results.outcomes) {
    const drawn = measureAt(outcome, top);
    parts.push(...drawn.parts);
    top = drawn.bottom + 16;
  }
  const { machine, node, measuredAt } = results;
  const about = `${machine.cores} cores, Node ${node.slice(1)}, ${measuredAt.slice(0, 10)}; the bar is the median of the rounds, the line across it their spread`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top}" width="${width}" height="${top}" role="img" aria-label="Bar chart: Almanac and other tools">`,
    `<style>${style}\n</style>`,
    `<rect class="ground" width="${width}" height="${top}" rx="8"/>`,
    text(margin, margin + 8, `Measured: ${command}`, "title"),
    text(margin, margin + 28, about, "quiet"),
    ...parts,
    "</svg>\n",
  ].join("\n");
}

function measureAt({ name, about, lines, state, failure }: Outcome, top: number) {
  const [title = name, ...details] = about.split("; ");
  const parts = [text(margin, top + 12, title, "title"), text(margin, top + 29, details.join("; "), "quiet")];
  let bottom = top + 36;
  if (state !== "measured") {
    parts.push(text(margin, bottom + 12, `${state}: ${failure ?? ""}`, "quiet"));
    return { parts, bottom: bottom + lineHeight };
  }
  for (const line of lines) {
    // Neighboring bars have one unit.
    const most = Math.max(
      ...lines.filter(({ unit }) => unit === line.unit).flatMap(({ figures }) => figures),
    );
    parts.push(...lineAt(line, most, bottom));
    bottom += lineHeight;
  }
  return { parts, bottom };
}

function lineAt(
  { what, unit, digits, figures, aim, note, missing, failed }: Line,
  most: number,
  top: number,
): string[] {
  const label = text(barLeft - 10, top + 14, what, "", "end");
  if (missing !== undefined) return [label, text(barLeft, top + 14, "not measured on this machine", "quiet")];
  if (figures.length === 0)
    return [label, text(barLeft, top + 14, `failed: ${(failed ?? "").slice(0, 60)}`, "quiet")];
  const { min, median, max } = spreadOf(figures);
  const at = (figure: number) => barLeft + (most > 0 ? (figure / most) * (barRight - barLeft) : 0);
  const ours = what.startsWith("Almanac") || what.startsWith("almanac") ? "ours" : "bar";
  const spread =
    max > min ? [`<path class="spread" d="M${at(min).toFixed(1)} ${top + 10}H${at(max).toFixed(1)}"/>`] : [];
  const remark = aim === undefined ? note?.split(/[,;]/)[0] : `${aim.words}: ${aim.holds ? "met" : "missed"}`;
  return [
    label,
    `<rect class="${ours}" x="${barLeft}" y="${top + 3}" width="${Math.max(1, at(median) - barLeft).toFixed(1)}" height="14" rx="2"/>`,
    ...spread,
    text(barRight + 10, top + 14, `${median.toFixed(digits)} ${unit}`),
    ...(remark === undefined ? [] : [text(remarkLeft, top + 14, remark.slice(0, 48), "quiet")]),
  ];
}

function text(x: number, y: number, words: string, kind = "", anchor = "start"): string {
  const css = kind === "" ? "" : ` class="${kind}"`;
  const side = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  return `<text x="${x}" y="${y}"${css}${side}>${escape(words)}</text>`;
}

function escape(words: string): string {
  return words
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
