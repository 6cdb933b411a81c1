// The published state is a published shape like the others: it stands with them.
export * from "../../site/manifest.schema.ts";
