// Schema of almanac.config.ts, with a default for every setting, so that `export default {}` is a complete site.
// worker/settings/configuration.ts loads it. Locations and secrets are set in the environment instead. docs/configuration.md is
// generated from the `describe` texts (npm run reference).
import { z } from "zod";
import { paceBounds } from "./call-pace.ts";
import { ruleNames } from "./rules/rule.ts";
import { languageNames } from "./languages.ts";
import { operationNames } from "./operations.ts";
import { hostPattern } from "./picture-hosts.ts";
import { personIdPattern } from "./request.ts";
import { signs } from "./signs.ts";
import { site } from "./site.schema.ts";
import { isZone } from "./zones.ts";

// CDN caches in front of the site that are purged after a publish.
const cdn = z
  .strictObject({
    cloudfront: z
      .strictObject({
        distribution: z
          .string()
          .regex(/^[A-Z0-9]{10,20}$/, "the id of a distribution, such as EDFDVBD6EXAMPLE")
          .describe("ID of the CloudFront distribution"),
        by: z
          .enum(["tag", "path"])
          .default("tag")
          .describe("how CloudFront is purged; for `tag` the distribution must read `x-amz-meta-cache-tag`"),
      })
      .optional()
      .describe("CloudFront, asked with the AWS credentials that the site's bucket is written with"),
    cloudflare: z
      .strictObject({
        zone: z
          .string()
          .regex(/^[0-9a-f]{32}$/, "the id of a zone, 32 digits and letters a to f")
          .describe("ID of the Cloudflare zone"),
        by: z
          .enum(["tag", "url"])
          .default("tag")
          .describe(
            "how Cloudflare is purged; for `tag` a Cache Response Rule must read `x-amz-meta-cache-tag`",
          ),
      })
      .optional()
      .describe("Cloudflare, with the token in ALMANAC_CLOUDFLARE_TOKEN"),
  })
  .prefault({})
  .describe("CDN caches that are purged after a publish (docs/store.md)");

// Start times of the runs and their limits.
const schedule = z.strictObject({
  nightly: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a time of day such as 03:05")
    .default("03:05")
    .describe("when a night begins, in UTC; `almanac schedule apply` puts a change into effect"),
  deadlineHours: z.number().min(0.01).max(48).default(6).describe("maximum duration of a run, in hours"),
  patrolMegabytes: z
    .number()
    .min(1)
    .max(1_000_000)
    .default(1_000)
    .describe("maximum megabytes of vault and site that the patrol of a day checks for damage"),
});

const language = z.enum(languageNames);
const operation = z.enum(operationNames);
const sign = z.enum(signs);
const zone = z.string().refine(isZone, "is not a time zone that this machine knows, such as Asia/Kolkata");

/** Without these no reading could be trusted at all, so they can't be switched to warn. */
const fixedRules = ["sign", "period", "empty"] as const;
const switchable = ruleNames.filter((rule) => !fixedRules.some((fixed) => fixed === rule));

/** One figure for each endpoint of the service. */
const perEndpoint = (
  what: string,
  figure: z.ZodNumber,
  english: number,
  translator: number,
  legacy: number,
) => {
  return z
    .strictObject({
      english: figure.default(english).describe(`${what} at the English endpoint`),
      translator: figure.default(translator).describe(`${what} at the translator endpoint`),
      legacy: figure.default(legacy).describe(`${what} at the endpoint of the old tarot`),
    })
    .prefault({});
};

const host = z.string().regex(hostPattern, "the exact name of a host, in lower case, such as cards.example");

const { ratePerSecond: rate, concurrency: inFlight, answerTimeoutSeconds: timeout } = paceBounds;
const service = z
  .strictObject({
    ratePerSecond: perEndpoint(
      "calls per second",
      z.number().min(rate.least).max(rate.most),
      5,
      5,
      5,
    ).describe("calls that all workers together start per second"),
    concurrency: perEndpoint(
      "concurrent calls",
      z.int().min(inFlight.least).max(inFlight.most),
      8,
      32,
      2,
    ).describe(
      "concurrent calls at most; translator responses take half a minute, so a good rate needs many",
    ),
    answerTimeoutSeconds: perEndpoint(
      "response timeout",
      z.number().min(timeout.least).max(timeout.most),
      30,
      90,
      30,
    ).describe("time after which a call without a response counts as failed"),
    callsPerDay: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe(
        "a ceiling on the calls made in one UTC day, tries that got no answer apart; none unless set",
      ),
  })
  .prefault({});

const person = z.strictObject({
  id: z
    .string()
    .regex(personIdPattern, "lower-case letters, digits and hyphens, at most 64")
    .describe("ID of the person in keys, paths and pages, in place of the name"),
  fullName: z
    .string()
    .min(1)
    .max(200)
    .describe("name of the person, sent to the service and stored nowhere else"),
  birthDate: z.iso.date().describe("birth date of the person, also sent only to the service"),
});

export const configurationSchema = z.strictObject({
  site,
  theme: z
    .string()
    .min(1)
    .optional()
    .describe(
      "the folder of a theme, or a package; theme/ beside this file unless said (docs/appearance.md)",
    ),
  languages: z
    .array(language)
    .min(1)
    .default([...languageNames])
    .describe("BCP 47 codes, of those that there are (docs/operations.md)"),
  operations: z
    .array(operation)
    .min(1)
    .default([...operationNames])
    .describe("the operations that are asked, each in the languages in which the service has it"),
  zones: z
    .partialRecord(language, zone)
    .default({})
    .describe("home zones other than ours (docs/operations.md), by language: a language's day turns there"),
  pairs: z
    .array(z.tuple([sign, sign]))
    .optional()
    .describe("pairs of signs with a page; all 144 unless listed"),
  people: z.array(person).default([]).describe("who has a page of which-animal-are-you-reading"),
  cards: z
    .partialRecord(
      operation,
      z.strictObject({
        count: z.number().int().min(1).max(5).optional().describe("how many cards are drawn; one unless set"),
        image: z.number().int().min(1).max(3).optional().describe("which of the service's picture styles"),
      }),
    )
    .default({})
    .describe("options of operations with cards"),
  decks: z
    .strictObject({
      callsPerNight: z
        .int()
        .min(0)
        .max(1_000)
        .default(0)
        .describe(
          "calls in a night, for all languages together, that fill the decks sooner (docs/operating.md)",
        ),
    })
    .prefault({}),
  pictures: z
    .strictObject({
      hosts: z.array(host).max(50).default([]).describe("hosts whose pictures alone are shown, by name"),
      mirror: z
        .strictObject({
          hosts: z.array(host).min(1).max(20).optional().describe("more hosts to copy pictures from"),
          mostBytes: z
            .int()
            .min(1_000)
            .max(10_000_000)
            .default(1_000_000)
            .describe("largest size of one picture in bytes"),
        })
        .optional()
        .describe("copies of the cards' pictures on the site; none unless set (docs/appearance.md)"),
    })
    .prefault({}),
  service,
  quality: z
    .strictObject({
      rules: z
        .partialRecord(z.enum(switchable), z.enum(["refuse", "warn"]))
        .default({})
        .describe("a rule that only warns: the reading is kept, with a note (docs/quality.md)"),
    })
    .prefault({}),
  publishing: z
    .strictObject({
      unusualShare: z
        .number()
        .min(0)
        .max(1)
        .default(0.1)
        .describe(
          "a publish that removes a larger share of the site, or a clean-up of files that a rollback may need, asks for `--yes`",
        ),
      keepDays: z
        .number()
        .min(1)
        .max(3650)
        .default(30)
        .describe(
          "how long an earlier state can be rolled back to; then `almanac gc` takes what only it had",
        ),
      publicKeys: z
        .array(z.string())
        .max(2)
        .default([])
        .describe("Ed25519 keys by which the pointer is checked; two while one takes over (docs/client.md)"),
    })
    .prefault({}),
  cdn,
  schedule: schedule.prefault({}),
});

export type Configuration = z.infer<typeof configurationSchema>;
/** Configuration as written by users: every key is optional. */
export type ConfigurationInput = z.input<typeof configurationSchema>;
