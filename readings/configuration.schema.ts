// Schema of almanac.config.ts, with a default for every setting, so that `export default {}` is a complete site.
// worker/settings/configuration.ts loads it. Locations and secrets are set in the environment instead. docs/configuration.md is
// generated from the `describe` texts (npm run reference).
import { z } from "zod";
import { cdn } from "./cdn.schema.ts";
import { indexing } from "./index-rules.ts";
import { paceBounds } from "./plan-order.ts";
import { ruleNames } from "./rules/rule.ts";
import { languageNames, operationNames, signs } from "./tables.ts";
import { hostPattern } from "./picture-hosts.ts";
import { personIdPattern } from "./request.ts";
import { isZone } from "./calendar.ts";
import { reviewSchema } from "./review.ts";

const contact = z.union(
  [z.email(), z.url({ protocol: /^https$/ })],
  "an e-mail address, or one that begins with https://",
);

// The site's name, its address and its statements. The theme has its look.
const site = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, "lower-case letters, digits and hyphens, at most 32")
      .default("almanac")
      .describe("prefix of workflow IDs and task queues, unique in the Temporal namespace"),
    name: z.string().min(1).max(80).default("Almanac").describe("site name on pages"),
    url: z
      .url({ protocol: /^https?$/, error: "a URL such as https://stars.example" })
      .default("http://127.0.0.1:8420")
      .describe("public URL; prefix of all links, feeds and sitemap entries"),
    tomorrow: z
      .boolean()
      .default(false)
      .describe("publish each daily horoscope a day early, when all twelve signs are ready"),
    accessibility: z
      .strictObject({
        contact: contact.describe("e-mail address or URL for readers with access problems"),
      })
      .optional()
      .describe("accessibility statement in every language"),
    security: z
      .strictObject({
        contact: contact.describe("e-mail address or URL for security reports"),
      })
      .optional()
      .describe("contact published in `/.well-known/security.txt`"),
    machineMade: z.boolean().optional().describe("label texts as machine-generated or machine-translated"),
    hub: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("WebSub hub of the feeds"),
    indexNow: z
      .strictObject({
        key: z
          .string()
          .regex(/^[a-zA-Z0-9-]{8,128}$/, "8 to 128 letters, digits and hyphens")
          .describe("random key, published in `/indexnow.txt`"),
        server: z
          .url({ protocol: /^https?$/ })
          .default("https://api.indexnow.org/indexnow")
          .describe("IndexNow server"),
      })
      .optional()
      .describe("notify search engines of changed pages (docs/hosting.md)"),
  })
  .prefault({});

// Start times of the runs and their limits.
const schedule = z.strictObject({
  nightly: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a time of day such as 03:05")
    .default("03:05")
    .describe("start time of the nightly run, as `HH:MM` in UTC"),
  deadlineHours: z.number().min(0.01).max(48).default(6).describe("maximum duration of a run, in hours"),
  scrubMegabytes: z
    .number()
    .min(1)
    .max(1_000_000)
    .default(1_000)
    .describe("maximum megabytes that the daily background check (scrub) reads"),
});

const language = z.enum(languageNames);
const operation = z.enum(operationNames);
const sign = z.enum(signs);
const zone = z.string().refine(isZone, "a known time zone, such as Asia/Kolkata");

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
      legacy: figure.default(legacy).describe(`${what} at the legacy tarot endpoint`),
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
    ).describe("maximum calls per second across all workers"),
    concurrency: perEndpoint(
      "concurrent calls",
      z.int().min(inFlight.least).max(inFlight.most),
      8,
      32,
      2,
    ).describe("maximum calls in flight. Translator calls take about 30 seconds, so their limit is higher"),
    answerTimeoutSeconds: perEndpoint(
      "response timeout",
      z.number().min(timeout.least).max(timeout.most),
      30,
      90,
      30,
    ).describe("seconds without a response before a call fails"),
    callsPerDay: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("maximum calls per UTC day. Retries of unanswered calls are not counted. Default: no limit"),
  })
  .prefault({});

const person = z.strictObject({
  id: z
    .string()
    .regex(personIdPattern, "lower-case letters, digits and hyphens, at most 64")
    .describe("ID used in request keys, paths and pages"),
  fullName: z.string().min(1).max(200).describe("name, sent to the service only"),
  birthDate: z.iso.date().describe("birth date, sent to the service only"),
});

export const configurationSchema = z.strictObject({
  site,
  theme: z
    .string()
    .min(1)
    .optional()
    .describe("theme folder or package (docs/theming.md). Default: `theme/` next to this file"),
  languages: z
    .array(language)
    .min(1)
    .default([...languageNames])
    .describe("BCP 47 codes of the published languages (docs/operations.md)"),
  operations: z
    .array(operation)
    .min(1)
    .default([...operationNames])
    .describe("operations to request, each in the languages that the service offers"),
  zones: z
    .partialRecord(language, zone)
    .default({})
    .describe(
      "time zones that replace the defaults (docs/operations.md); a language's date changes at midnight in its zone",
    ),
  pairs: z
    .array(z.tuple([sign, sign]))
    .optional()
    .describe("sign pairs that get a page. Default: all 144"),
  people: z
    .array(person)
    .default([])
    .describe("people who each get a page with their `which-animal-are-you-reading`"),
  cards: z
    .partialRecord(
      operation,
      z.strictObject({
        count: z.number().int().min(1).max(5).optional().describe("number of cards drawn. Default: 1"),
        image: z
          .number()
          .int()
          .min(1)
          .max(3)
          .optional()
          .describe("card image style, numbered as in the service's API"),
      }),
    )
    .default({})
    .describe("options for card operations"),
  decks: z
    .strictObject({
      callsPerNight: z
        .int()
        .min(0)
        .max(1_000)
        .default(0)
        .describe(
          "extra calls per night, for all languages together, to complete the decks of known cards faster (docs/tune.md)",
        ),
    })
    .prefault({}),
  pictures: z
    .strictObject({
      hosts: z
        .array(host)
        .max(50)
        .default([])
        .describe("hosts that pages may load card images from (docs/theme-reference.md)"),
      mirror: z
        .strictObject({
          hosts: z
            .array(host)
            .min(1)
            .max(20)
            .optional()
            .describe("additional hosts that images may be copied from, but not loaded from"),
          mostBytes: z
            .int()
            .min(1_000)
            .max(10_000_000)
            .default(1_000_000)
            .describe("maximum bytes per image"),
        })
        .optional()
        .describe("serve copies of card images from the site (docs/theme-reference.md). Default: off"),
    })
    .prefault({}),
  indexing,
  service,
  review: reviewSchema,
  quality: z
    .strictObject({
      rules: z
        .partialRecord(z.enum(switchable), z.enum(["refuse", "warn"]))
        .default({})
        .describe("action per validation rule: `refuse` (default) or `warn` (docs/validation-rules.md)"),
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
          "share of the site above which a publish that removes pages, or `almanac gc`, needs `--yes`",
        ),
      keepDays: z
        .number()
        .min(1)
        .max(3650)
        .default(30)
        .describe(
          "days for which you can roll back to an earlier version. After that, `almanac gc` deletes its files",
        ),
      publicKeys: z
        .array(z.string())
        .max(2)
        .default([])
        .describe("Ed25519 public keys of the site (docs/client.md); list two keys while you rotate them"),
    })
    .prefault({}),
  archive: z
    .strictObject({
      days: z
        .int()
        .min(62)
        .max(36_500)
        .optional()
        .describe("days after which dated pages leave the site (docs/hosting.md). Default: no limit"),
    })
    .prefault({}),
  cdn,
  schedule: schedule.prefault({}),
});

export type Configuration = z.infer<typeof configurationSchema>;
/** Configuration as written by users: every key is optional. */
export type ConfigurationInput = z.input<typeof configurationSchema>;
