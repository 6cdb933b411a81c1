// What the site is; everything left out has a default (docs/configuration.md).
export default {
  site: { name: "Almanac", url: "https://almanac.example" },
};
