// The frame of an existing site around our pages: its head, its menu, a column beside the text; consent is asked before
// anything is measured.
import { defineTheme } from "../../../worker/theme/define.ts";

export default defineTheme({
  colors: {
    light: { paper: "#ffffff", ink: "#1a1d21", accent: "#0b5394" },
    dark: { paper: "#15181c", ink: "#e8eaed", accent: "#8ab8f0" },
  },
  stylesheets: ["framed.css"],
  slots: {
    masthead: "masthead.html",
    consent: "consent.html",
    sidebar: { file: "sidebar.html", pages: ["frontPage", "signPage", "cardPage"] },
    measuring: "measuring.html",
  },
  hosts: { script: ["stats.example"], connect: ["stats.example"] },
  pages: { fallback: ["en"] },
});
