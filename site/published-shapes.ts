// What a program may import of the published JSON: the shape of every file, to check what it reads, and its type.
import type { z } from "zod";
import { shapes } from "./data.schema.ts";

export { shapes };

/** `PublishedFiles["signs"]` is `/v1/{lang}/daily/{date}.json`, and so on. */
export type PublishedFiles = { readonly [Name in keyof typeof shapes]: z.infer<(typeof shapes)[Name]> };
