import almanac from "@almanac/eleventy";

const keys = ["MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="]; // the site's public key

export default function (eleventy) {
  eleventy.addPlugin(almanac, {
    url: process.env.ALMANAC ?? "https://almanac.example/",
    keys,
    languages: ["en"],
  });
}
