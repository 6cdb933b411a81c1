// Retry-After as seconds or as an HTTP date -> milliseconds from the answer; undefined rather than a guess.

const longestMs = 24 * 60 * 60 * 1000;
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

export function retryAfterMs(header: string | undefined, receivedAt: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, longestMs);
  if (!httpDate.test(text)) return undefined;
  const waitMs = Date.parse(text) - receivedAt.getTime();
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), longestMs);
}
