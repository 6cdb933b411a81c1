// `npm run bench:readings`: the cost of reading and judging a response, compared with JSON.parse and a plain zod schema of the same
// body, and the cost of a call through the client, compared with a plain undici request. A measurement: it always exits 0.
import { z } from "zod";
import { type ServiceAnswer, openEnvelope } from "../readings/answer.ts";
import { languageRule } from "../readings/rules/language-rule.ts";
import { answerRules, judgeAnswer } from "../readings/quality.ts";
import { readCandidate } from "../readings/reading.ts";
import { type HoroscopeRequest, requestKey } from "../readings/request.ts";
import { horoscopeBody } from "./bodies.ts";
import { benchCalls } from "./calls.ts";
import { aim, heading, pairedRounds, processorTime, row, rounds, spreadOf } from "./rounds.ts";

const body = horoscopeBody();
const asked: HoroscopeRequest = {
  operation: "daily-horoscope",
  language: "en",
  sign: "aries",
  period: "2026-11-21",
};
const key = requestKey(asked);
const answer: ServiceAnswer = {
  address: "http://127.0.0.1/api/v5/daily-horoscope",
  status: 200,
  retryAfter: undefined,
  body,
  receivedAt: new Date("2026-11-21T12:00:00Z"),
  elapsedMs: 1000,
};

/** The interface document's shape, strictly. */
const plainSchema = z.object({
  success: z.literal(1),
  data: z.object({
    sign: z.string(),
    date: z.string(),
    prediction: z.object({
      personal: z.string(),
      health: z.string(),
      profession: z.string(),
      emotions: z.string(),
      travel: z.string(),
      luck: z.array(z.string()),
    }),
    special: z.object({
      lucky_color_codes: z.array(z.string().regex(/^#[0-9A-F]{6}$/i)),
      horoscope_percentage: z.object({
        personal: z.number(),
        health: z.number(),
        profession: z.number(),
        emotions: z.number(),
        travel: z.number(),
        luck: z.number(),
      }),
    }),
  }),
});
const decoder = new TextDecoder("utf-8", { fatal: true });
const otherRules = Object.values(answerRules).filter((validate) => validate !== languageRule);

function readPlainly(): unknown {
  return plainSchema.parse(JSON.parse(decoder.decode(body)));
}

/** Same steps as judgeAnswer, without the language rule. */
function readAndJudge(): unknown {
  const candidate = readCandidate(asked, openEnvelope(key, answer));
  const findings = otherRules.flatMap((validate) => validate(candidate));
  if (findings.length > 0) throw new Error(`the body is refused: ${findings[0]?.reason}`);
  return candidate.reading;
}

async function benchReading(): Promise<void> {
  const times = 2000;
  const pair = await pairedRounds(
    () => processorTime(times, readPlainly),
    () => processorTime(times, readAndJudge),
  );
  const candidate = readCandidate(asked, openEnvelope(key, answer));
  const detections = Array.from({ length: rounds }, () => processorTime(200, () => languageRule(candidate)));
  const whole = Array.from({ length: rounds }, () => processorTime(200, () => judgeAnswer(asked, answer)));
  console.log(
    `\nA daily horoscope of ${body.length} bytes, microseconds of processor time, ${rounds} paired rounds`,
  );
  console.log(heading);
  console.log(row("JSON.parse and zod", pair.plain));
  console.log(row("parse, check, normalise (without language)", pair.ours));
  console.log(row("  ratio, round by round", pair.ratio, 2));
  console.log(row("language detection alone", spreadOf(detections)));
  console.log(row("all of it, as judgeAnswer does it", spreadOf(whole)));
  console.log(aim("reading and judging", pair.ratio, 2));
}

await benchReading();
await benchCalls(asked);
