// The types that the sandbox's parts share: a parsed request, and the data that answers it.
import type { AnimalRequest, CardRequest, HoroscopeRequest, PairRequest } from "../../readings/request.ts";

/** A person's request holds a hash in place of the name: nothing that the sandbox counts or prints carries one. */
export type ReceivedPersonRequest = AnimalRequest & { readonly birthNumber: number };
export type ReceivedRequest = HoroscopeRequest | PairRequest | CardRequest | ReceivedPersonRequest;

export type JsonValue = string | number | boolean | null | JsonValue[] | Data;
export interface Data {
  [name: string]: JsonValue;
}

/** Card operations have been seen to answer with `data.cards`, and with `data.prediction` as an object or a list. */
export const cardShapes = ["cards", "object", "list"] as const;
export type CardShape = (typeof cardShapes)[number];

export interface AnswerOptions {
  /** Sign names, months and dates in the requested language; whether the live service does so is not known. */
  readonly translated: boolean;
  /** The shape of answers to card operations that have several; drawn at random when absent. */
  readonly shape: CardShape | undefined;
  /** Root URL of the cards' pictures. Default: a reserved host name. */
  readonly pictures?: string;
}
