// What a vault holds of the scripted site's dates: the sandbox's answers, kept as captures.
import type { Capture } from "../../../vault/capture.schema.ts";
import { sha256 } from "../../../vault/sha256.ts";
import type { Language } from "../../../readings/languages.ts";
import { addDays } from "../../../readings/periods.ts";
import { requestKey } from "../../../readings/request.ts";
import { dataFor, envelope } from "../../../sandbox/answers.ts";
import { hashOf, seededRandom } from "../../../sandbox/random.ts";
import { operationsIn } from "./nights.ts";

/** By the vault's key; `draw` makes other cards of the same requests. */
export function capturesOf(
  languages: readonly Language[],
  dates: readonly string[],
  draw = "",
): Map<string, Uint8Array> {
  const captures = new Map<string, Uint8Array>();
  for (const language of languages) {
    for (const period of dates) {
      for (const operation of operationsIn(language)) {
        const request = { operation, language, period };
        const key = requestKey(request);
        const draws = seededRandom(hashOf(key + draw));
        const body = JSON.stringify(
          envelope(request, dataFor(request, { translated: true, shape: undefined }, draws)),
        );
        const capture: Capture = {
          format: 1,
          key,
          address: "english",
          receivedAt: `${addDays(period, -1)}T08:05:17.000Z`,
          tries: 1,
          run: "almanac-nightly",
          bodyHash: sha256(new TextEncoder().encode(body)),
          body,
          notes: [],
        };
        captures.set(`captures/${key}.json`, new TextEncoder().encode(JSON.stringify(capture)));
      }
    }
  }
  return captures;
}
