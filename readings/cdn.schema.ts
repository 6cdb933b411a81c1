// The part of the configuration that names the caches before the site which are told after a publish what changed.
import { z } from "zod";

export const cdn = z
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
  .describe("caches that are told after a publish what changed (docs/store.md)");
