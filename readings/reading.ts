// Reads an answer's data into the canonical reading of its family: for readings/quality.ts, which judges it, and later, from the
// capture, for vault/kept-readings.ts, which has it next. Horoscopes and cards are read in files of their own.
import { animalPrediction, pairPrediction } from "./answers.schema.ts";
import type { Candidate } from "./candidate.ts";
import { readCards, readSpread, readTarot, readTriangle, readWisdom } from "./cards.ts";
import { Collector, fieldOf } from "./collector.ts";
import { readHoroscope } from "./horoscope.ts";
import { isOfFamily } from "./operations.ts";
import type { Reading } from "./reading.schema.ts";
import type { AnimalRequest, PairRequest, ReadingRequest } from "./request.ts";

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
    { field: "sign_1", said: answer.sign_1, asked: request.sign1 },
    { field: "sign_2", said: answer.sign_2, asked: request.sign2 },
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
