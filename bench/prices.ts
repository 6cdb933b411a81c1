/** In US dollars, as Amazon (us-east-1) and Cloudflare listed them in 2025; removals are free. */
export const storePrices = {
  "Amazon S3": { aMillionWrites: 5, aMillionReads: 0.4, aGigabyteMonth: 0.023 },
  "Cloudflare R2": { aMillionWrites: 4.5, aMillionReads: 0.36, aGigabyteMonth: 0.015 },
} as const;

/**
 * In US dollars, as https://docs.temporal.io/cloud/pricing had them on 2026-11-23 for the plan that has no base fee (Developer): the
 * plan itself is a tenth of what is used.
 */
export const temporalPrices = { aMillionActions: 50, planShare: 0.1 } as const;
