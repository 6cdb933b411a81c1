// The workflows that a worker bundles.
export { edition } from "./edition.ts";
export { backfill, nightly } from "./nightly.ts";
export { scrub } from "./scheduled.ts";
export { publish } from "./scheduled.ts";
export { scheduled } from "./scheduled.ts";
