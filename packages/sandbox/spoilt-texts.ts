// Faults that spoil the texts of a response: no text, hardly any, or text that is no prose.
import type { Data, JsonValue } from "./received-request.ts";

type TextChange = (text: string) => string | null;

export const textChanges = {
  empty: () => "",
  short: (text) => text.slice(0, 3),
  markup: (text) => `${text}<script>alert("sandbox")</script>`,
  advert: (text) => `${text} Book a session at lucky-stars.com today.`,
  template: (text) => `{{name}}, ${text}`,
  errorText: () => "Error: quota exceeded",
  loneSurrogate: (text) => `${text} \ud83d`,
  nullFields: () => null,
} as const satisfies Record<string, TextChange>;

// oxfmt-ignore
const proseFields = new Set([
  "personal", "health", "profession", "emotions", "travel", "result", "summary", "advice", "your", "lover1", "lover2",
  "ying", "yang", "career", "love", "finance", "overall_compatibility", "positive_aspects", "negative_aspects",
  "elements", "ideal_date",
]);

/** Changes all text fields of the data, or only the one with that name. */
export function withTexts(data: Data, field: string | undefined, change: TextChange): Data {
  const changed: Data = {};
  for (const [name, value] of Object.entries(data)) {
    const hit = field === undefined ? proseFields.has(name) : name === field;
    changed[name] = typeof value === "string" && hit ? change(value) : within(value, field, change);
  }
  return changed;
}

function within(value: JsonValue, field: string | undefined, change: TextChange): JsonValue {
  if (Array.isArray(value)) return value.map((item) => within(item, field, change));
  return value !== null && typeof value === "object" ? withTexts(value, field, change) : value;
}
