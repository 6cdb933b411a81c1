// The time that a publisher goes by.
import { mostAheadMs } from "../../readings/dates-ahead.ts";
import type { PublishingPlace } from "./publishing-place.ts";

/** The clock's time, but none that is over by the word of a witness, and none further ahead than one confirms. */
export async function believedTime({
  now,
  witness,
  vault,
}: Pick<PublishingPlace, "now" | "witness" | "vault">): Promise<Date> {
  const at = now();
  const known = await witness?.newest(vault.store);
  if (known === undefined) return at;
  const firstMs = known.at.getTime();
  return new Date(Math.min(Math.max(at.getTime(), firstMs), firstMs + mostAheadMs));
}
