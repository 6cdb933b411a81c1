// The alerts of workers, one row for each kind. `npm run reference` generates the tables of docs/monitoring.md and
// docs/troubleshooting.md from the rows, and test/deploy/rules.test.ts reports each rule and runbook that does not exist.

interface AlertRow {
  /** The condition that raises the alert. */
  readonly when: string;
  /** When the alert is sent again. */
  readonly again: string;
  /** The page in docs/ and its heading with the steps to take; undefined if no action is needed. */
  readonly runbook: string | undefined;
  /** The rule in deploy/monitoring/rules.yaml that fires if the trouble lasts; undefined if no metric shows the trouble. */
  readonly rule: string | undefined;
}

export const alertKinds = {
  "credentials-refused": {
    when: "the service refuses the credentials",
    again: "when it refuses them again",
    runbook: "troubleshooting.md#credentials-refused",
    rule: "AlmanacCredentialsRefused",
  },
  "credentials-accepted": {
    when: "the service accepts the credentials again",
    again: "once for each `credentials-refused`",
    runbook: undefined,
    rule: undefined,
  },
  "service-unavailable": {
    when: "an endpoint, or some of its operations or languages, has given no responses for 15 minutes",
    again: "when responses stop again",
    runbook: "troubleshooting.md#reading-service-unavailable",
    rule: "AlmanacServiceErrors",
  },
  "service-recovered": {
    when: "the endpoint responds again",
    again: "once for each `service-unavailable`",
    runbook: undefined,
    rule: undefined,
  },
  "calls-without-owner": {
    when: "batches have waited for a minute, and no process makes the calls of their endpoint",
    again: "each UTC day, for each endpoint",
    runbook: "troubleshooting.md#no-calls-are-made",
    rule: "AlmanacNoReadingsStored",
  },
  "credentials-unreadable": {
    when: "a credentials file cannot be read, so that no requests can be sent",
    again: "each hour",
    runbook: "troubleshooting.md#rotate-or-revoke-the-api-key-or-token",
    rule: "AlmanacNoReadingsStored",
  },
  "language-stopped": {
    when: "one rule rejected a dozen responses of a language and none passed; a run then sends one probe every half hour",
    again: "each run",
    runbook: "troubleshooting.md#language-stopped",
    rule: "AlmanacNightWillBeLate",
  },
  "edition-incomplete": {
    when: "a run failed, or ended with readings quarantined or damaged, a language cut short, or an operation rejected",
    again: "after each run",
    runbook: "troubleshooting.md#page-shows-yesterdays-text",
    rule: "AlmanacEditionIncomplete",
  },
  "quarantine-grown": {
    when: "the quarantine has twelve entries more than at the last alert",
    again: "at twelve more",
    runbook: "troubleshooting.md#page-shows-yesterdays-text",
    rule: "AlmanacEditionIncomplete",
  },
  "night-late": {
    when: "the next edition of a published language is 45 minutes late",
    again: "each UTC day",
    runbook: "troubleshooting.md#nightly-run-did-not-start",
    rule: "AlmanacEditionLate",
  },
  "date-ahead": {
    when: "a language keeps its date because a clock is ahead, or was when the date was published",
    again: "each UTC day",
    runbook: "troubleshooting.md#clock-is-wrong",
    rule: "AlmanacDateStuck",
  },
  "damage-found": {
    when: "stored responses or published files are damaged, or a run replaced damaged ones",
    again: "for other files",
    runbook: "troubleshooting.md#damaged-files-in-the-vault",
    rule: undefined,
  },
  "state-refused": {
    when: "the site's state is not the one that this vault published last, so nothing is published",
    again: "once for each state",
    runbook: "troubleshooting.md#site-is-damaged-or-was-changed-by-someone-else",
    rule: "AlmanacEditionLate",
  },
  "template-fault": {
    when: "a template of the theme failed on a page, so nothing is published",
    again: "once for each fault",
    runbook: "theming.md#check-and-publish-the-theme",
    rule: "AlmanacEditionLate",
  },
  "store-unwritable": {
    when: "the vault or the site cannot be written, after the store's own retries",
    again: "each hour, for each of the two",
    runbook: "troubleshooting.md#storage-unavailable-or-full",
    rule: "AlmanacStorageErrors",
  },
  "cache-not-purged": {
    when: "a cache did not accept the changed paths, so readers may see old pages",
    again: "each UTC day, for each cache",
    runbook: "hosting.md#purge-a-cdn",
    rule: undefined,
  },
  "hub-not-notified": {
    when: "the hub of the feeds (`site.hub`) did not accept the changed feeds",
    again: "each UTC day",
    runbook: "hosting.md#purge-a-cdn",
    rule: undefined,
  },
  "webhook-not-notified": {
    when: "the server at `ALMANAC_PUBLISHED_URL` did not accept the changed addresses",
    again: "each UTC day",
    runbook: "monitoring.md#webhook-after-each-publish",
    rule: undefined,
  },
} as const satisfies Readonly<Record<string, AlertRow>>;

export type AlertKind = keyof typeof alertKinds;

/** A message to a person: the symptom, the impact and the command to run. */
export interface Alert {
  readonly kind: AlertKind;
  readonly text: string;
  /** Identifies the occasion: one alert is sent per kind and occasion, however often it is raised. */
  readonly once?: string;
}
