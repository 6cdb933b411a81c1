// Theme of the demonstration: ours, with a line on every page that says that it is a demonstration.
import { defineTheme } from "../../../../worker/theme/define.ts";

export default defineTheme({
  stylesheets: ["notice.css"],
  newsletter: { footer: { text: "A demonstration: all texts are invented by a program." } },
  slots: {
    navigation: [
      { file: "notice.en.html", languages: ["en"] },
      { file: "notice.hi.html", languages: ["hi"] },
      { file: "notice.ar.html", languages: ["ar"] },
    ],
  },
});
