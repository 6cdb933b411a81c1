// The site of the soak: small, with every kind of due date, zones on both sides of the date line and both turns of the
// clocks, and all three endpoints of the service.
import { generateKeyPairSync } from "node:crypto";
import { publicHalf } from "../../publish/step/pointer.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { allSlots, slots } from "../support/looks.ts";

/** Calls in flight in one worker at most. */
export const inFlight = allSlots;

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
/** The key that an attacker of the site does not have. */
export const signingKey = privateKey
  .export({ type: "pkcs8", format: "pem" })
  .toString()
  .replaceAll("\n", "\\n");
export const publicKeys = [publicKey];

export const siteInput: ConfigurationInput = {
  languages: ["en", "de", "ja", "es"],
  zones: { ja: "Pacific/Kiritimati", es: "Pacific/Pago_Pago" }, // 14 hours before UTC, and 11 behind it
  operations: [
    "daily-horoscope",
    "weekly-horoscope",
    "monthly-horoscope",
    "yearly-horoscope",
    "daily-tarot",
    "daily-tarot-legacy",
    "wisdom-reading",
    "love-compatibility",
    "which-animal-are-you-reading",
  ],
  pairs: [
    ["aries", "leo"],
    ["libra", "libra"],
  ],
  publishing: { publicKeys: [publicHalf(publicKey)] },
  people: [{ id: "reader-1", fullName: "Example Person", birthDate: "1992-02-29" }],
  service: {
    ratePerSecond: { english: 8, translator: 15, legacy: 5 }, // the night must last long enough to be disturbed
    concurrency: slots,
    answerTimeoutSeconds: { english: 5, translator: 5, legacy: 5 },
  },
};
