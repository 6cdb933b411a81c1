// Exports for programs that read the published JSON: the schema of every file, for validation, and its type.
import type { z } from "zod";
import { shapes } from "./data.schema.ts";

export { shapes };

/** `PublishedFiles["signs"]` is `/v1/{lang}/daily/{date}.json`, and so on. */
export type PublishedFiles = { readonly [Name in keyof typeof shapes]: z.infer<(typeof shapes)[Name]> };
