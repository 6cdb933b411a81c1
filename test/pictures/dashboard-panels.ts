// Draws the dashboard's panels as a page, from Prometheus' responses to their queries. It is not Grafana: it shows the same panels
// in the same positions, with the same queries and names, in a simpler style.
import type { Series } from "./prometheus.ts";

export interface Panel {
  readonly title: string;
  readonly type: "bargauge" | "stat" | "timeseries";
  readonly unit: string;
  readonly isStacked: boolean;
  readonly place: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly series: readonly (Series & { readonly name: string })[];
}

const column = 62;
const row = 24;
export const pageWidth = 24 * column;
const colours =
  "#3d5a98 #c2702d #3f8f5b #a23b5e #7a5fa8 #2b8a9e #8a7a1f #c24d3a #5b6472 #6aa329 #b0568f #4f7fd0".split(
    " ",
  );

const style = `body { margin: 0; background: #f3f5f8; font: 11px system-ui, sans-serif; color: #1d2430; }
  main { position: relative; } section { position: absolute; box-sizing: border-box; padding: 6px 8px; background: #fff;
  border: 1px solid #d5dae2; border-radius: 4px; overflow: hidden; } h2 { font-size: 12px; margin: 0 0 3px; }
  .key { font-size: 10px; line-height: 12px; height: 24px; overflow: hidden; color: #3b4454; } .key i { display: inline-block;
  width: 9px; height: 3px; margin: 0 3px 2px 0; } .key span { margin-right: 8px; white-space: nowrap; }
  .stat { display: flex; gap: 18px; margin-top: 14px; } .stat b { display: block; font-size: 24px; font-weight: 600; }
  .bar { display: grid; grid-template-columns: 60px 1fr 70px; gap: 6px; align-items: center; height: 20px; } .bar u { display: block;
  height: 11px; background: #3f8f5b; } .none { color: #5b6472; margin-top: 20px; text-align: center; } text { font-size: 9px; fill: #5b6472; }`;

export function dashboardPage(panels: readonly Panel[], from: number, to: number): string {
  const bottom = Math.max(...panels.map(({ place: { y, h } }) => y + h));
  const drawn = panels.map((panel) => {
    const { x, y, w, h } = panel.place;
    const at = `left:${x * column + 2}px;top:${y * row + 2}px;width:${w * column - 4}px;height:${h * row - 4}px`;
    return `<section style="${at}"><h2>${escaped(panel.title)}</h2>${bodyOf(panel, from, to)}</section>`;
  });
  return `<!doctype html><style>${style}</style><main style="height:${bottom * row}px">${drawn.join("")}</main>`;
}

function bodyOf(panel: Panel, from: number, to: number): string {
  if (panel.series.length === 0) return `<p class="none">nothing of the kind is there</p>`;
  if (panel.type === "timeseries") return chartOf(panel, from, to);
  const last = panel.series.map(({ name, points }) => ({ name, value: points.at(-1)?.[1] ?? 0 }));
  if (panel.type === "stat") {
    const shown = last.map(
      ({ name, value }) => `<div><b>${valueOf(value, panel.unit)}</b>${escaped(name)}</div>`,
    );
    return `<div class="stat">${shown.join("")}</div>`;
  }
  const most = Math.max(1, ...last.map(({ value }) => value));
  const bars = last.map(
    ({ name, value }) =>
      `<div class="bar"><span>${escaped(name)}</span><u style="width:${(value / most) * 100}%"></u><span>${valueOf(value, panel.unit)}</span></div>`,
  );
  return bars.join("");
}

function chartOf({ series, unit, isStacked, place }: Panel, from: number, to: number): string {
  const [width, height, left, top] = [place.w * column - 22, place.h * row - 62, 58, 6];
  const lines = isStacked ? stacked(series) : series;
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value)).filter(Number.isFinite);
  const most = Math.max(...values, 0) || 1;
  const xOf = (at: number): number => left + ((at - from) / (to - from)) * (width - left - 6);
  const yOf = (value: number): number => top + (1 - value / most) * (height - top - 14);
  const strokes = lines.map(({ points }, index) => {
    const path = points
      .filter(([, value]) => Number.isFinite(value))
      .map(
        ([at, value], place_) => `${place_ === 0 ? "M" : "L"}${xOf(at).toFixed(1)} ${yOf(value).toFixed(1)}`,
      );
    return `<path d="${path.join("")}" fill="none" stroke="${colourOf(index)}" stroke-width="1.4"/>`;
  });
  const grid = [0, 0.5, 1].map((part) => {
    const y = yOf(part * most);
    return `<path d="M${left} ${y}H${width - 6}" stroke="#e3e7ee"/><text x="${left - 4}" y="${y + 3}" text-anchor="end">${valueOf(part * most, unit)}</text>`;
  });
  const clock = [0, 0.5, 1].map((part) => {
    const at = from + part * (to - from);
    const anchor = part === 0 ? "start" : part === 1 ? "end" : "middle";
    return `<text x="${xOf(at)}" y="${height - 2}" text-anchor="${anchor}">${new Date(at * 1000).toISOString().slice(11, 19)}</text>`;
  });
  const key = series.map(
    ({ name }, index) => `<span><i style="background:${colourOf(index)}"></i>${escaped(name)}</span>`,
  );
  return `<svg width="${width}" height="${height}">${[...grid, ...clock, ...strokes].join("")}</svg><div class="key">${key.join("")}</div>`;
}

/** Stacks each on top of the previous ones. */
function stacked(series: Panel["series"]): Series[] {
  const below = new Map<number, number>();
  return series.map(({ labels, points }) => ({
    labels,
    points: points.map(([at, value]) => {
      const sum = (below.get(at) ?? 0) + (Number.isFinite(value) ? value : 0);
      below.set(at, sum);
      return [at, sum] as const;
    }),
  }));
}

function colourOf(index: number): string {
  return colours[index % colours.length] ?? "#000";
}

function valueOf(value: number, unit: string): string {
  if (unit === "percentunit") return `${+(value * 100).toPrecision(3)} %`;
  if (unit === "s" && value >= 7200) return `${+(value / 3600).toPrecision(3)} h`;
  if (unit === "s" && value > 0 && value < 1) return `${+(value * 1000).toPrecision(2)} ms`;
  const [scaled, prefix] =
    value >= 1e6 ? [value / 1e6, " M"] : value >= 1e4 ? [value / 1e3, " k"] : [value, " "];
  const word = { s: "s", reqps: "/s", wps: "/s", Bps: "B/s", bytes: "B" }[unit] ?? "";
  return `${+scaled.toPrecision(3)}${prefix}${word}`.trimEnd();
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
