// The decisions of people that keep something back from the site: pins of rollbacks, withdrawals, and withdrawals that were undone.
// A lost withdrawal would be published again, so there are three copies.
import { z } from "zod";
import { languageNames } from "../readings/languages.ts";
import type { Kept } from "./kept.ts";
import { siteLayout } from "./layout.ts";

const pin = z.object({
  language: z.enum(languageNames),
  /** No edition of this language is published until its local date is a later one. */
  date: z.iso.date(),
  /** These sets, named by `nameOfSet`, stay as the site shows them, also after that date. */
  sets: z.array(z.string()),
  at: z.iso.datetime(),
  /** The state that the rollback went to: a text of it that was withdrawn comes back from there. */
  to: z.object({ manifest: z.string(), version: z.int() }),
});
export type Pin = z.infer<typeof pin>;

const withdrawal = z.object({
  key: z.string(),
  path: z.string(),
  reason: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
});
export type Withdrawal = z.infer<typeof withdrawal>;

const returned = withdrawal.extend({ returned: z.object({ by: z.string(), at: z.iso.datetime() }) });

const schema = z.object({
  pins: z.array(pin),
  withdrawn: z.array(withdrawal),
  /** Withdrawals that were undone. */
  returned: z.array(returned),
});
export type WithheldNote = z.infer<typeof schema>;

export const decisions: Kept<WithheldNote> = {
  keys: ["1", "2", "3"].map(siteLayout.decisions),
  schema,
  empty: { pins: [], withdrawn: [], returned: [] },
};
