// E-mail senders fill in tags such as {{name}}, *|NAME|*, %recipient% or <% name %>. A reading's text must never be taken
// for one, whichever sender gets it, so the signs that would make one are parted by a character that nobody sees.

/** The slot in a newsletter into which the sender puts the address to unsubscribe. */
export const unsubscribeSlot = "{{unsubscribe}}";

/** U+2060: no width, no break. */
const wordJoiner = "\u2060";

/** Two of these in a row open or close a tag somewhere. */
const pairs = /(?<=[{}[\]<>%*|$#@~^])(?=[{}[\]<>%*|$#@~^])/g;
/** One of these opens a tag where a name follows it. */
const beforeName = /(?<=[{[%$@#~])(?=[\p{L}_])/gu;

/** Controls, which no mail may hold, and marks that turn the direction of what comes after the text. */
const notMail = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]+/g;

/** One search that finds nothing in nearly every text, which then needs no change. */
const any = /[{}[\]<>%*|$#@~^\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]| {2}|^ | $/;

/** A reading's text as it may stand in a newsletter: on one line, and no tag in it. */
export function harmless(text: string): string {
  if (!any.test(text) && text.isWellFormed()) return text;
  const line = text.toWellFormed().replace(notMail, " ").replaceAll(/ {2,}/g, " ").trim();
  return line.replace(pairs, wordJoiner).replace(beforeName, wordJoiner);
}
