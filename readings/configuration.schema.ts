// What a site is: the shape of almanac.config.ts, with a default for everything, so that `export default {}` is a site.
// worker/configuration.ts loads it; where things run and the secrets are the environment's business.
import { z } from "zod";
import { ruleNames } from "./gates/gate.ts";
import { languageNames } from "./languages.ts";
import { operationNames } from "./operations.ts";
import { personIdPattern } from "./request.ts";
import { signs } from "./signs.ts";
import { isZone } from "./zones.ts";

const language = z.enum(languageNames);
const operation = z.enum(operationNames);
const sign = z.enum(signs);
const zone = z.string().refine(isZone, "is not a time zone that this machine knows, such as Asia/Kolkata");

/** Without these no reading could be trusted at all, so they can't be switched to warn. */
const fixedRules = ["sign", "period", "empty"] as const;
const switchable = ruleNames.filter((rule) => !fixedRules.some((fixed) => fixed === rule));

/** One figure an address. */
const perAddress = (figure: z.ZodNumber, english: number, translator: number, legacy: number) => {
  return z
    .strictObject({
      english: figure.default(english),
      translator: figure.default(translator),
      legacy: figure.default(legacy),
    })
    .prefault({});
};

/** Where a stylesheet is, from the configuration's own folder on; worker/stylesheet.ts reads it. */
const stylesheet = z
  .string()
  .min(1)
  .transform((path): { path: string; css?: string } => ({ path }));
const color = z.string().regex(/^#[0-9A-Fa-f]{6}$/, "a colour such as #1a2b3c");
const colors = z.strictObject({
  accent: color.optional(),
  paper: color.optional(),
  ink: color.optional(),
});

/** A name and no address: its last label begins with a letter, which that of an address in numbers never does. */
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const host = z
  .string()
  .regex(
    new RegExp(`^(?=.{1,253}(?::|$))(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\\d{1,5})?$`),
    "the exact name of a host, in lower case, such as cards.example",
  );

const site = z
  .strictObject({
    /** First word of every workflow id, so that several sites can share a namespace. */
    id: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, "lower-case letters, digits and hyphens, at most 32")
      .default("almanac"),
    name: z.string().min(1).max(80).default("Almanac"),
    url: z.url({ protocol: /^https?$/ }).default("http://127.0.0.1:8420"),
    /** In place of ours, by day and where the reader's device is dark; text must be readable in them. */
    colors: z.strictObject({ light: colors.optional(), dark: colors.optional() }).optional(),
    /** A line of one's own under every page and letter. */
    footer: z
      .strictObject({
        text: z.string().trim().min(1).max(300),
        link: z.url({ protocol: /^https$/, error: "an address that begins with https://" }).optional(),
      })
      .optional(),
    stylesheet: stylesheet.optional(),
  })
  .prefault({});

const service = z
  .strictObject({
    /** Calls started a second. */
    ratePerSecond: perAddress(z.number().min(0.01).max(1000), 5, 5, 5),
    /** Calls in flight; translator answers take half a minute, so a good rate needs many at once. */
    concurrency: perAddress(z.int().min(1).max(1000), 8, 32, 2),
    /** The longest an answer may take. */
    answerTimeoutSeconds: perAddress(z.number().min(1).max(600), 30, 90, 30),
    /** A ceiling on calls in one UTC day, over all runs. */
    callsPerDay: z.number().int().min(1).optional(),
  })
  .prefault({});

const person = z.strictObject({
  id: z.string().regex(personIdPattern, "lower-case letters, digits and hyphens, at most 64"),
  fullName: z.string().min(1).max(200),
  birthDate: z.iso.date(),
});

export const configurationSchema = z.strictObject({
  site,
  languages: z
    .array(language)
    .min(1)
    .default([...languageNames]),
  operations: z
    .array(operation)
    .min(1)
    .default([...operationNames]),
  /** Home zones other than the defaults, by language. */
  zones: z.partialRecord(language, zone).default({}),
  /** Which pairs of signs have a page; all 144 unless listed. */
  pairs: z.array(z.tuple([sign, sign])).optional(),
  people: z.array(person).default([]),
  /** How many cards, and in which of the service's three picture styles, by operation. */
  cards: z
    .partialRecord(
      operation,
      z.strictObject({
        count: z.number().int().min(1).max(5).optional(),
        image: z.number().int().min(1).max(3).optional(),
      }),
    )
    .default({}),
  pictures: z
    .strictObject({
      /** Copies of the cards' pictures on the site, fetched once and from these hosts alone; none unless said. */
      mirror: z
        .strictObject({
          hosts: z.array(host).min(1).max(20),
          mostBytes: z.int().min(1_000).max(10_000_000).default(1_000_000),
        })
        .optional(),
    })
    .prefault({}),
  service,
  /** A rule of the quality gates can be set to warn: the reading is kept, with a note. */
  quality: z
    .strictObject({ rules: z.partialRecord(z.enum(switchable), z.enum(["refuse", "warn"])).default({}) })
    .prefault({}),
  publishing: z
    .strictObject({
      /** A publish or a clean-up that takes away a larger share of the site asks for a person's word. */
      unusualShare: z.number().min(0).max(1).default(0.1),
      /** How long an earlier state can be rolled back to; then `almanac gc` takes what only it had. */
      keepDays: z.number().min(1).max(3650).default(30),
      /** Public keys (Ed25519) by which the site's pointer is checked; two while one takes over from the other. */
      publicKeys: z.array(z.string()).max(2).default([]),
    })
    .prefault({}),
  schedule: z
    .strictObject({
      /** The nightly run's time of day in UTC. */
      nightly: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a time of day such as 03:05")
        .default("03:05"),
      /** How long a run goes on trying, from its start. */
      deadlineHours: z.number().min(0.01).max(48).default(6),
    })
    .prefault({}),
});

export type Configuration = z.infer<typeof configurationSchema>;
/** What a person writes: every key may be left out. */
export type ConfigurationInput = z.input<typeof configurationSchema>;
