// A playful look: our pages in other colours, rounder, with stars. Nothing but styles and two drawings.
import { defineTheme } from "../../../worker/theme/define.ts";

export default defineTheme({
  colors: {
    light: { paper: "#fff6fb", ink: "#2b1238", accent: "#8a1070" },
    dark: { paper: "#1c0f2e", ink: "#f6e9ff", accent: "#ffa6ea" },
  },
  properties: { "--round": "1.4rem" },
  stylesheets: ["playful.css"],
  logo: { file: "logo.svg", width: 132, height: 44 },
  icon: "icon.svg",
  slots: { afterText: { file: "stars.html", pages: ["signPage", "frontPage"] } },
  words: {
    en: { tagline: "Your stars, with a wink" },
    de: { tagline: "Deine Sterne, mit einem Augenzwinkern" },
  },
});
