// What the site is; everything left out has a default (docs/configuration.md).
export default {
  site: { name: "Almanac", url: "http://127.0.0.1:8420" },
};
