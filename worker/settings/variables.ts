// Types of environment variables, and their problems in words. Error messages name the expected and the actual value as far as that is
// safe: nothing of a secret, and neither user, password nor query of a URL.
import { z } from "zod";
import { Secret } from "../../service/secret.ts";
import { secureUrl, serverUrl, webUrl } from "../../site/address.ts";
import { faultInAddress, isSetting, settingForms } from "../../store/kinds.ts";

export const serviceUrl = kind(
  "an https URL without user name, query or fragment (http on this machine only)",
  (text) => serverUrl(text)?.href.replace(/\/+$/, ""),
  shownUrl,
);
/** URL that is a secret, such as a webhook's. */
export const secretUrl = kind(
  "an https URL (http on this machine only)",
  (text) => (secureUrl(text) === undefined ? undefined : new Secret(text)),
  () => "something else",
);
/** The scheme may be omitted, as in other programs. */
export const proxyUrl = kind(
  "a proxy's http or https URL",
  (text) => {
    const url = text.includes("://") ? text : `http://${text}`;
    return webUrl(url) === undefined ? undefined : new Secret(url);
  },
  shownUrl,
);
/** Allows http, because a collector is usually on the same network. */
export const collectorUrl = kind("an http or https URL", (text) => webUrl(text)?.href, shownUrl);
export const secretWord = kind(
  'one word of printable ASCII, without blanks and without a leading "Bearer"',
  (text) => (isSecretWord(text) ? new Secret(text) : undefined),
  () => "something else",
);
/** A secret of any form, which is never shown; its form is checked where it is used. */
export const secretText = kind(
  "a text",
  (text) => new Secret(text),
  () => "something else",
);
export const storeAddress = z
  .string()
  .transform((text, context) => {
    const fault = isSetting(text)
      ? faultInAddress(text)
      : `expected ${settingForms}, got ${shownAddress(text)}`;
    if (fault === undefined) return text;
    context.addIssue({ code: "custom", message: fault });
    return z.NEVER;
  })
  .optional();
export const filePath = kind("a path", (text) => (text.includes("\0") ? undefined : text));
export const anyText = kind("a text", (text) => text);
export const milliseconds = kind("a whole number of milliseconds", (text) =>
  /^-?\d{1,13}$/.test(text) ? Number(text) : undefined,
);
export const clockSpeed = kind("a whole number from 1 to 100", (text) =>
  /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 100 ? Number(text) : undefined,
);
/** A port without a host means this machine only; an address that others can reach must be given in full. */
export const listenAddress = kind(
  "a port, such as 9464, or an address and a port, such as 0.0.0.0:9464",
  (text) => {
    const [, bracketed, plain, digits] = /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text) ?? [];
    const port = Number(digits);
    return digits === undefined || port < 1 || port > 65_535
      ? undefined
      : { host: bracketed ?? plain ?? "127.0.0.1", port };
  },
);
export const drainSeconds = kind("a whole number of seconds from 5 to 3600", (text) =>
  /^\d{1,4}$/.test(text) && Number(text) >= 5 && Number(text) <= 3600 ? Number(text) : undefined,
);
/** The version has to be one word, in a command, on a page and in an answer of Temporal's. */
export const versionWord = kind("one word of at most 200 letters, digits and . _ + / -", (text) =>
  /^[\w.+/-]{1,200}$/.test(text) ? text : undefined,
);
export const yesOrNo = kind("1 or 0, true or false, yes or no", (text) => answers.get(text.toLowerCase()));

const answers = new Map([
  ...["1", "true", "yes", "on"].map((word) => [word, true] as const),
  ...["0", "false", "no", "off"].map((word) => [word, false] as const),
]);

/** Whether a text can be sent in a header as it is. A blank or line break would be a copy-and-paste error. */
export function isSecretWord(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

function kind<T>(
  expected: string,
  read: (text: string) => T | undefined,
  seen: (text: string) => string = quoted,
) {
  return z
    .string()
    .transform((text, context) => {
      const value = read(text);
      if (value !== undefined) return value;
      context.addIssue({ code: "custom", message: `expected ${expected}, got ${seen(text)}` });
      return z.NEVER;
    })
    .optional();
}

/** A text that is not a URL is not shown, because it may be a credential pasted into the wrong line. */
function shownUrl(text: string) {
  return text.includes("://") ? shownAddress(text) : 'a text without "https://"';
}

function shownAddress(text: string) {
  const open = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, "$1…@").replace(/[?#].*$/s, "…");
  return quoted(open);
}

function quoted(text: string) {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 99)}…` : text);
}

/** One problem: `ALMANAC_VAULT: expected ..., got ...`. */
export interface WrongSetting {
  readonly name: string;
  readonly problem: string;
  /** Suggested name for a misspelled one. */
  readonly meant?: string;
  /** Whether the problem is that neither the variable nor its `_FILE` variant is set. */
  readonly isUnset?: true;
}

export type GivenVariables = Readonly<Record<string, string | undefined>>;
