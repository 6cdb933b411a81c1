// Configuration of the site. All omitted settings have defaults (docs/configuration.md).
export default {
  site: { name: "Almanac", url: "http://127.0.0.1:8420" },
};
