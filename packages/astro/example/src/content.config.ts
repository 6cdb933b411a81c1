import { almanacLoader } from "@almanac/astro";
import { defineCollection } from "astro:content";

const url = process.env.ALMANAC ?? "https://almanac.example/";
const keys = ["MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="]; // the site's public key
export const collections = {
  almanac: defineCollection({ loader: almanacLoader({ url, keys, languages: ["en"] }) }),
};
