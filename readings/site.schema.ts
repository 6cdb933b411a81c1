// The site in the configuration: its name, its address and its statements. The theme has its look.
import { z } from "zod";

export const site = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, "lower-case letters, digits and hyphens, at most 32")
      .default("almanac")
      .describe("prefix of workflow IDs and task queues, unique in the Temporal namespace"),
    name: z.string().min(1).max(80).default("Almanac").describe("site name on pages"),
    url: z
      .url({ protocol: /^https?$/ })
      .default("http://127.0.0.1:8420")
      .describe("public URL, the start of every link, feed and sitemap entry"),
    tomorrow: z
      .boolean()
      .default(false)
      .describe("publish tomorrow's daily horoscopes one day ahead, once all twelve are ready"),
    accessibility: z
      .strictObject({
        contact: z
          .union(
            [z.email(), z.url({ protocol: /^https$/ })],
            "an e-mail address, or one that begins with https://",
          )
          .describe("e-mail address or URL for readers with access problems"),
      })
      .optional()
      .describe("accessibility statement in every language"),
    security: z
      .strictObject({
        contact: z
          .union(
            [z.email(), z.url({ protocol: /^https$/ })],
            "an e-mail address, or one that begins with https://",
          )
          .describe("e-mail address or URL for security reports"),
      })
      .optional()
      .describe("publishes `/.well-known/security.txt`"),
    machineMade: z.boolean().optional().describe("label texts as generated or translated by machine"),
    hub: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("WebSub hub of the feeds"),
  })
  .prefault({});
