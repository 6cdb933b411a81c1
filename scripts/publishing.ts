// What the commands need that change the site by themselves, without Temporal.
import type { Log } from "../vault/log.ts";
import { keptPictures } from "../service/pictures/kept-pictures.ts";
import { fingerprintOf } from "../publish/press/fingerprint.ts";
import type { Publishing } from "../publish/state/publishing-place.ts";
import { announcingFor } from "../worker/alerts/outside.ts";
import { signerFor } from "../worker/settings/signer.ts";
import type { Opening } from "./opening.ts";
import { say } from "./terminal/output.ts";

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
