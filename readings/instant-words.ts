// An instant as people read it.

/** `2026-11-21 03:12 UTC` */
export function utcMinute(instant: string | Date): string {
  return `${minuteOf(instant)} UTC`;
}

/** `2026-11-21 03:12`, if UTC is named next to it. */
export function minuteOf(instant: string | Date): string {
  const text = typeof instant === "string" ? instant : instant.toISOString();
  return text.slice(0, 16).replace("T", " ");
}
