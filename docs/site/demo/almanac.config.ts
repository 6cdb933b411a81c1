// Configuration of the demonstration next to the documentation: three scripts, the signs of a day, and a card.
import { defineConfig } from "../../../worker/settings/define.ts";

export default defineConfig({
  site: {
    name: "Almanac: a demonstration",
    url: "http://127.0.0.1:8422/demo/",
  },
  languages: ["en", "hi", "ar"],
  operations: ["daily-horoscope", "daily-tarot"],
  theme: "theme",
});
