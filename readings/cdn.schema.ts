// Schema of `cdn` in almanac.config.ts: the CDN caches in front of the site that are purged after a publish.
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
          .describe(
            "purge CloudFront by cache tag or by path. For tags, the distribution must read `x-amz-meta-cache-tag`",
          ),
      })
      .optional()
      .describe("CloudFront, called with the credentials of the site's bucket"),
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
            "purge Cloudflare by cache tag or by URL. For tags, a Cache Response Rule must read `x-amz-meta-cache-tag`",
          ),
      })
      .optional()
      .describe("Cloudflare, called with `ALMANAC_CLOUDFLARE_TOKEN`"),
  })
  .prefault({})
  .describe("CDN caches to purge after a publish (docs/hosting.md)");
