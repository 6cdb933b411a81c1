// The workflows that a worker bundles.
export { edition } from "./edition.ts";
export { backfill, nightly } from "./nightly.ts";
export { patrol } from "./patrol.ts";
export { turn } from "./turn.ts";
export { scheduled } from "./scheduled.ts";
