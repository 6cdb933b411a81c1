import { almanacLoader } from "@almanac/astro";
import { defineCollection } from "astro:content";

const url = process.env.ALMANAC ?? "https://almanac.example/";
export const collections = {
  almanac: defineCollection({ loader: almanacLoader({ url, languages: ["en"] }) }),
};
