// The data of a configuration that a call needs beyond its request key. Sites of one vault share stored responses and the rate of an
// endpoint, so this data must be equal for all of them.
import { scryptSync } from "node:crypto";
import type { Configuration } from "../readings/configuration.schema.ts";
import { canonical, sha256 } from "./files.ts";

/** The cost of each guess at a name and a birth date: 32 MB, and about a tenth of a second. */
const guessing = { cost: 2 ** 15, maxmem: 64 * 2 ** 20 };

/** Names and birth dates must not be stored, and a plain hash of them can be guessed, so they are hashed with scrypt. */
export function callDataHash(
  { cards, people, quality, service, zones }: Configuration,
  vault: string,
): string {
  const inOrder = people.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const secret =
    people.length === 0 ? "" : scryptSync(canonical(inOrder), vault, 32, guessing).toString("hex");
  return sha256(canonical({ cards, rules: quality.rules, service, zones, secret })).slice(0, 16);
}
