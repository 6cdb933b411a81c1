import type { ChoiceOptions } from "@almanac/client/pull";
import type { Loader } from "astro/loaders";

/** `v1/en/daily/latest.json` is the entry `en/daily/latest`. */
export function almanacLoader(options: ChoiceOptions): Loader;
