// A score as a word, a bar and a figure; a screen reader gets the bar's name and value.
import { type HoroscopeReading, sectionNames } from "../readings/reading.schema.ts";
import { html, type Markup } from "./html.ts";
import type { Context } from "./page-context.ts";

export interface Score {
  readonly label: string;
  readonly value: number;
  readonly text: string;
}

/** The scores of a horoscope that has any, in words. */
export function scoresOf({ labels, formats }: Context, { scores }: HoroscopeReading): Score[] {
  return scoreNames.flatMap((name) => {
    const value = scores[name];
    const label = name === "luck" ? labels.luck : labels.sections[name];
    return value === undefined ? [] : [{ label, value, text: formats.percent(value) }];
  });
}

const scoreNames = [...sectionNames, "luck" as const];

/** A heading over bars; nothing where there is no score. */
export function scoreBoard(heading: string, bars: readonly (Markup | false)[]): Markup | undefined {
  if (bars.every((bar) => bar === false)) return undefined;
  return html`<section>
    <h2>${heading}</h2>
    <div class="scores">${bars}</div>
  </section>`;
}

export function scoreBar(label: string, value: number, most: number, text: string): Markup {
  return html`<div class="score">
    <span aria-hidden="true">${label}</span>
    <meter aria-label="${label}" max="${most}" value="${value}">${text}</meter>
    <b aria-hidden="true">${text}</b>
  </div>`;
}

/** The service does not say out of how many its pair scores are: ten, as far as seen; greater ones must be out of a hundred. */
export function scaleOf(values: readonly (number | undefined)[]): 10 | 100 {
  return values.some((value) => value !== undefined && value > 10) ? 100 : 10;
}
