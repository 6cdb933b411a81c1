// The site in the configuration: its name, its address and its statements. The theme has its look.
import { z } from "zod";

export const site = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, "lower-case letters, digits and hyphens, at most 32")
      .default("almanac")
      .describe(
        "first word of every workflow's id and task queue, so that several sites can share a namespace",
      ),
    name: z.string().min(1).max(80).default("Almanac").describe("name of the site on its pages"),
    url: z
      .url({ protocol: /^https?$/ })
      .default("http://127.0.0.1:8420")
      .describe("where readers find the site; every link, feed and sitemap begins with it"),
    tomorrow: z
      .boolean()
      .default(false)
      .describe(
        "whether tomorrow's daily horoscopes are published a day ahead, as soon as all twelve are in",
      ),
    accessibility: z
      .strictObject({
        contact: z
          .union(
            [z.email(), z.url({ protocol: /^https$/ })],
            "an e-mail address, or one that begins with https://",
          )
          .describe("address for readers who cannot use a page"),
      })
      .optional()
      .describe("a statement on accessibility, in every language"),
    security: z
      .strictObject({
        contact: z
          .union(
            [z.email(), z.url({ protocol: /^https$/ })],
            "an e-mail address, or one that begins with https://",
          )
          .describe("address for reports of security faults"),
      })
      .optional()
      .describe("contact that `/.well-known/security.txt` names"),
    machineMade: z
      .boolean()
      .optional()
      .describe("whether pages say that their texts are made or translated by machine"),
    hub: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("WebSub hub that feeds name and that is notified of changed feeds"),
  })
  .prefault({});
