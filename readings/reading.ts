// Reads an answer's data into the canonical reading of its family: for readings/quality.ts, which judges it, and later, from the
// stored response, for vault/stored-readings.ts, which has it next. Horoscopes and cards are read in files of their own.
import {
  animalPrediction,
  horoscopeHead,
  pairPrediction,
  periodBlock,
  special,
  type Candidate,
  Collector,
  fieldOf,
} from "./collector.ts";
import { readCards, readSpread, readTarot, readTriangle, readWisdom } from "./cards.ts";
import { isOfFamily, rowOf } from "./tables.ts";
import { type HoroscopeReading, luckKinds, type Reading, sectionNames } from "./reading.schema.ts";
import type { AnimalRequest, HoroscopeRequest, PairRequest, ReadingRequest } from "./request.ts";

/** Throws WrongShape where the data lacks what a reading needs. */
export function readCandidate(request: ReadingRequest, data: unknown): Candidate {
  const collect = new Collector();
  const reading = readFamily(request, data, collect);
  const { texts, notes, signEchoes, periodEcho } = collect;
  return { request, reading, texts, notes, signEchoes, periodEcho };
}

function readFamily(request: ReadingRequest, data: unknown, collect: Collector): Reading {
  if ("sign" in request) return readHoroscope(request, data, collect);
  if ("sign1" in request) return readPair(request, data, collect);
  if ("person" in request) return readAnimal(request, data, collect);
  const { operation } = request;
  if (isOfFamily(operation, "spread")) return readSpread({ ...request, operation }, data, collect);
  if (isOfFamily(operation, "triangle")) return readTriangle({ ...request, operation }, data, collect);
  if (isOfFamily(operation, "wisdom")) return readWisdom({ ...request, operation }, data, collect);
  if (isOfFamily(operation, "tarot")) return readTarot({ ...request, operation }, data, collect);
  return readCards({ ...request, operation }, data, collect);
}

function readPair(request: PairRequest, data: unknown, collect: Collector): Reading {
  const answer = collect.parse(pairPrediction, fieldOf(data, "prediction"), "data.prediction");
  collect.signEchoes.push(
    { field: "sign_1", said: answer.sign_1, requested: request.sign1 },
    { field: "sign_2", said: answer.sign_2, requested: request.sign2 },
  );
  const scores: Extract<Reading, { family: "pair" }>["scores"] = {};
  for (const name of ["general", "communication", "sex"] as const) {
    const score = collect.number(`score ${name}`, fieldOf(answer.score, name), 0, 100);
    if (score !== undefined) scores[name] = score;
  }
  return {
    format: 1,
    family: "pair",
    operation: request.operation,
    language: request.language,
    period: request.period,
    sign1: request.sign1,
    sign2: request.sign2,
    overall: collect.prose("overall_compatibility", answer.overall_compatibility),
    positive: collect.prose("positive_aspects", answer.positive_aspects),
    negative: collect.prose("negative_aspects", answer.negative_aspects),
    elements: collect.brief("elements", answer.elements),
    idealDate: collect.brief("ideal_date", answer.ideal_date),
    scores,
  };
}

function readAnimal(request: AnimalRequest, data: unknown, collect: Collector): Reading {
  const answer = collect.parse(animalPrediction, fieldOf(data, "prediction"), "data.prediction");
  const birthNumber = collect.number("birth_number", answer.birth_number, 0, 1_000_000);
  return {
    format: 1,
    family: "animal",
    operation: request.operation,
    language: request.language,
    period: request.period,
    person: request.person,
    ...(Number.isInteger(birthNumber) ? { birthNumber } : {}),
    animal: collect.line("animal", answer.animal),
    text: collect.prose("result", answer.result),
    images: collect.images("image", answer),
  };
}

// The four horoscope answers -> one reading: sections, luck, lucky colours and scores.
const scoreNames = [...sectionNames, "luck"] as const;

function readHoroscope(request: HoroscopeRequest, data: unknown, collect: Collector): HoroscopeReading {
  const { texts, period } = rowOf(request.operation).answer ?? { texts: "", period: "" };
  collect.countUnknown({ sign: true, special: true, [texts]: true, [period]: true }, data, "data");
  const head = { sign: fieldOf(data, "sign"), period: fieldOf(data, period) };
  const echo = collect.parse(horoscopeHead, head, "data");
  collect.signEchoes.push({ field: "sign", said: echo.sign, requested: request.sign });
  collect.periodEcho = { field: period, said: echo.period };
  const block = collect.parse(periodBlock, fieldOf(data, texts), `data.${texts}`);
  const adornment = readSpecial(fieldOf(data, "special"), collect);
  return {
    format: 1,
    family: "horoscope",
    operation: request.operation,
    language: request.language,
    period: request.period,
    sign: request.sign,
    sections: {
      personal: collect.prose("personal", block.personal),
      health: collect.prose("health", block.health),
      profession: collect.prose("profession", block.profession),
      emotions: collect.prose("emotions", block.emotions),
      travel: collect.prose("travel", block.travel),
    },
    luck: readLuck(block.luck, collect),
    ...adornment,
  };
}

/** Reads `<label> : <value>` lines. Five or seven of them are as good as six, but only with six does the position give the meaning. */
function readLuck(value: unknown, collect: Collector) {
  const lines = collect.lines("luck", Array.isArray(value) || value === undefined ? value : [value]);
  if (lines.length !== luckKinds.length)
    collect.notes.push(`luck: ${lines.length} lines, usually ${luckKinds.length}`);
  return lines.map((line, index) => {
    const colon = line.search(/[:：]/);
    const label = colon < 0 ? "" : line.slice(0, colon).trim();
    const kind = lines.length === luckKinds.length ? luckKinds[index] : undefined;
    const text = line.slice(colon + 1).trim() || line;
    return kind === undefined ? { label, value: text } : { kind, label, value: text };
  });
}

function readSpecial(value: unknown, collect: Collector) {
  const parsed = special.safeParse(value);
  if (!parsed.success) {
    if (value !== undefined && value !== null) collect.notes.push("special: dropped, not an object");
    return { colors: [], scores: {} };
  }
  collect.countUnknown(special.shape, value, "data.special");
  const percentages = parsed.data.horoscope_percentage;
  const scores: HoroscopeReading["scores"] = {};
  for (const name of scoreNames) {
    const percentage = collect.number(`score ${name}`, fieldOf(percentages, name), 0, 100);
    if (percentage !== undefined) scores[name] = Math.round(percentage);
  }
  return { colors: readColors(parsed.data.lucky_color_codes, collect), scores };
}

function readColors(value: unknown, collect: Collector) {
  if (value === undefined || value === null) return [];
  const codes = Array.isArray(value) ? value.slice(0, 20) : [value];
  const colors: string[] = [];
  for (const code of codes) {
    const color = typeof code === "string" ? code.trim().toUpperCase() : "";
    if (/^#[0-9A-F]{6}$/.test(color)) colors.push(color);
    else collect.notes.push("colors: dropped a code that is not #RRGGBB");
  }
  return colors;
}
