// The header, menu and sidebar of an existing site. Analytics load only after consent, in languages with a banner.
import { defineTheme } from "../../../worker/theme/define.ts";

export default defineTheme({
  colors: {
    light: { paper: "#ffffff", ink: "#1a1d21", accent: "#0b5394" },
    dark: { paper: "#15181c", ink: "#e8eaed", accent: "#8ab8f0" },
  },
  stylesheets: ["framed.css"],
  slots: {
    masthead: "masthead.html",
    consent: [
      { file: "consent.html", languages: ["en"] },
      { file: "consent.de.html", languages: ["de"] },
    ],
    sidebar: { file: "sidebar.html", pages: ["frontPage", "signPage", "cardPage"] },
    measuring: "measuring.html",
  },
  hosts: { script: ["stats.example"], connect: ["stats.example"] },
  pages: { fallback: ["en"] },
});
