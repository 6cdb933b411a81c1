// The colours that an owner may give a site, in the configuration or in a theme.
import { z } from "zod";

const color = z.string().regex(/^#[0-9A-Fa-f]{6}$/, "a colour such as #1a2b3c");
const colorsOf = (mode: string) =>
  z.strictObject({
    accent: color.optional().describe(`color of links, signs and the current tab in ${mode} mode`),
    paper: color.optional().describe(`background color in ${mode} mode`),
    ink: color.optional().describe(`text color in ${mode} mode`),
  });

export const colorsShape = z.strictObject({
  light: colorsOf("light").optional().describe("colors in light mode"),
  dark: colorsOf("dark").optional().describe("colors for readers whose device is in dark mode"),
});
