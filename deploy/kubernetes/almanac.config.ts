// Configuration of the site. All omitted settings have defaults (docs/configuration.md).
export default {
  site: { name: "Almanac", url: "https://almanac.example" },
};
