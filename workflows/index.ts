// The workflows that a worker bundles.
export { edition } from "./edition.ts";
export { backfill, nightly } from "./nightly.ts";
export { scrub } from "./scrub.ts";
export { publish } from "./publish.ts";
export { scheduled } from "./scheduled.ts";
