// The colours that an owner may give a site, in the configuration or in a theme.
import { z } from "zod";

const color = z.string().regex(/^#[0-9A-Fa-f]{6}$/, "a colour such as #1a2b3c");
const ownColors = z.strictObject({
  accent: color.optional(),
  paper: color.optional(),
  ink: color.optional(),
});

export const colorsShape = z.strictObject({
  light: ownColors.optional().describe("by day"),
  dark: ownColors.optional().describe("where the reader's device is dark"),
});
