// Where somebody reports a fault that could do harm (RFC 9116). It has to say until when it holds, and press has no clock: that
// is counted from the newest day that is published, by whole months, so that the file changes once a month and runs out where a
// site is left alone.
import type { Draft } from "./draft.ts";
import type { SiteSettings } from "./edition.ts";
import type { Context } from "./page-context.ts";

/** The standard wants less than a year. */
const monthsAhead = 6;

export function securityDrafts(
  { security }: Pick<SiteSettings, "security">,
  languages: readonly { readonly date: string }[],
): Draft[] {
  const newest = languages
    .map(({ date }) => date)
    .toSorted()
    .at(-1);
  if (security === undefined || newest === undefined) return [];
  const text = (context: Context) => printed(security.contact, expiryAfter(newest), context);
  return [{ at: { row: "securityText" }, print: text }];
}

function printed(contact: string, expires: string, context: Context) {
  const address = contact.startsWith("https:") ? contact : `mailto:${contact}`;
  return `Contact: ${address}\nExpires: ${expires}\nCanonical: ${context.url({ row: "securityText" })}\n`;
}

/** The first instant of the month that comes so many months after the date's own. */
function expiryAfter(date: string) {
  const [year = 0, month = 1] = date.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + monthsAhead)).toISOString();
}
