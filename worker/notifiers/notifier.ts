// The port to servers that are notified after a publish: caches in front of the site, the hub of its feeds, and the webhook that
// rebuilds other sites. It also has the parts that they share: the site's parts, these as paths, and one call to such a server.
import type { AlertKind } from "../../activities/alert-kinds.ts";
import type { ShownChange } from "../../publish/state/publish-context.ts";
import { foldedParts, partOf, type CachePart, languageIn } from "../../publish/state/headers.ts";
import { beginningOf, pathOf } from "../../site/paths.ts";
import { addressOf, isFolder } from "../../site/address.ts";
import type { TreePath } from "../../site/tree.ts";
import { retryAfterMs } from "../../readings/answer.ts";
import { answerFrom, type OutsideQuestion, shortReasonOf } from "../webhook.ts";
import type { Environment } from "../settings/environment.ts";

const stalePages = {
  kind: "cache-not-purged",
  impact: "Readers may see outdated pages",
} as const;
/** Every notifier, by its name in settings and messages, with the alert if it does not accept the changes. */
export const notifierAlerts = {
  cloudfront: stalePages,
  cloudflare: stalePages,
  webhook: stalePages,
  hub: { kind: "hub-not-notified", impact: "Feed subscribers get updates later" },
  indexNow: { kind: "search-not-notified", impact: "Search engines find changed pages later" },
  published: { kind: "webhook-not-notified", impact: "Sites that are built from this one are outdated" },
} as const satisfies Readonly<Record<string, { readonly kind: AlertKind; readonly impact: string }>>;

export interface News {
  readonly items: readonly string[];
  /** Unique to the news, and the same however often it is sent. */
  readonly reference: string;
  /** The newest state that contains the items' changes. */
  readonly shown: Pick<ShownChange, "manifest" | "version">;
  readonly signal: AbortSignal;
}

export interface Notifier {
  readonly name: keyof typeof notifierAlerts;
  /** Maps changed paths to as few items as possible for this notifier. */
  readonly itemsOf: (paths: readonly string[]) => string[];
  /** Merges waiting and new items into as few as possible. */
  readonly folded: (items: readonly string[]) => string[];
  /** The maximum of items in one message. Default: no limit. */
  readonly mostAtOnce?: number;
  /** Sends the items, at least once. Throws NotNotified. */
  readonly tell: (news: News) => Promise<void>;
}

interface NotNotifiedFacts {
  readonly seen: string;
  /** Instruction for the operator. */
  readonly remedy: string;
  /** Whether a retry may succeed. */
  readonly again: boolean;
  /** Delay before a retry, as the server requested it. */
  readonly afterMs?: number;
}

/** Thrown if a server did not accept the items. Contains no secrets. */
export class NotNotified extends Error {
  override readonly name = "NotNotified";
  readonly facts: NotNotifiedFacts;
  constructor(facts: NotNotifiedFacts) {
    super(`${facts.seen}; ${facts.remedy}`);
    this.facts = facts;
  }
}

/** Shared by all caches: they are notified of the changed parts of the site. */
export const notifiedByPart: Pick<Notifier, "itemsOf" | "folded"> = {
  itemsOf: (paths) => foldedParts(paths.flatMap((path) => partOf(path) ?? [])),
  folded: foldedParts,
};

const sharedFiles: readonly TreePath[] = [
  { row: "chooserPage" },
  { row: "statusPage" },
  { row: "index" },
  { row: "status" },
  { row: "openApi" },
  { row: "sitemapIndex" },
  { row: "sitemapOfSite" },
];
const ownFiles: readonly TreePath[] = [
  { row: "notFoundPage" },
  { row: "robots" },
  { row: "favicon" },
  { row: "webManifest" },
  { row: "securityText" },
];
const languageRows = ["frontPage", "languageIndex"] as const;

/**
 * For a cache that knows no tags. A language is two folders, a set is purged as its language because its paths are too many, and of
 * the files that belong to no language only those that each night changes are purged one by one.
 */
export function pathsOfParts(parts: readonly CachePart[]) {
  const languages = new Set(parts.flatMap((part) => languageIn(part) ?? []));
  const own = parts.includes("own");
  const exact = [...(parts.includes("shared") ? sharedFiles : []), ...(own ? ownFiles : [])].map(pathOf);
  return {
    exact: exact.flatMap((path) => (isFolder(path) ? [addressOf(path), path] : [path])),
    beginnings: [
      ...[...languages].flatMap((language) => languageRows.map((row) => `${beginningOf(row)}${language}/`)),
      ...(own ? ["assets/", beginningOf("schema")] : []),
    ],
  };
}

export interface OutsideAnswer {
  readonly status: number;
  readonly text: string;
  readonly afterMs: number | undefined;
}

const longestText = 100_000;

/** Calls a third-party server, such as a CDN's. The response is never shown, because it may echo the request. */
export async function callOutside(
  question: OutsideQuestion,
  proxies: Environment["proxies"],
): Promise<OutsideAnswer> {
  try {
    return await answerFrom(question, proxies, async (response) => {
      const text = (await response.text()).slice(0, longestText);
      const afterMs = retryAfterMs(response.headers.get("retry-after") ?? undefined, new Date());
      return { status: response.status, text, afterMs };
    });
  } catch (error) {
    const seen = `${question.url.host} does not answer: ${shortReasonOf(error)}`;
    throw new NotNotified({ seen, remedy: "check that this machine can reach it", again: true });
  }
}
