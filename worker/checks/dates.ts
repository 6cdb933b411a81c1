// Says which languages show a date that lies ahead, because of a publisher whose clock was wrong.
import { datesAhead } from "../../publish/state/dates-ahead.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { openStore } from "../../store/kinds.ts";
import { type Environment, now } from "../settings/environment.ts";
import type { SiteLocation } from "../settings/location.ts";
import { broken, type Check } from "./check.ts";

export async function checkDates(
  { site }: SiteLocation,
  environment: Environment,
  configuration: Configuration,
): Promise<Check[]> {
  const found = await datesAhead(openStore(site, environment.s3), configuration, now(environment));
  return found === undefined ? [] : [broken("published dates", found.seen, found.remedy)];
}
