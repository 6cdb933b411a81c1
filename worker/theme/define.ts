// Helpers for the files of a theme. They are optional: they give an editor types for completion.
import type { PageKind } from "../../site/theme/theme.ts";
import type { Template } from "./templates.ts";
import type { ThemeInput } from "./theme.schema.ts";

export type { PageKind, Template, ThemeInput };

/** For theme.ts: `export default defineTheme({ ... })`. */
export function defineTheme(theme: ThemeInput): ThemeInput {
  return theme;
}

/** For a template: `export default defineTemplate("signPage", (page, { html }) => html`...`)`. */
export function defineTemplate<Kind extends PageKind>(_kind: Kind, template: Template<Kind>): Template<Kind> {
  return template;
}
