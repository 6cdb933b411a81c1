// Calls to the sandbox for its own tests, made with fetch and written from the interface document.
import { z } from "zod";
import { type Language, wireOf, type Operation, rowOf } from "../../readings/tables.ts";
import type { SpawnedSandbox } from "../support/sandbox.ts";

export type Place = Pick<SpawnedSandbox, "endpoints">;

export type Fields = Record<string, string>;

/** A valid set of fields for an operation, beyond `api_key` and `lan`. */
function goodFields(operation: Operation): Fields {
  switch (operation) {
    case "daily-horoscope":
      return { sign: "aries", h_day: "today", tzone: "5.5" };
    case "weekly-horoscope":
      return { sign: "aries", week: "current", tzone: "5.5" };
    case "monthly-horoscope":
      return { sign: "aries", month: "current", tzone: "5.5" };
    case "yearly-horoscope":
      return { sign: "aries", year: "current", tzone: "5.5" };
    case "love-compatibility":
      return { sign_1: "aries", sign_2: "pisces" };
    case "which-animal-are-you-reading":
      return { full_name: "Example Person", day: "29", month: "2", year: "1992" };
    default:
      return {};
  }
}

export function urlOf(place: Place, operation: Operation, language: Language): string {
  const { endpoint, path } = rowOf(operation);
  if (endpoint === "legacy") return place.endpoints.legacy + path;
  return (language === "en" ? place.endpoints.english : place.endpoints.translator) + path;
}

export function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** The fields a good call has, `lan` and key included. */
export function allFields(operation: Operation, language: Language): Fields {
  const fields: Fields = { api_key: "sandbox-key", ...goodFields(operation) };
  const needsLan = language !== "en" || operation === "divine-angel-reading";
  return needsLan ? { ...fields, lan: wireOf(language) } : fields;
}

const token = { authorization: "Bearer sandbox-token" };

export function call(
  place: Place,
  operation: Operation,
  language: Language = "en",
  fields: Fields = {},
  init: RequestInit = {},
): Promise<Response> {
  const body = formOf({ ...allFields(operation, language), ...fields });
  const headers = rowOf(operation).endpoint === "legacy" ? {} : token;
  const url = urlOf(place, operation, language);
  return fetch(url, { method: "POST", headers, body, redirect: "manual", ...init });
}

const envelope = z.object({ success: z.number(), data: z.unknown().optional(), msg: z.string().optional() });

export async function answerOf(...asked: Parameters<typeof call>): Promise<z.infer<typeof envelope>> {
  const response = await call(...asked);
  return envelope.parse(await response.json());
}

export const sections = ["personal", "health", "profession", "emotions", "travel"] as const;
const text = z.string();
const block = z.object({
  personal: text,
  health: text,
  profession: text,
  emotions: text,
  travel: text,
  luck: z.array(text),
});

const daily = z.object({ sign: text, date: text, prediction: block });

/** The data of a daily horoscope, read as far as these tests look. */
export async function dailyOf(place: Place, language: Language, fields: Fields) {
  return daily.parse((await answerOf(place, "daily-horoscope", language, fields)).data);
}
