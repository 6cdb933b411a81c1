// The time that a publisher uses.
import { mostAheadMs } from "../../readings/calendar.ts";
import type { PublishContext } from "./publish-context.ts";

/** The clock's time, never earlier than a time source says, and never further ahead than it confirms. */
export async function believedTime({
  now,
  timeSource,
  vault,
}: Pick<PublishContext, "now" | "timeSource" | "vault">): Promise<Date> {
  const at = now();
  const known = await timeSource?.newest(vault.store);
  if (known === undefined) return at;
  const firstMs = known.at.getTime();
  return new Date(Math.min(Math.max(at.getTime(), firstMs), firstMs + mostAheadMs));
}
