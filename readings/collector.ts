// A candidate is an answer's data in the canonical form, with everything it echoed, before the rules have judged it. The collector
// reads its pieces for readings/reading.ts; the schemas of the service's answers follow.
import { z } from "zod";
import type { Reading } from "./reading.schema.ts";
import type { ReadingRequest } from "./request.ts";
import {
  asciiDigits,
  cleanLine,
  cleanParagraphs,
  isPlain,
  isUndisguised,
  withoutMarkup,
} from "./clean-text.ts";

/** Text that a reader will see. The rules for length and language judge `prose`; a `brief` text may be one word long;
 * a `line`, such as a card's name, is always short. */
export interface SeenText {
  readonly field: string;
  readonly kind: "prose" | "brief" | "line";
  readonly paragraphs: readonly string[];
  /** The text has no character that markup or placeholders are made of, so most of text-rules.ts need not look. */
  readonly plain: boolean;
  /** Nor has it one that stands for another or can't be seen, so that text-rules.ts need not look for these. */
  readonly undisguised: boolean;
}

export function seenText(field: string, kind: SeenText["kind"], paragraphs: readonly string[]): SeenText {
  const [plain, undisguised] = [paragraphs.every(isPlain), paragraphs.every(isUndisguised)];
  return { field, kind, paragraphs, plain, undisguised };
}

export interface Candidate {
  readonly request: ReadingRequest;
  readonly reading: Reading;
  readonly texts: readonly SeenText[];
  /** Signs that the service says the answer is for, if the operation echoes them, each with the requested sign. */
  readonly signEchoes: readonly {
    readonly field: string;
    readonly said: string;
    readonly requested: string;
  }[];
  readonly periodEcho: { readonly field: string; readonly said: string } | undefined;
  /** Harmless oddities of the answer: a field that was dropped, is unknown or could not be read. */
  readonly notes: readonly string[];
}

// Reads the pieces of an answer for readings/reading.ts and keeps what the rules need to see: every text, every echo,
// every oddity. A piece that a reading can't do without and that has the wrong shape ends in Unfit "shape".
/** Thrown by a collector; reading.ts turns it into Unfit with the facts of the request. */
export class WrongShape extends Error {
  override readonly name = "WrongShape";
}

/** A field of a value that may be anything; only own fields count. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** The number in `87`, `87,5 %` or `८७`. A text of more than 40 characters is no number, and searching it would take time. */
function numberIn(value: unknown) {
  if (typeof value !== "string" || value.length > 40) return Number.NaN;
  const text = asciiDigits(value)
    .trim()
    .replace(/\s*[%٪]$/, "")
    .replace(/[,٫]/, ".");
  return /^-?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
}

/** More lines of luck, colours or numbers than any answer has had; further ones are dropped. */
const mostLines = 50;

const pictureFields = ["image", "image2", "image3", "card_image"] as const;

export class Collector {
  readonly texts: SeenText[] = [];
  readonly notes: string[] = [];
  readonly signEchoes: Candidate["signEchoes"][number][] = [];
  periodEcho: Candidate["periodEcho"];

  /** Parses with a schema: an error names the first field that does not fit, a note says how many fields are unknown. */
  parse<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, value: unknown, path: string) {
    const result = schema.safeParse(value);
    if (!result.success) {
      const issue = result.error.issues[0];
      const where = [path, ...(issue?.path ?? [])].join(".");
      throw new WrongShape(`${where}: ${issue?.message ?? "unexpected value"}`);
    }
    this.countUnknown(schema.shape, value, path);
    return result.data;
  }

  countUnknown(known: object, value: unknown, path: string): void {
    if (typeof value !== "object" || value === null) return;
    let unknown = 0;
    for (const field of Object.keys(value)) if (!Object.hasOwn(known, field)) unknown += 1;
    if (unknown > 0) this.notes.push(`${path}: ${unknown} unknown field${unknown > 1 ? "s" : ""} ignored`);
  }

  /** Notes the text as it came, for the rules; gives it as readers see it. */
  #see(field: string, kind: SeenText["kind"], paragraphs: string[]) {
    const text = seenText(field, kind, paragraphs);
    this.texts.push(text);
    return text.plain && text.undisguised ? paragraphs : withoutMarkup(paragraphs);
  }

  /** Paragraphs of prose; an empty text stays an empty list, which the rule "empty" refuses. */
  prose(field: string, text: string): string[] {
    return this.#see(field, "prose", cleanParagraphs(text));
  }

  /** Paragraphs that may be as short as a line. */
  brief(field: string, text: string): string[] {
    return this.#see(field, "brief", cleanParagraphs(text));
  }

  line(field: string, text: string): string {
    const line = cleanLine(text);
    return this.#see(field, "line", line === "" ? [] : [line]).join(" ");
  }

  /** A line that a reading can do without: an absent one is left out, one of another type is left out and noted. */
  optionalLine(field: string, value: unknown): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "string" && typeof value !== "number") {
      this.notes.push(`${field}: dropped, not a string`);
      return undefined;
    }
    const line = cleanLine(String(value));
    return line === "" ? undefined : this.#see(field, "line", [line])[0];
  }

  /** A list of such lines; where the service sends one text, it is split at commas. */
  lines(field: string, value: unknown): string[] {
    if (value === undefined || value === null) return [];
    const items = typeof value === "string" ? value.split(/[,،、，;]/, mostLines) : value;
    if (!Array.isArray(items)) {
      this.notes.push(`${field}: dropped, not a list`);
      return [];
    }
    return items
      .slice(0, mostLines)
      .map((item) => this.optionalLine(field, item))
      .filter((line) => line !== undefined);
  }

  /** A number or a numeric text within bounds, in any script's digits; anything else is dropped and noted. */
  number(field: string, value: unknown, least: number, most: number): number | undefined {
    if (value === undefined || value === null) return undefined;
    const number = typeof value === "number" ? value : numberIn(value);
    if (number >= least && number <= most) return number;
    this.notes.push(`${field}: dropped, not a number from ${least} to ${most}`);
    return undefined;
  }

  /** The picture addresses of a card, in the order of its fields, each once. */
  images(field: string, holder: { readonly [name: string]: unknown }): string[] {
    const found = new Set<string>();
    for (const name of pictureFields) {
      const value = holder[name];
      if (value === undefined || value === null || value === "") continue;
      const url = typeof value === "string" && value.length <= 2048 ? URL.parse(value.trim()) : null;
      const plain =
        url !== null &&
        (url.protocol === "https:" || url.protocol === "http:") &&
        url.username === "" &&
        url.password === "";
      if (plain) found.add(url.href);
      else this.notes.push(`${field}: dropped a picture without an http(s) URL`);
    }
    return [...found];
  }
}

// Schemas of the service's answers, parsed tolerantly. Fields that a reading needs must be present and be text; fields that
// only adorn it may be missing or odd. Unknown fields are dropped here and counted in reading.ts.
const adornment = z.unknown().optional();

export const periodBlock = z.object({
  personal: z.string(),
  health: z.string(),
  profession: z.string(),
  emotions: z.string(),
  travel: z.string(),
  luck: adornment,
});

/** Fields of every horoscope in addition to its texts; `period` is the field that names the period. */
export const horoscopeHead = z.object({
  sign: z.string(),
  /** The interface document declares a year as a string; a number says the same. */
  period: z.union([z.string(), z.number()]).transform(String),
});

export const special = z.object({ lucky_color_codes: adornment, horoscope_percentage: adornment });

export const pairPrediction = z.object({
  sign_1: z.string(),
  sign_2: z.string(),
  overall_compatibility: z.string(),
  positive_aspects: z.string(),
  negative_aspects: z.string(),
  elements: z.string(),
  ideal_date: z.string(),
  score: adornment,
});

const pictures = { image: adornment, image2: adornment, image3: adornment, card_image: adornment };

export const cardAnswer = z.object({ card: z.string(), result: z.string(), ...pictures });

export const spreadCardAnswer = z.object({
  card: z.string(),
  summary: z.string(),
  keywords: adornment,
  advice: z.string(),
  ...pictures,
});

export const spreadPrediction = z.object({
  past: z.unknown(),
  present: z.unknown(),
  future: z.unknown(),
});

export const trianglePrediction = z.object({
  card1: z.string(),
  card2: z.string(),
  card3: z.string(),
  card1_image: adornment,
  card2_image: adornment,
  card3_image: adornment,
  your: z.string(),
  lover1: z.string(),
  lover2: z.string(),
});

export const wisdomPrediction = z.object({
  card1: z.string(),
  card2: z.string(),
  card1_image: adornment,
  card2_image: adornment,
  ying: z.string(),
  yang: z.string(),
});

export const animalPrediction = z.object({
  birth_number: adornment,
  animal: z.string(),
  result: z.string(),
  ...pictures,
});

export const tarotAnswer = z.object({
  card: z.string(),
  category: adornment,
  career: z.string(),
  love: z.string(),
  finance: z.string(),
  ...pictures,
});
