// What the commands need that change the site by themselves, without Temporal.
import type { Log } from "../activities/log.ts";
import { keptPictures } from "../activities/pictures/kept-pictures.ts";
import { fingerprintOf } from "../activities/publish/fingerprint.ts";
import type { Publishing } from "../activities/publish/place.ts";
import { announcingFor } from "../worker/outside.ts";
import { signerFor } from "../worker/signer.ts";
import type { Opening } from "./opening.ts";
import { say } from "./output.ts";

export function publishingOf({ environment, configuration, place, vault, site }: Opening): Publishing {
  // A person is looking: what would be a line of the log is said, and the facts are in its words.
  const log: Log = {
    info: () => undefined,
    warn: (_, message) => say(message),
    error: (_, message) => say(message),
  };
  const now = (): Date => new Date();
  return {
    configuration,
    vault,
    site,
    pictures: configuration.pictures.mirror && keptPictures(vault.store, log),
    announce: announcingFor({ environment, configuration, place, log, now }),
    now,
    log,
    fingerprint: fingerprintOf(configuration.site),
    signer: signerFor(environment, configuration),
  };
}
