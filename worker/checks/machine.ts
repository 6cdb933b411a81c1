// Checks of the machine: its clock, compared with the servers that it uses, and Node's time zone and language data. With a wrong
// clock, a worker would request the texts of another day.
import { endpointNames } from "../../readings/tables.ts";
import { fetchServerTime } from "../../service/connection.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { isZone } from "../../readings/calendar.ts";
import { type Environment, now } from "../settings/environment.ts";
import type { RealService } from "../opened-site.ts";
import { broken, type Check, right, warning } from "./check.ts";

/** Smaller differences mean nothing: servers report whole seconds, and a response takes a moment. */
const unnoticedMs = 5_000;
/** From here on texts around midnight belong to another day, and signed calls to S3 are soon refused. */
const harmfulMs = 60_000;

export async function checkClock(service: RealService | undefined, environment: Environment): Promise<Check> {
  const name = "clock";
  if (service === undefined)
    return right(name, "not checked, because no server is configured to compare it with");
  const origins = new Set(endpointNames.flatMap((endpoint) => service.endpoints[endpoint] ?? []));
  const skewRequests = [...origins].map((address) => skewOf(address, environment));
  const skews = (await Promise.all(skewRequests)).flat();
  const [worst] = skews.toSorted((one, other) => Math.abs(other.aheadMs) - Math.abs(one.aheadMs));
  if (worst === undefined)
    return right(name, "not checked, because no server of the service reports its time");
  const bySeconds = Math.round(worst.aheadMs / 1000);
  const seen = `this machine is ${Math.abs(bySeconds)} s ${bySeconds < 0 ? "behind" : "ahead of"} ${worst.of}`;
  const remedy = "synchronize the clock (timedatectl set-ntp true), or check the other server's clock";
  if (Math.abs(worst.aheadMs) > harmfulMs) return broken(name, seen, remedy);
  if (Math.abs(worst.aheadMs) > unnoticedMs) return warning(name, seen, remedy);
  return right(name, `in sync with ${worst.of}`);
}

/** How far our clock is ahead of a server's. Empty where the server does not answer, which its own check says, or names no time. */
async function skewOf(address: string, environment: Environment) {
  const requestedMs = now(environment).getTime();
  const theirsMs = Date.parse((await fetchServerTime(address, environment.proxies)) ?? "");
  const oursMs = (requestedMs + now(environment).getTime()) / 2;
  const of = new URL(address).origin;
  return Number.isNaN(theirsMs) ? [] : [{ of, aheadMs: oursMs - theirsMs - 500 }]; // it names whole seconds
}

/** Governments change their clocks at short notice: with data this old, one of 26 zones may be an hour off. */
const oldYears = 2;

export function checkZones(configuration: Configuration, at: Date): Check {
  const name = "zone data";
  const version = process.versions["tz"] ?? "unknown version";
  const zones = configuration.languages.map((language) => zoneOf(configuration, language));
  const strange = [...new Set(zones)].filter((zone) => !isZone(zone));
  const update = "install a current Node with full ICU, such as the one that `npm ci` installs";
  if (strange.length > 0) return broken(name, `this Node does not know ${strange.join(", ")}`, update);
  const { size } = new Set(zones);
  const seen = `${version}, with the ${size === 1 ? "time zone" : `${size} time zones`} of this site`;
  const year = Number(version.slice(0, 4));
  return at.getUTCFullYear() - year >= oldYears ? warning(name, seen, update) : right(name, seen);
}

export function checkLanguages({ languages }: Configuration): Check {
  const name = "languages";
  const known = Intl.DateTimeFormat.supportedLocalesOf(languages);
  const lacking = languages.filter((language) => !known.includes(language));
  if (lacking.length === 0)
    return right(
      name,
      `Node formats dates and numbers in ${languages.length === 1 ? "the language" : `all ${languages.length} languages`} of this site`,
    );
  const seen = `this Node has no date formats for ${lacking.join(", ")}, so dates would appear in another language`;
  return broken(name, seen, "install a Node with full ICU, such as the one that `npm ci` installs");
}
