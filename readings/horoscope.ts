// The four horoscope answers -> one reading: sections, luck, lucky colours and scores.
import { horoscopeHead, periodBlock, special } from "./answers.schema.ts";
import { type Collector, fieldOf } from "./collector.ts";
import { rowOf } from "./operations.ts";
import { type HoroscopeReading, luckKinds, sectionNames } from "./reading.schema.ts";
import type { HoroscopeRequest } from "./request.ts";

const scoreNames = [...sectionNames, "luck"] as const;

export function readHoroscope(
  request: HoroscopeRequest,
  data: unknown,
  collect: Collector,
): HoroscopeReading {
  const { texts, period } = rowOf(request.operation).answer ?? { texts: "", period: "" };
  collect.countUnknown({ sign: true, special: true, [texts]: true, [period]: true }, data, "data");
  const head = { sign: fieldOf(data, "sign"), period: fieldOf(data, period) };
  const echo = collect.parse(horoscopeHead, head, "data");
  collect.signEchoes.push({ field: "sign", said: echo.sign, asked: request.sign });
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

/** Reads `<label> : <value>` lines. Five or seven of them are as good as six, but only of six the place tells the meaning. */
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
