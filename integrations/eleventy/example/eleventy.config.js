import almanac from "@almanac/eleventy";

export default function (eleventy) {
  eleventy.addPlugin(almanac, { url: process.env.ALMANAC ?? "https://almanac.example/", languages: ["en"] });
}
