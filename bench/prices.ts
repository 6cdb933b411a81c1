/** Prices in US dollars from Amazon (us-east-1) and Cloudflare in 2025. Deletions are free. */
export const storePrices = {
  "Amazon S3": { aMillionWrites: 5, aMillionReads: 0.4, aGigabyteMonth: 0.023 },
  "Cloudflare R2": { aMillionWrites: 4.5, aMillionReads: 0.36, aGigabyteMonth: 0.015 },
} as const;

/**
 * Prices in US dollars from https://docs.temporal.io/cloud/pricing on 2026-11-23, for the plan without a base fee (Developer): the
 * plan costs a tenth of the usage.
 */
export const temporalPrices = { aMillionActions: 50, planShare: 0.1 } as const;
